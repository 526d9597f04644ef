#pragma once

#include <filesystem>
#include <vector>

namespace tidewise {

/// The folder in a run's folder where `tidewise export` writes without --out.
inline constexpr const char* exports_folder = "export";

/// Files that Tidewise made from a run and wrote into its folder, in addition to the run's own
/// files.
struct ExportsOfRun {
  /// Files under the names that commands give without --out, with the content that they write:
  /// routes, their parameter files and the policy on board in `export`; reach.nc, refined.h5,
  /// rehearsal.geojson, view.html. Paths relative to the folder, sorted.
  std::vector<std::filesystem::path> ours;
  /// All other files in `export`, sorted.
  std::vector<std::filesystem::path> others;
};

/// Returns the exports in a run's folder. A file that cannot be read is not one of `ours`.
ExportsOfRun find_exports(const std::filesystem::path& folder);

}  // namespace tidewise
