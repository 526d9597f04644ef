#include "planner/rehearsal/source_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "env/import/source_description.h"
#include "planner/error/codes.h"

namespace tidewise::rehearsal {

namespace fs = std::filesystem;

ingest::ImportOptions with_files(ingest::ImportOptions import, const std::vector<fs::path>& files) {
  // A component with a separate file keeps it if the file is among `files`.
  const auto has_separate_file = [&](std::string& name) {
    const ingest::ComponentName component = ingest::parse_component("", name);
    if (!component.file) return false;
    const auto match = std::find_if(files.begin(), files.end(), [&](const fs::path& file) {
      return file.filename() == component.file->filename();
    });
    name = match == files.end() ? component.name : match->string() + ":" + component.name;
    return match != files.end();
  };
  const bool u = has_separate_file(import.names.u);
  const bool v = has_separate_file(import.names.v);
  // Keeps the order of the import, which numbers members and selects among repeated times.
  const auto import_order = [&](const fs::path& file) {
    return std::find_if(import.files.begin(), import.files.end(),
                        [&](const fs::path& import_file) {
                          return import_file.filename() == file.filename();
                        }) -
           import.files.begin();
  };
  std::vector<fs::path> ordered = u && v ? std::vector<fs::path>{} : files;
  std::stable_sort(ordered.begin(), ordered.end(), [&](const fs::path& a, const fs::path& b) {
    return import_order(a) < import_order(b);
  });
  import.files = std::move(ordered);
  return import;
}

void take_bathymetry(ingest::ImportOptions& import, std::vector<fs::path>& files) {
  const std::string configured = import.dives.bathymetry.string();
  if (configured.empty() || files.empty()) return;
  const auto velocities = names_of(ingest::velocity_files(import));
  // The name itself may hold a colon.
  for (const std::size_t end :
       {configured.size(), std::min(configured.rfind(':'), configured.size())}) {
    const std::string name = configured.substr(0, end);
    const auto match = std::find_if(files.begin(), files.end(),
                                    [&](const fs::path& file) { return file.filename() == name; });
    fs::path bathymetry = match != files.end() ? *match : files.front().parent_path() / name;
    std::error_code ignored;
    if (!fs::exists(bathymetry, ignored)) bathymetry = name;
    if (!fs::exists(bathymetry, ignored)) continue;
    import.dives.bathymetry = bathymetry.string() + configured.substr(end);
    const bool has_velocity =
        std::find(velocities.begin(), velocities.end(), name) != velocities.end();
    if (match != files.end() && !has_velocity) files.erase(match);
    return;
  }
  throw input_error(errors::rehearsal_bathymetry_missing, configured, files.front().string());
}

std::vector<std::string> names_of(const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const auto& file : files) names.push_back(file.filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string list_files(const std::vector<fs::path>& files) {
  const auto names = names_of(files);
  if (names.size() <= 3) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} … {} ({} files)", names.front(), names.back(), names.size());
}

}  // namespace tidewise::rehearsal
