#include "app/cli/command_line_error.h"

#include <fmt/core.h>

#include "planner/mission/read/keys.h"

namespace tidewise {
namespace {

/// What stands after `mark` in the library's text; all of it where there is no mark.
std::string after(const std::string& text, const std::string& mark) {
  const auto at = text.find(mark);
  return at == std::string::npos ? text : text.substr(at + mark.size());
}

std::string before(const std::string& text, const std::string& mark) {
  return text.substr(0, text.find(mark));
}

std::string describe_extra(const Complaint& complaint) {
  const std::string& word = complaint.extra_word;
  if (!word.starts_with('-')) {
    return fmt::format("{} is one word more than {} takes", word, complaint.command);
  }
  const std::string near =
      nearest_word(before(word, "="), {complaint.options.begin(), complaint.options.end()});
  return fmt::format("{} is no option of {}{}", word, complaint.command,
                     near.empty() ? "" : fmt::format(" (did you mean {}?)", near));
}

std::string describe_count(const std::string& text) {
  const std::string count = after(text, "required ");
  if (text.ends_with(" missing")) {
    return fmt::format("{} needs a value, {}", before(text, ":"), before(count, " missing"));
  }
  const std::string option = before(before(after(text, "arguments to "), ":"), ",");
  return fmt::format("{} is given more, or fewer, values than it takes", option);
}

std::string describe_cause(const Complaint& complaint) {
  const std::string& text = complaint.text;
  switch (complaint.mistake) {
    case Mistake::extra_word:
      return describe_extra(complaint);
    case Mistake::no_number: {
      const std::string setting = after(text, "Could not convert: ");
      if (setting == text) return text;
      return fmt::format("{}: '{}' is not a number; it takes one without a unit",
                         before(setting, " = "), after(setting, " = "));
    }
    case Mistake::value_count:
      return describe_count(text);
    case Mistake::excluded:
      return fmt::format("{} and {} cannot be given together; keep one of them",
                         before(text, " excludes "), after(text, " excludes "));
    case Mistake::alone:
      return fmt::format("{} needs {} beside it", before(text, " requires "),
                         after(text, " requires "));
    case Mistake::other:
      break;
  }
  return text;
}

}  // namespace

std::string describe_complaint(const Complaint& complaint) {
  return fmt::format("{}; see '{} --help'", describe_cause(complaint), complaint.command);
}

}  // namespace tidewise
