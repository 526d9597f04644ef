#pragma once

#include <filesystem>
#include <optional>

#include "base/file/lock.h"

namespace tidewise {

/// A folder in which one process makes something, held by a lock in it: what is in a folder that
/// nobody holds was left by a process that was killed. On a file system without locks a folder is
/// held by whoever made it, and nobody can tell whether that process still works.
class LockedFolder {
 public:
  /// Makes the folder, or takes one over that nobody holds, with what is in it. Nothing where
  /// another process holds it. Errors: std::filesystem::filesystem_error, also where a folder is
  /// there and the file system has no locks.
  static std::optional<LockedFolder> take(const std::filesystem::path& path);

  LockedFolder(LockedFolder&& other) noexcept;
  LockedFolder& operator=(LockedFolder&&) = delete;
  /// Removes it with all that is in it, unless it was left.
  ~LockedFolder();

  const std::filesystem::path& path() const { return path_; }
  /// Whether a process that has ended left it.
  bool was_left() const { return was_left_; }
  /// Removes what is in it. Errors: std::filesystem::filesystem_error.
  void clear() const;
  /// Leaves the folder, and what is in it, where it is.
  void leave() { leaves_ = true; }

  /// Where the lock is in such a folder.
  static std::filesystem::path lock_of(const std::filesystem::path& folder);

 private:
  LockedFolder(std::filesystem::path path, bool was_left, std::optional<FileLock> lock,
               std::optional<FileLock> spare);

  std::filesystem::path path_;
  bool was_left_;
  bool leaves_ = false;
  std::optional<FileLock> lock_;
  /// A descriptor kept to look into the folder with, at the end, when all others may be in use.
  std::optional<FileLock> spare_;
};

}  // namespace tidewise
