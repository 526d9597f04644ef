#include "app/cli/backend_options.h"

#include <fmt/core.h>

namespace tidewise {

void add_backend_options(Command command, BackendOptions& options) {
  command.add_option("--backend", options.backend, "auto, cpu or cuda (planner.backend)");
  command.add_option("--device", options.device, "Which GPU, from 0 on (planner.device)")
      .type_name("N");
  command
      .add_option("--devices", options.devices,
                  "GPUs that share a mission: all, or numbers with commas between them "
                  "(planner.devices)")
      .type_name("all|N,N");
  command
      .add_option("--device-memory", options.device_memory,
                  "The most to take of the GPU's memory, e.g. 512MiB or 8GB; 90 % of what is free "
                  "if not given (planner.device_memory)")
      .type_name("SIZE");
  command.add_option("--threads", options.threads,
                     "Threads of the processor (planner.threads); all cores if not given");
}

namespace {

/// As TOML: numbers with commas between them are a list.
std::string devices_as_toml(const std::string& text) {
  const bool list = text.find_first_not_of("0123456789, ") == std::string::npos;
  return list ? "[" + text + "]" : quote_toml(text);
}

}  // namespace

void stand_for(const std::string& option, const std::string& key, const std::string& value,
               std::vector<Setting>& settings) {
  if (value.empty()) return;
  settings.emplace_back(fmt::format("{}={}", key, value), fmt::format("{} {}", option, value));
}

void add_settings(const BackendOptions& options, std::vector<Setting>& settings) {
  stand_for("--backend", "planner.backend", options.backend, settings);
  stand_for("--device", "planner.device", options.device, settings);
  if (!options.devices.empty()) {
    settings.emplace_back("planner.devices=" + devices_as_toml(options.devices),
                          "--devices " + options.devices);
  } else if (!options.device.empty()) {
    settings.emplace_back("planner.devices=[]", "--device " + options.device);
  }
  if (!options.device_memory.empty()) {
    settings.emplace_back("planner.device_memory=" + quote_toml(options.device_memory),
                          "--device-memory " + options.device_memory);
  }
  stand_for("--threads", "planner.threads", options.threads, settings);
}

}  // namespace tidewise
