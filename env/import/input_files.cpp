#include "env/import/input_files.h"

#include <string>

namespace tidewise::ingest {

std::vector<std::filesystem::path> input_files(const ImportOptions& options) {
  std::vector<std::filesystem::path> files = options.files;
  const auto add_before_colon = [&](const std::string& text) {
    const auto colon = text.rfind(':');
    if (colon != std::string::npos) files.emplace_back(text.substr(0, colon));
  };
  add_before_colon(options.names.u);
  add_before_colon(options.names.v);
  add_before_colon(options.scalar);
  files.insert(files.end(), options.past.begin(), options.past.end());
  if (options.reads_error_model()) files.emplace_back(options.forecast_error);
  if (options.obstacles) files.push_back(*options.obstacles);
  const std::filesystem::path& bathymetry = options.dives.bathymetry;
  if (!bathymetry.empty()) {
    files.push_back(bathymetry);  // FILE, with or without a colon in its name
    add_before_colon(bathymetry.string());
  }
  for (const Profile& profile : options.dives.profiles) {
    if (!profile.file.empty()) files.push_back(profile.file);
  }
  return files;
}

}  // namespace tidewise::ingest
