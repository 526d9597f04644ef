#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "planner/mission/read/toml_document.h"

namespace tidewise {

/// Options of a command that set keys of its mission; their text is read like that of a mission
/// file. The object must outlive the command.
class MissionOptions {
 public:
  /// Form of the text in TOML: as typed, as a string, or as a list if it holds numbers with commas
  /// between them.
  enum class Form { typed, text, list };

  /// Adds --set KEY=VALUE, which may be repeated. The other options override it.
  void add_set(Command command);
  /// Adds an option that sets `key`.
  Option add(Command command, const std::string& option, const std::string& key,
             const std::string& description, Form form = Form::typed);
  /// Adds --backend, --devices, --device-memory and --threads.
  void add_backend(Command command);

  /// Sets the text of an option, as if it had been typed.
  void give(const std::string& option, const std::string& text);
  /// The settings of all options that were given.
  std::vector<Setting> settings() const;
  /// Removes the setting of an option and returns it; nullopt if the option was not given.
  std::optional<Setting> take(const std::string& option);

 private:
  struct KeyOption {
    std::string option;
    std::string key;
    Form form;
    std::string text = {};

    Setting setting() const;
  };
  std::vector<std::string> set_;
  std::deque<KeyOption> options_;
};

}  // namespace tidewise
