#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "planner/mission/read/toml_document.h"

namespace tidewise {

/// Options of a command that stand for keys of its mission: text, which is read as a mission's. It
/// must outlive the command that it adds them to.
class MissionOptions {
 public:
  /// Form of the text in TOML: as typed, as a string, or as a list if it holds numbers with commas
  /// between them.
  enum class Form { typed, text, list };

  /// Adds --set KEY=VALUE, which may be repeated, and which the others prevail over.
  void add_set(Command command);
  Option add(Command command, const std::string& option, const std::string& key,
             const std::string& description, Form form = Form::typed);
  /// Adds --backend, --devices, --device-memory and --threads.
  void add_backend(Command command);

  /// Gives an option that it has this text, as if it had been typed.
  void give(const std::string& option, const std::string& text);
  /// The settings that those which were given stand for.
  std::vector<Setting> settings() const;
  /// The setting that an option stands for, and from now on no longer; nothing if it was not
  /// given.
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
