#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidewise {

/// Kinds of command-line errors.
enum class Mistake {
  extra_word,   ///< a word, or an option, that the command does not take
  no_number,    ///< a value that is neither a number nor a word of the option
  value_count,  ///< no value for an option that needs one, or too many
  excluded,     ///< an option together with another that excludes it
  needs_other,  ///< an option without another that it requires
  other,
};

/// An error that the parser reports.
struct CommandLineError {
  Mistake mistake;
  std::string text;                       ///< message of the parser's library
  std::string command;                    ///< full name, e.g. "tidewise env info"
  std::string extra_word = {};            ///< first word that the command does not take
  std::vector<std::string> options = {};  ///< options of the command, e.g. "--out"
};

/// Describes a command-line error and the remedy in this program's words.
std::string describe_command_line_error(const CommandLineError& error);

/// The present name of a renamed option ("--name") of a command, or the group that a command
/// (`name`) has moved to; empty if it has neither been renamed nor moved.
std::string_view present_name(std::string_view command, std::string_view name);

}  // namespace tidewise
