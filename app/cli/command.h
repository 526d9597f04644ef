#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/words.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tidewise {

struct OptionTable;

// The command line's commands and options, implemented by CLI11. Only command.cpp includes it,
// since its templates add seconds to the compilation of each file. The classes here are handles,
// which are copied freely and live as long as their Program.

/// An option, an argument without dashes, or a flag. Member functions return the option itself.
class Option {
 public:
  Option(CLI::Option& option, OptionTable& table) : option_(&option), table_(&table) {}

  Option required() const;
  /// Name of the value in --help, e.g. "X,Y".
  Option type_name(const std::string& name) const;
  Option description(const std::string& text) const;
  /// Shows the variable's current value, or `text`, as the default in --help.
  Option show_default() const;
  Option show_default(const std::string& text) const;
  /// Refuses this option together with `other`.
  Option excludes(Option other) const;
  /// Refuses all but these words.
  Option one_of(const std::vector<std::string>& words) const;
  /// Refuses a value for which `validator` returns a text, the error message.
  Option check(std::function<std::string(const std::string&)> validator) const;
  /// For a list: splits a value at commas.
  Option comma_separated() const;
  /// For a list: one value for each time that the option is given.
  Option one_at_a_time() const;

  bool given() const;  ///< true if the option has been given a value

 private:
  CLI::Option* option_;
  OptionTable* table_;
};

/// The words of a choice and what they stand for, in the order in which --help lists them.
template <class Choice>
using Words = std::vector<std::pair<std::string, Choice>>;

/// The names of all values of an enum.
template <class Enum>
Words<Enum> all_words() {
  Words<Enum> words;
  for (const std::string_view word : words_of<Enum>) {
    words.emplace_back(word, static_cast<Enum>(words.size()));
  }
  return words;
}

/// The program, or a command of it.
class Command {
 public:
  Command(CLI::App& app, OptionTable& table) : app_(&app), table_(&table) {}

  /// Adds a command. `footer`: last lines of its --help, an example.
  Command add_command(const std::string& name, const std::string& description,
                      const std::string& footer) const;
  /// Adds a command with subcommands, one of which must be given.
  Command add_group(const std::string& name, const std::string& description,
                    const std::string& footer) const;
  /// Lists the command under `heading` in --help.
  void list_under(const std::string& heading) const;
  /// Sets the function to run once all options of the command have been read.
  void callback(std::function<void()> run) const;

  /// Adds an option that is stored in `value`, which must outlive the program. A name without
  /// dashes adds an argument. command.cpp lists the types of values.
  template <class Value>
  Option add_option(const std::string& name, Value& value, const std::string& description) const;
  /// Adds an option whose value is one of `words`.
  template <class Choice>
  Option add_choice(const std::string& name, Choice& value, const Words<Choice>& words,
                    const std::string& description) const;
  /// As above; without the option, `value` stays empty.
  template <class Choice>
  Option add_choice(const std::string& name, std::optional<Choice>& value,
                    const Words<Choice>& words, const std::string& description) const;
  Option add_flag(const std::string& name, bool& value, const std::string& description) const;
  Option add_flag(const std::string& name, std::function<void()> on_set,
                  const std::string& description) const;

  /// The option or argument of this name, which must exist.
  Option option(const std::string& name) const;
  std::string name() const;
  std::vector<Command> commands() const;

  /// Sets options and arguments from `values` and runs the command, for another program. `values`:
  /// an object whose keys are names as Python spells them ("at_xy"). null and false omit an option;
  /// an option of type text also accepts a number or a list ("1,2"). Errors: InputError for a value
  /// of the wrong type; those of the command.
  void run(const nlohmann::json& values) const;

 private:
  using Numbers = std::vector<std::pair<std::string, int>>;
  Option add_numbered_choice(const std::string& name, const Numbers& words,
                             std::function<void(int)> take, const std::string& description) const;
  template <class Choice>
  static Numbers numbered(const Words<Choice>& words);

  CLI::App* app_;
  OptionTable* table_;
};

/// The program with all its commands.
class Program : public Command {
 public:
  Program(const std::string& name, const std::string& description, const std::string& version);

  /// Reads a command line and runs the command that it names. Returns the text to print for --help
  /// or --version, else "". Errors: InputError for an invalid line; those of the command.
  std::string parse(int argc, const char* const* argv) const;

 private:
  Program(std::shared_ptr<CLI::App> app, std::shared_ptr<OptionTable> table);

  std::shared_ptr<CLI::App> app_;
  std::shared_ptr<OptionTable> table_;
};

template <class Choice>
Command::Numbers Command::numbered(const Words<Choice>& words) {
  Numbers numbers;
  for (const auto& [word, choice] : words) numbers.emplace_back(word, static_cast<int>(choice));
  return numbers;
}

template <class Choice>
Option Command::add_choice(const std::string& name, Choice& value, const Words<Choice>& words,
                           const std::string& description) const {
  const Option option = add_numbered_choice(
      name, numbered(words), [&value](int n) { value = static_cast<Choice>(n); }, description);
  for (const auto& [word, choice] : words) {
    if (choice == value) option.show_default(word);
  }
  return option;
}

template <class Choice>
Option Command::add_choice(const std::string& name, std::optional<Choice>& value,
                           const Words<Choice>& words, const std::string& description) const {
  return add_numbered_choice(
      name, numbered(words), [&value](int n) { value = static_cast<Choice>(n); }, description);
}

}  // namespace tidewise
