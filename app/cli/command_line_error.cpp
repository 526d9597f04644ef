#include "app/cli/command_line_error.h"

#include <fmt/format.h>

#include <vector>

#include "app/mission/keys.h"

namespace tidewise {
namespace {

/// The innermost command that was named.
const CLI::App& command_of(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

/// What stands after `mark` in the library's text; all of it where there is no mark.
std::string after(const std::string& text, const std::string& mark) {
  const auto at = text.find(mark);
  return at == std::string::npos ? text : text.substr(at + mark.size());
}

std::string before(const std::string& text, const std::string& mark) {
  return text.substr(0, text.find(mark));
}

std::string describe_extra(const CLI::App& program, const CLI::App& command) {
  const std::vector<std::string> words = program.remaining(true);
  const std::string word = words.empty() ? "" : words.front();
  if (!word.starts_with('-')) {
    return fmt::format("{} is one word more than {} takes", word, full_name(command));
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::string near =
      nearest_word(before(word, "="), std::vector<std::string_view>(names.begin(), names.end()));
  return fmt::format("{} is no option of {}{}", word, full_name(command),
                     near.empty() ? "" : fmt::format(" (did you mean {}?)", near));
}

std::string describe_cause(const CLI::ParseError& error, const CLI::App& program,
                           const CLI::App& command) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return describe_extra(program, command);
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    const std::string setting = after(text, "Could not convert: ");
    if (setting == text) return text;
    return fmt::format("{}: {} is no number that it can take, and no word of its own",
                       before(setting, " = "), after(setting, " = "));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string count = after(text, "required ");
    if (text.ends_with(" missing")) {
      return fmt::format("{} needs a value, {}", before(text, ":"), before(count, " missing"));
    }
    const std::string option = before(before(after(text, "arguments to "), ":"), ",");
    return fmt::format("{} is given more, or fewer, values than it takes", option);
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    return fmt::format("{} and {} cannot be given together; keep one of them",
                       before(text, " excludes "), after(text, " excludes "));
  }
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {
    return fmt::format("{} needs {} beside it", before(text, " requires "),
                       after(text, " requires "));
  }
  return text;
}

}  // namespace

std::string describe_error(const CLI::ParseError& error, const CLI::App& program) {
  const CLI::App& command = command_of(program);
  return fmt::format("{}; see '{} --help'", describe_cause(error, program, command),
                     full_name(command));
}

}  // namespace tidewise
