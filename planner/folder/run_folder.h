#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file/locked_folder.h"

namespace tidewise {

/// The files of a run in the order of their appearance: if a summary exists, so do the others.
inline constexpr std::array<const char*, 5> run_files{
    "policy.h5", "trajectories.nc", "comparison.json", "surfacing.geojson", "summary.json"};
/// The run's own forecast. It replaces no file, because another run may have been planned on that.
inline constexpr const char* own_forecast = "posterior.h5";

/// The folder of a run, in which all files appear together. They are written in staging(), a hidden
/// folder in it, and commit() moves them. Without commit(), all new files and folders are removed,
/// and an earlier run in the folder stays as it was. Only one process uses the folder at a time;
/// the next run removes the remains of a killed process. The file posterior.h5, the run's own
/// forecast, does not replace an existing one, and is not removed with the run. Files in the folder
/// `export` are moved last, one by one, and replace no file. Exports of the earlier run are removed
/// with it (find_exports()).
class RunFolder {
 public:
  /// Refuses a path that cannot become or be a folder to write in, and makes nothing.
  /// Errors: InputError.
  static void validate(const std::filesystem::path& path);

  /// Clears the remains of a killed process, as the constructor does. Files that another process is
  /// writing, or that cannot be cleared, stay.
  static void clear_stale(const std::filesystem::path& path);

  /// Returns PREFIXn with the smallest n ≥ 1 for which nothing exists.
  static std::filesystem::path first_free(const std::filesystem::path& prefix);

  /// Makes a new folder in an existing one. Returns null if `path` exists. Errors: InputError.
  static std::unique_ptr<RunFolder> make_new(const std::filesystem::path& path);

  /// Makes the folder if it is missing, and clears the remains of a killed process; a run that this
  /// process was replacing is moved back. Errors: InputError, also if another process is writing a
  /// run there.
  explicit RunFolder(const std::filesystem::path& path);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& staging() const { return staging_->path(); }
  /// Moves the files of staging() into the folder, summary.json last, in place of those of an
  /// earlier run. Errors: RunError, also if a posterior.h5 would replace an existing one; the
  /// earlier run is then unchanged.
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
