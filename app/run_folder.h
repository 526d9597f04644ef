#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tidewise {

/// A folder that a run's files enter whole and together. They are written in staging(), a hidden
/// folder in it, and commit() moves them to their places. Without commit() everything that was
/// made, folders included, is removed, and an earlier run in the folder stays as it was. What a
/// process that was killed left there is cleared by the next run.
class RunFolder {
 public:
  /// Refuses a path that cannot become or be a folder to write in, and makes nothing.
  /// Errors: InputError.
  static void judge(const std::filesystem::path& path);

  /// Clears the staging folders of processes that are no more, as the constructor does, where there
  /// is such a folder. Errors: InputError.
  static void clear_stale(const std::filesystem::path& path);

  /// Makes the folder where it is missing, and clears the staging folders of processes that are no
  /// more; a run that one of them was about to replace comes back. Errors: InputError.
  explicit RunFolder(const std::filesystem::path& path);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& staging() const { return staging_; }
  /// Moves the files of staging() into the folder, summary.json last, in place of those of an
  /// earlier run. Errors: RunError; the earlier run is then as it was.
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path staging_;
  std::vector<std::filesystem::path> made_;  ///< folders that did not exist before, outermost first
  enum class State { open, committed, torn } state_ = State::open;
};

}  // namespace tidewise
