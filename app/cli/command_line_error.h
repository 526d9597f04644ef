#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidewise {

/// Kinds of command-line errors.
enum class Mistake {
  extra_word,   ///< a word, or an option, that the command does not take
  no_number,    ///< nor a word that the option takes
  value_count,  ///< none after an option that needs one, or several
  excluded,     ///< an option together with another that excludes it
  alone,        ///< an option without another that it needs
  other,
};

/// A parser's error.
struct Complaint {
  Mistake mistake;
  std::string text;                       ///< the library's own
  std::string command;                    ///< in full, e.g. "tidewise env info"
  std::string extra_word = {};            ///< the first that was left over
  std::vector<std::string> options = {};  ///< options of the command, e.g. "--out"
};

/// Describes a command-line error and the remedy in this program's words.
std::string describe_complaint(const Complaint& complaint);

/// The present name of an option ("--name") of a command, or the group of a command (`name`), that
/// an earlier version had under another name; empty: none.
std::string_view present_name(std::string_view command, std::string_view name);

}  // namespace tidewise
