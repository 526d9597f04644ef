#include "app/cli/mission_options.h"

#include "app/cli/common_options.h"

namespace tidewise {
namespace {

using Form = MissionOptions::Form;

std::string as_toml(const std::string& text, Form form) {
  if (form == Form::typed) return text;
  const bool list =
      form == Form::list && text.find_first_not_of("0123456789, ") == std::string::npos;
  return list ? "[" + text + "]" : quote_toml(text);
}

}  // namespace

void MissionOptions::add_set(Command command) { add_settings_option(command, set_); }

Option MissionOptions::add(Command command, const std::string& option, const std::string& key,
                           const std::string& description, Form form) {
  options_.push_back({option, key, form});
  return command.add_option(option, options_.back().text, description);
}

void MissionOptions::add_backend(Command command) {
  add(command, "--backend", "planner.backend", "auto, cpu or cuda (planner.backend)");
  add(command, "--devices", "planner.devices",
      "The GPU, or several that share a mission: numbers from 0 on, or all (planner.devices)",
      Form::list)
      .type_name("all|N[,N]");
  add(command, "--device-memory", "planner.device_memory",
      "Maximum GPU memory, e.g. 512MiB or 8GB; default: 90 % of the free memory "
      "(planner.device_memory)",
      Form::text)
      .type_name("SIZE");
  add(command, "--threads", "planner.threads", "CPU threads (planner.threads); default: all cores");
}

Setting MissionOptions::KeyOption::setting() const {
  return {key + "=" + as_toml(text, form), option + " " + text};
}

void MissionOptions::give(const std::string& option, const std::string& text) {
  for (KeyOption& entry : options_) {
    if (entry.option == option) entry.text = text;
  }
}

std::vector<Setting> MissionOptions::settings() const {
  std::vector<Setting> settings(set_.begin(), set_.end());
  for (const KeyOption& option : options_) {
    if (option.text.empty()) continue;
    settings.push_back(option.setting());
  }
  return settings;
}

std::optional<Setting> MissionOptions::take(const std::string& option) {
  for (KeyOption& entry : options_) {
    if (entry.option != option || entry.text.empty()) continue;
    Setting setting = entry.setting();
    entry.text.clear();
    return setting;
  }
  return {};
}

}  // namespace tidewise
