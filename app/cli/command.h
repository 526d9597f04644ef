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
  /// Shows in --help what its variable holds now, or `text`, as the default.
  Option show_default() const;
  Option show_default(const std::string& text) const;
  /// Refuses it together with the other one.
  Option excludes(Option other) const;
  /// Refuses all but these words.
  Option one_of(const std::vector<std::string>& words) const;
  /// Refuses a value for which `complaint` returns a text.
  Option check(std::function<std::string(const std::string&)> complaint) const;
  /// For a list: splits a value at commas.
  Option comma_separated() const;
  /// For a list: one value for each time that the option is given.
  Option one_at_a_time() const;

  bool given() const;

 private:
  CLI::Option* option_;
  OptionTable* table_;
};

/// The words of a choice and what they stand for, in the order in which --help lists them.
template <class Choice>
using Words = std::vector<std::pair<std::string, Choice>>;

/// Accepts the names of all of an enum's values.
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

  /// `footer` ends its --help: an example.
  Command add_command(const std::string& name, const std::string& description,
                      const std::string& footer) const;
  /// Adds a command that has commands, of which one must be given.
  Command add_group(const std::string& name, const std::string& description,
                    const std::string& footer) const;
  /// Lists it in --help under that heading.
  void list_under(const std::string& heading) const;
  /// Function to run once all options of the command have been read.
  void callback(std::function<void()> run) const;

  /// An option that is kept in `value`, which must outlive the program; or, without dashes in front
  /// of its name, an argument. Values are the types that command.cpp lists.
  template <class Value>
  Option add_option(const std::string& name, Value& value, const std::string& description) const;
  /// An option that takes a word for each value there is.
  template <class Choice>
  Option add_choice(const std::string& name, Choice& value, const Words<Choice>& words,
                    const std::string& description) const;
  /// The same with an empty choice, as the value was before.
  template <class Choice>
  Option add_choice(const std::string& name, std::optional<Choice>& value,
                    const Words<Choice>& words, const std::string& description) const;
  Option add_flag(const std::string& name, bool& value, const std::string& description) const;
  Option add_flag(const std::string& name, std::function<void()> given,
                  const std::string& description) const;

  /// An option that it has.
  Option option(const std::string& name) const;
  std::string name() const;
  std::vector<Command> commands() const;

  /// Stores values in the variables of its options and arguments, and runs it: another program's
  /// call. `values`: an object by names as Python spells them ("at_xy"); null and false leave an
  /// option out, and a text takes a number or a list too ("1,2"). Errors: InputError for a value of
  /// another kind; those of the command.
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

/// A command line's commands.
class Program : public Command {
 public:
  Program(const std::string& name, const std::string& description, const std::string& version);

  /// Reads a command line and runs the command that it names. Returns the text that was asked for
  /// in its place: a help, the version. Errors: InputError for a line that cannot be understood;
  /// those of the command.
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
