#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/file/lock.h"
#include "base/file/open_folder.h"

namespace tidewise {

/// A folder that one process fills. A lock file in it, signed before anything else is made there,
/// shows which process holds the folder and that this program made it: a folder with a signed lock
/// that no process holds is the leftover of a killed process. On a file system without locks the
/// process that made the folder holds it, and leftovers stay.
class LockedFolder {
 public:
  /// Makes a new folder, for the user of this process only. nullopt if the name exists, or another
  /// process took the new folder first. Errors: std::filesystem::filesystem_error.
  static std::optional<LockedFolder> make(const std::filesystem::path& path);

  /// Makes the folder, or takes over the leftover of a killed process with everything in it.
  /// nullopt if another process holds it. Errors: InputError if the name belongs to something that
  /// this program did not provably make (a link, a file, another user's folder, a non-empty folder
  /// without a signed lock), which is left unchanged; std::filesystem::filesystem_error, also for a
  /// leftover on a file system without locks.
  static std::optional<LockedFolder> take(const std::filesystem::path& path);

  LockedFolder(LockedFolder&& other) noexcept;
  LockedFolder& operator=(LockedFolder&&) = delete;
  /// Removes the folder with everything in it, except after leave().
  ~LockedFolder();

  const std::filesystem::path& path() const { return folder_.path(); }
  /// The open folder, for calls that must not follow a link out of it.
  const OpenFolder& folder() const { return folder_; }
  /// True if the folder is the leftover of a process that has ended.
  bool was_left() const { return was_left_; }
  /// Removes everything in it except the lock. Errors: std::filesystem::filesystem_error.
  void clear() const;
  /// Keeps the folder and everything in it when this object is destroyed.
  void leave() { is_kept_ = true; }

  /// The path of the lock file of a folder.
  static std::filesystem::path lock_of(const std::filesystem::path& folder);

 private:
  LockedFolder(OpenFolder folder, bool was_left, std::optional<FileLock> lock,
               std::optional<FileLock> spare);
  static std::optional<LockedFolder> lock(OpenFolder folder, bool is_new);

  OpenFolder folder_;
  bool was_left_;
  bool is_kept_ = false;
  std::optional<FileLock> lock_;
  /// Reserved for reading the folder in the destructor, when all other descriptors may be in use.
  std::optional<FileLock> spare_;
};

}  // namespace tidewise
