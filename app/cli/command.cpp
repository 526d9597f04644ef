#include "app/cli/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>
#include <type_traits>
#include <utility>

#include "app/cli/command_line_error.h"
#include "app/cli/split_values.h"
#include "app/error/codes.h"
#include "base/error.h"

namespace tidewise {

using Json = nlohmann::json;

/// Functions that set options from values of another program, and the commands' callbacks.
struct OptionTable {
  struct Entry {
    std::function<std::string(const Json&)> take;  ///< returns what the value must be, or ""
    std::vector<std::function<std::string(const std::string&)>> validators;
    bool is_set = false;
  };
  std::map<const CLI::Option*, Entry> options;
  std::map<const CLI::App*, std::function<void()>> callbacks;
};

namespace {

/// Returns a text, or the text form of a number or a list.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& element : value) text += (text.empty() ? "" : ",") + text_of(element);
  return text;
}

// Each overload stores a value, or returns what the value must be.
std::string assign(const Json& value, std::string& out) {
  if (value.is_object() || value.is_boolean()) return "a text";
  out = text_of(value);
  return {};
}
std::string assign(const Json& value, std::filesystem::path& out) {
  if (!value.is_string()) return "the name of a file";
  out = value.get<std::string>();
  return {};
}
std::string assign(const Json& value, double& out) {
  if (!value.is_number()) return "a number without a unit";
  out = value.get<double>();
  return {};
}
template <class Integer>
requires std::is_integral_v<Integer> std::string assign(const Json& value, Integer& out) {
  const bool fits =
      value.is_number_unsigned()
          ? std::in_range<Integer>(value.get<std::uint64_t>())
          : value.is_number_integer() && std::in_range<Integer>(value.get<std::int64_t>());
  if (!fits) {
    return fmt::format("a whole number from {} to {}", std::numeric_limits<Integer>::min(),
                       std::numeric_limits<Integer>::max());
  }
  out = value.get<Integer>();
  return {};
}
template <class Value>
std::string assign(const Json& value, std::optional<Value>& out) {
  return assign(value, out.emplace());
}
template <class Value>
std::string assign(const Json& value, std::vector<Value>& out) {
  if (!value.is_array()) return assign(value, out.emplace_back());
  std::string needed;
  for (const Json& element : value) {
    if (needed.empty()) needed = assign(element, out.emplace_back());
  }
  return needed;
}

bool is_omitted(const Json& value) { return value.is_null() || value == false; }

}  // namespace

Option Option::required() const {
  option_->required();
  return *this;
}

Option Option::type_name(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

Option Option::description(const std::string& text) const {
  option_->description(text);
  return *this;
}

Option Option::show_default() const {
  option_->capture_default_str();
  return *this;
}

Option Option::show_default(const std::string& text) const {
  option_->default_str(text);
  return *this;
}

Option Option::excludes(Option other) const {
  option_->excludes(other.option_);
  return *this;
}

Option Option::one_of(const std::vector<std::string>& words) const {
  option_->type_name(fmt::format("{}", fmt::join(words, "|")));
  return check([words](const std::string& text) {
    const bool is_listed = std::find(words.begin(), words.end(), text) != words.end();
    return is_listed ? std::string() : fmt::format("{} not in {{{}}}", text, fmt::join(words, ","));
  });
}

Option Option::check(std::function<std::string(const std::string&)> validator) const {
  table_->options[option_].validators.push_back(validator);
  option_->check(CLI::Validator(
      [validator = std::move(validator)](std::string& text) { return validator(text); }, ""));
  return *this;
}

Option Option::comma_separated() const {
  option_->delimiter(',');
  return *this;
}

Option Option::one_at_a_time() const {
  option_->allow_extra_args(false);
  return *this;
}

bool Option::given() const { return option_->count() > 0 || table_->options[option_].is_set; }

Command Command::add_command(const std::string& name, const std::string& description,
                             const std::string& footer) const {
  CLI::App* command = app_->add_subcommand(name, description);
  command->footer(footer);
  return {*command, *table_};
}

Command Command::add_group(const std::string& name, const std::string& description,
                           const std::string& footer) const {
  const Command group = add_command(name, description, footer);
  group.app_->require_subcommand(1);
  return group;
}

void Command::list_under(const std::string& heading) const { app_->group(heading); }

void Command::callback(std::function<void()> run) const {
  table_->callbacks[app_] = run;
  app_->callback(std::move(run));
}

namespace {

/// Refuses empty values: a shell puts "" in place of a variable that is not set.
std::string refuse_empty(const std::string& value) {
  return value.empty() ? "its value is empty; give one, or leave it out" : std::string();
}

/// Refuses numbers beyond the greatest one, which CLI11 would use in their place.
std::string refuse_overflow(const std::string& value) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc::result_out_of_range
             ? fmt::format("{} is beyond {}", value, std::numeric_limits<std::int64_t>::max())
             : std::string();
}

}  // namespace

