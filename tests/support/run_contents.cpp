#include "support/run_contents.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/hdf5/file.h"

namespace tidewise::test {
namespace fs = std::filesystem;

namespace {

std::string as_bytes(const std::vector<double>& values) {
  std::string bytes(values.size() * sizeof(double), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// A mission's text without the folder of its run.
std::string without_directory(const std::string& mission) {
  std::istringstream lines(mission);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("directory = ")) text += line + "\n";
  }
  return text;
}

void add_file(const fs::path& path, const std::string& name, Contents& contents) {
  if (!fs::exists(path)) return;
  const Hdf5File file = Hdf5File::open(path);
  for (const auto& variable : file.variables()) {
    contents[name + ":" + variable] = as_bytes(file.read_all<double>(variable));
    for (const char* attribute : {"units", "long_name", "coordinates", "standard_name"}) {
      const auto text = file.text_attribute(variable, attribute);
      contents[name + ":" + variable + "@" + attribute] = text.value_or("none");
    }
  }
  for (const char* attribute : {"Conventions", "title", "source", "projection", "rollout_mode"}) {
    contents[name + "@" + attribute] = file.text_attribute("/", attribute).value_or("none");
  }
  contents[name + "@mission"] =
      without_directory(file.text_attribute("/", "mission").value_or("none"));
}

}  // namespace

Contents contents_of_run(const fs::path& run) {
  Contents contents;
  add_file(run / "policy.h5", "policy.h5", contents);
  add_file(run / "trajectories.nc", "trajectories.nc", contents);
  auto summary = nlohmann::json::parse(std::ifstream(run / "summary.json"));
  for (const char* key : {"seconds", "peak_memory_bytes", "peak_device_memory_bytes", "batch"}) {
    summary.erase(key);
  }
  summary["mission"].erase("output");
  for (const auto& [key, value] : summary.items()) contents["summary.json:" + key] = value.dump();
  return contents;
}

Contents contents_of_table(const fs::path& batch) {
  Contents contents;
  const Hdf5File file = Hdf5File::open(batch / "batch.nc");
  constexpr std::array texts{"name",      "directory", "message", "environment", "uncertainty",
                             "objective", "speeds",    "engine",  "device",      "warnings"};
  for (const auto& variable : file.variables()) {
    const bool is_timing = variable.starts_with("seconds_") || variable.starts_with("pass_");
    if (is_timing) continue;
    if (std::find(texts.begin(), texts.end(), variable) == texts.end()) {
      contents[variable] = as_bytes(file.read_all<double>(variable));
      continue;
    }
    for (const auto& text : file.read_texts(variable)) contents[variable] += text + "\n";
  }
  return contents;
}

Contents contents_of_batch(const fs::path& batch) {
  Contents contents;
  for (const auto& entry : fs::directory_iterator(batch)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory()) {
      contents["/" + name] = "";
      continue;
    }
    for (const auto& file : fs::directory_iterator(entry.path())) {
      contents["/" + name + "/" + file.path().filename().string()] = "";
    }
    for (auto& [key, value] : contents_of_run(entry.path())) {
      contents[name + "/" + key] = value;
    }
  }
  for (auto& [key, value] : contents_of_table(batch)) contents["batch.nc:" + key] = value;
  return contents;
}

std::vector<std::string> differences(const Contents& a, const Contents& b) {
  std::vector<std::string> names;
  for (const auto& [key, value] : a) {
    const auto other = b.find(key);
    if (other == b.end() || other->second != value) names.push_back(key);
  }
  for (const auto& [key, value] : b) {
    if (a.count(key) == 0) names.push_back(key);
  }
  return names;
}

}  // namespace tidewise::test
