#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/file/lock.h"
#include "base/file/open_folder.h"

namespace tidewise {

/// A folder in which one process makes something. A lock file in it, signed before anything else is
/// made there, shows which process holds the folder and that this program made it: a folder with a
/// signed lock that no process holds was left by a process that was killed. On a file system
/// without locks the process that made the folder holds it, and folders that are left stay.
class LockedFolder {
 public:
  /// Makes a folder that was not there before, for the user of this process only. nullopt where the
  /// name is taken, or another process took the new folder first. Errors:
  /// std::filesystem::filesystem_error.
  static std::optional<LockedFolder> make(const std::filesystem::path& path);

  /// Makes the folder, or takes over one that a killed process left, with everything in it. nullopt
  /// where another process holds it. Errors: InputError where the name is taken by something that
  /// this program did not provably make (a link, a file, another user's folder, a folder without a
  /// signed lock that is not empty), which stays as it is; std::filesystem::filesystem_error, also
  /// where the folder was left and the file system has no locks.
  static std::optional<LockedFolder> take(const std::filesystem::path& path);

  LockedFolder(LockedFolder&& other) noexcept;
  LockedFolder& operator=(LockedFolder&&) = delete;
  /// Removes the folder with everything in it, except after leave().
  ~LockedFolder();

  const std::filesystem::path& path() const { return folder_.path(); }
  /// For calls that must not leave the folder by a link.
  const OpenFolder& folder() const { return folder_; }
  /// True where a process that has ended left the folder.
  bool was_left() const { return was_left_; }
  /// Removes everything in it but the lock. Errors: std::filesystem::filesystem_error.
  void clear() const;
  /// Keeps the folder, and everything in it, when this object goes.
  void leave() { leaves_ = true; }

  /// The lock file of such a folder.
  static std::filesystem::path lock_of(const std::filesystem::path& folder);

 private:
  LockedFolder(OpenFolder folder, bool was_left, std::optional<FileLock> lock,
               std::optional<FileLock> spare);
  static std::optional<LockedFolder> lock(OpenFolder folder, bool is_new);

  OpenFolder folder_;
  bool was_left_;
  bool leaves_ = false;
  std::optional<FileLock> lock_;
  /// A descriptor kept to look into the folder with, at the end, when all others may be in use.
  std::optional<FileLock> spare_;
};

}  // namespace tidewise