template <class Value>
Option Command::add_option(const std::string& name, Value& value,
                           const std::string& description) const {
  CLI::Option& added = *app_->add_option(name, value, description);
  table_->options[&added].take = [&value](const Json& json) { return assign(json, value); };
  Option option = Option(added, *table_).check(refuse_empty);
  if constexpr (std::is_same_v<Value, std::int64_t>) option = option.check(refuse_overflow);
  return option;
}

Option Command::add_numbered_choice(const std::string& name, const Numbers& words,
                                    std::function<void(int)> take,
                                    const std::string& description) const {
  std::vector<std::string> listed;
  for (const auto& [word, number] : words) listed.push_back(word);
  const auto as_number = [words, listed](std::string& text) -> std::string {
    for (const auto& [word, number] : words) {
      if (text != word) continue;
      text = std::to_string(number);
      return {};
    }
    return fmt::format("{} not in {{{}}}", text, fmt::join(listed, ","));
  };
  CLI::Option* option = app_->add_option_function<int>(name, take, description);
  table_->options[option].take = [words, listed, take](const Json& json) {
    for (const auto& [word, number] : words) {
      if (json != word) continue;
      take(number);
      return std::string();
    }
    return fmt::format("one of {}", fmt::join(listed, ", "));
  };
  option->transform(CLI::Validator(as_number, ""))
      ->type_name(fmt::format("{}", fmt::join(listed, "|")));
  return {*option, *table_};
}

Option Command::add_flag(const std::string& name, bool& value,
                         const std::string& description) const {
  return add_flag(
      name, [&value] { value = true; }, description);
}

Option Command::add_flag(const std::string& name, std::function<void()> on_set,
                         const std::string& description) const {
  CLI::Option* option = app_->add_flag_callback(name, on_set, description);
  table_->options[option].take = [on_set](const Json& value) {
    if (value != true) return std::string("true or false");
    on_set();
    return std::string();
  };
  return {*option, *table_};
}

Option Command::option(const std::string& name) const { return {*app_->get_option(name), *table_}; }

std::string Command::name() const { return app_->get_name(); }

std::vector<Command> Command::commands() const {
  std::vector<Command> commands;
  for (CLI::App* command : app_->get_subcommands({})) commands.emplace_back(*command, *table_);
  return commands;
}

void Command::run(const Json& values) const {
  std::vector<CLI::Option*> set_options;
  for (const auto& [key, value] : values.items()) {
    if (is_omitted(value)) continue;
    std::string name = key.substr(0, key.find_last_not_of('_') + 1);
    std::replace(name.begin(), name.end(), '_', '-');
    CLI::Option* option = app_->get_option_no_throw("--" + name);
    if (option == nullptr) option = app_->get_option_no_throw(name);
    if (option == nullptr) throw input_error(errors::option_unknown, key, this->name(), "");
    OptionTable::Entry& entry = table_->options[option];
    for (const auto& validator : entry.validators) {
      if (value.is_structured()) break;
      const std::string refusal = validator(text_of(value));
      if (refusal.empty()) continue;
      throw input_error(errors::command_line_invalid,
                        fmt::format("{}: {}", option->get_name(), refusal));
    }
    if (const std::string needed = entry.take(value); !needed.empty()) {
      throw input_error(errors::option_value_invalid, option->get_name(), value.dump(),
                        fmt::format("be {}", needed));
    }
    entry.is_set = true;
    set_options.push_back(option);
  }
  for (CLI::Option* option : set_options) {
    for (CLI::Option* other : option->get_excludes()) {
      if (!table_->options[other].is_set) continue;
      throw input_error(errors::options_exclude_each_other, option->get_name(), other->get_name());
    }
  }
  table_->callbacks.at(app_)();
}

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

