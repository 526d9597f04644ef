#include "planner/folder/exports.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file/file_kind.h"
#include "base/hdf5/file_kind.h"
#include "output/route/format.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

bool has_content(const FileKind& kind, const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::symlink_status(file, ignored))) return false;
  try {
    return kind.fits(file);
  } catch (const InputError&) {
    return false;
  } catch (const RunError&) {
    return false;
  }
}

/// Returns "goto_l.ma" for "goto_l12.ma", because the user chooses the number of a list.
std::string without_list(const std::string& name) {
  constexpr std::string_view stem = "goto_l";
  constexpr std::string_view ending = ".ma";
  if (!name.starts_with(stem) || !name.ends_with(ending)) return name;
  const auto end = name.find_first_not_of("0123456789", stem.size());
  return end + ending.size() == name.size() ? std::string(stem) + std::string(ending) : name;
}

/// Names and contents that `tidewise export` gives the files of a run of this name.
std::vector<std::pair<std::string, FileKind>> kinds_of_exports(const std::string& run) {
  std::vector<std::pair<std::string, FileKind>> kinds{
      {"policy.twp", kind_beginning_with("policy on board", "TWPOLICY")}};
  for (const RouteFormat& format : route_formats()) {
    const std::string name = without_list(default_file_name(format, run, {}));
    kinds.emplace_back(name, text_kind("route", format.marks));
    if (format.parameters == nullptr) continue;
    kinds.emplace_back(name + ".param", text_kind("parameter file", {"WP_RADIUS"}));
  }
  return kinds;
}

}  // namespace

ExportsOfRun find_exports(const fs::path& folder) {
  ExportsOfRun exports;
  std::error_code ignored;
  const auto kinds = kinds_of_exports(folder.filename().string());
  const auto is_ours = [&](const fs::path& file) {
    const std::string name = without_list(file.filename().string());
    return std::any_of(kinds.begin(), kinds.end(), [&](const auto& kind) {
      return kind.first == name && has_content(kind.second, file);
    });
  };
  if (fs::is_directory(fs::symlink_status(folder / exports_folder, ignored))) {
    for (const auto& entry : fs::directory_iterator(folder / exports_folder, ignored)) {
      const fs::path name = fs::path(exports_folder) / entry.path().filename();
      (is_ours(entry.path()) ? exports.ours : exports.others).push_back(name);
    }
  }
  const std::array<std::pair<const char*, FileKind>, 4> results{
      {{"reach.nc", hdf5_kind_by_variable("file of 'tidewise reach'", "arrival_probability")},
       {"refined.h5", hdf5_kind("refined policy", "tidewise_refined_policy")},
       {"rehearsal.geojson",
        text_kind("map of a rehearsal", {"{\"type\":\"FeatureCollection\",\n\"features\":[\n"})},
       {"view.html", text_kind("page of a run", {"Content-Security-Policy"})}}};
  for (const auto& [name, kind] : results) {
    if (has_content(kind, folder / name)) exports.ours.emplace_back(name);
  }
  std::sort(exports.ours.begin(), exports.ours.end());
  std::sort(exports.others.begin(), exports.others.end());
  return exports;
}

}  // namespace tidewise
