#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/mission/toml_document.h"

namespace tidewise {

/// The options that say what a command computes on; empty where they were not given.
struct BackendOptions {
  std::string backend;
  std::string device;
  std::string devices;
  std::string device_memory;
  std::string threads;
};

/// Adds --backend, --device, --devices, --device-memory and --threads to a command.
void add_backend_options(Command command, BackendOptions& options);

/// The settings that they stand for, behind those that are there.
void add_settings(const BackendOptions& options, std::vector<Setting>& settings);

/// One option that stands for a key of the mission, where it was given.
void stand_for(const std::string& option, const std::string& key, const std::string& value,
               std::vector<Setting>& settings);

}  // namespace tidewise
