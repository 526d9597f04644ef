#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidewise {

/// What kind of thing is wrong with a command line.
enum class Mistake {
  extra_word,   ///< a word, or an option, that the command does not take
  no_number,    ///< nor a word that the option takes
  value_count,  ///< none after an option that needs one, or several
  excluded,     ///< an option beside another that it cannot be given with
  alone,        ///< an option without another that it needs
  other,
};

/// What the library that reads the command line says of one that it cannot take.
struct Complaint {
  Mistake mistake;
  std::string text;                       ///< the library's own
  std::string command;                    ///< in full, e.g. "tidewise env info"
  std::string extra_word = {};            ///< the first that was left over
  std::vector<std::string> options = {};  ///< of the command, e.g. "--out"
};

/// What is wrong with a command line, and what to do: in this program's words.
std::string describe_complaint(const Complaint& complaint);

/// What an option of a command ("--name") is now called that an earlier version had, or the group
/// of a command (`name`) that has moved; empty: neither.
std::string_view present_name(std::string_view command, std::string_view name);

}  // namespace tidewise
