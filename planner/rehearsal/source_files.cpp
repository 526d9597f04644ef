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
  // A component that has a file of its own keeps it, where it is among them.
  const auto has_own = [&](std::string& name) {
    const ingest::ComponentName component = ingest::parse_component("", name);
    if (!component.file) return false;
    const auto found = std::find_if(files.begin(), files.end(), [&](const fs::path& file) {
      return file.filename() == component.file->filename();
    });
    name = found == files.end() ? component.name : found->string() + ":" + component.name;
    return found != files.end();
  };
  const bool u = has_own(import.names.u);
  const bool v = has_own(import.names.v);
  // In the import's order, which numbers members and decides what is taken of repeated times.
  const auto place = [&](const fs::path& file) {
    return std::find_if(import.files.begin(), import.files.end(),
                        [&](const fs::path& own) { return own.filename() == file.filename(); }) -
           import.files.begin();
  };
  std::vector<fs::path> ordered = u && v ? std::vector<fs::path>{} : files;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [&](const fs::path& a, const fs::path& b) { return place(a) < place(b); });
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
    const auto given = std::find_if(files.begin(), files.end(),
                                    [&](const fs::path& file) { return file.filename() == name; });
    fs::path found = given != files.end() ? *given : files.front().parent_path() / name;
    std::error_code ignored;
    if (!fs::exists(found, ignored)) found = name;
    if (!fs::exists(found, ignored)) continue;
    import.dives.bathymetry = found.string() + configured.substr(end);
    const bool has_velocity =
        std::find(velocities.begin(), velocities.end(), name) != velocities.end();
    if (given != files.end() && !has_velocity) files.erase(given);
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