Mistake mistake_of(const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return Mistake::extra_word;
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return Mistake::no_number;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return Mistake::value_count;
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) return Mistake::excluded;
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) return Mistake::needs_other;
  return Mistake::other;
}

std::string describe(const CLI::ParseError& error, const CLI::App& program) {
  const CLI::App& command = command_of(program);
  CommandLineError mistake{mistake_of(error), error.what(), full_name(command)};
  const std::vector<std::string> words = program.remaining(true);
  if (!words.empty()) mistake.extra_word = words.front();
  for (const CLI::Option* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) mistake.options.push_back("--" + name);
  }
  return describe_command_line_error(mistake);
}

}  // namespace

Program::Program(std::shared_ptr<CLI::App> app, std::shared_ptr<OptionTable> table)
    : Command(*app, *table), app_(std::move(app)), table_(std::move(table)) {}

Program::Program(const std::string& name, const std::string& description,
                 const std::string& version)
    : Program(std::make_shared<CLI::App>(description, name), std::make_shared<OptionTable>()) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->fallthrough();
}

namespace {

/// Refuses empty words of a list, which CLI11 would ignore.
void refuse_empty_words(const CLI::App& program, int argc, const char* const* argv) {
  const CLI::App* command = &program;
  const CLI::Option* list = nullptr;  // option whose list of values is being read
  for (int n = 1; n < argc; ++n) {
    std::string word = argv[n];
    if (word.starts_with("--")) {
      const auto equals = word.find('=');
      const CLI::Option* option = command->get_option_no_throw(word.substr(0, equals));
      list = option != nullptr && option->get_delimiter() == ',' ? option : nullptr;
      if (equals == std::string::npos) continue;
      word.erase(0, equals + 1);
    } else if (list == nullptr) {
      const auto matches = command->get_subcommands(
          [&](const CLI::App* subcommand) { return subcommand->check_name(word); });
      if (!matches.empty()) command = matches.front();
      continue;
    }
    if (list == nullptr || word.empty()) continue;  // refuse_empty() handles an empty value
    if (("," + word + ",").find(",,") == std::string::npos) continue;
    throw input_error(errors::list_word_empty, list->get_name(), word);
  }
}

}  // namespace

std::string Program::parse(int argc, const char* const* argv) const {
  try {
    refuse_empty_words(*app_, argc, argv);
    refuse_split_values(argc, argv);
    app_->parse(argc, argv);
    return {};
  } catch (const CLI::Success& request) {
    std::ostringstream text;
    app_->exit(request, text, text);
    return text.str();
  } catch (const CLI::ParseError& error) {
    throw InputError(describe(error, *app_));
  }
}

// The types that options can be stored in.
#define TIDEWISE_OPTION_OF(...)                                                      \
  template Option Command::add_option<__VA_ARGS__>(const std::string&, __VA_ARGS__&, \
                                                   const std::string&) const;
TIDEWISE_OPTION_OF(std::string)
TIDEWISE_OPTION_OF(std::optional<std::string>)
TIDEWISE_OPTION_OF(std::vector<std::string>)
TIDEWISE_OPTION_OF(std::filesystem::path)
TIDEWISE_OPTION_OF(std::optional<std::filesystem::path>)
TIDEWISE_OPTION_OF(std::vector<std::filesystem::path>)
TIDEWISE_OPTION_OF(double)
TIDEWISE_OPTION_OF(std::optional<double>)
TIDEWISE_OPTION_OF(std::int32_t)
TIDEWISE_OPTION_OF(std::optional<std::int32_t>)
TIDEWISE_OPTION_OF(std::vector<std::int32_t>)
TIDEWISE_OPTION_OF(std::int64_t)
TIDEWISE_OPTION_OF(std::uint64_t)
#undef TIDEWISE_OPTION_OF

}  // namespace tidewise
