#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file/locked_folder.h"

namespace tidewise {

/// The files of a run, in the order in which they may appear: where a summary is, the rest is.
inline constexpr std::array<const char*, 5> run_files{
    "policy.h5", "trajectories.nc", "comparison.json", "surfacing.geojson", "summary.json"};
/// A forecast of the run's own. It replaces none: another run may have been planned on that.
inline constexpr const char* own_forecast = "posterior.h5";

/// A folder that a run's files enter whole and together. They are written in staging(), a hidden
/// folder in it, and commit() moves them to their places. Without commit() everything that was
/// made, folders included, is removed, and an earlier run in the folder stays as it was. Only
/// one process uses the folder at a time; the next run removes the remains of a killed process. The
/// file posterior.h5, the run's own forecast, does not replace an existing one, and is not removed
/// with the run. Files in the folder `export` are moved one by one, last, and replace none. Exports
/// of the earlier run are removed with it (find_exports()).
class RunFolder {
 public:
  /// Refuses a path that cannot become or be a folder to write in, and makes nothing.
  /// Errors: InputError.
  static void validate(const std::filesystem::path& path);

  /// Clears what a process that was killed left, as the constructor does; what another process is
  /// writing, or what cannot be cleared, stays.
  static void clear_stale(const std::filesystem::path& path);

  /// PREFIX1, or with the first number after it that is not taken.
  static std::filesystem::path first_free(const std::filesystem::path& prefix);

  /// A folder that was not there before, in one that is; null if it is there already. Errors:
  /// InputError.
  static std::unique_ptr<RunFolder> make_new(const std::filesystem::path& path);

  /// Makes the folder where it is missing, and clears what a process that was killed left; a run
  /// that it was about to replace comes back. Errors: InputError, also where another process is
  /// writing a run there.
  explicit RunFolder(const std::filesystem::path& path);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& staging() const { return staging_->path(); }
  /// Moves the files of staging() into the folder, summary.json last, in place of those of an
  /// earlier run. Errors: RunError, also where there is a posterior.h5 and one is to enter; the
  /// earlier run is then as it was.
  void commit();

 private:
  void remove_made() const;

  std::filesystem::path path_;
  std::vector<std::filesystem::path> made_;  ///< folders that did not exist before, outermost first
  std::optional<OpenFolder> folder_;
  std::optional<LockedFolder> staging_;
  enum class State { open, committed, torn } state_ = State::open;
};

}  // namespace tidewise
