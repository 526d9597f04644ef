#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tidewise {

class OpenFolder;

/// A lock on a file (flock), which the system releases when the process ends, however it ends. All
/// processes of the machine see it, in whatever container they run, and over NFS those of other
/// machines, unless the file system is mounted with local_lock.
class FileLock {
 public:
  /// Makes the file where it is missing. nullopt where another process holds it, or has just
  /// removed the file. Errors: std::filesystem::filesystem_error where it cannot be opened or the
  /// file system has no locks; InputError where the name is taken by something else than a lock
  /// file of this program (a link, a folder, a file of the user's), which stays as it is.
  static std::optional<FileLock> take(const std::filesystem::path& path);
  /// The lock `name` in an open folder.
  static std::optional<FileLock> take(const OpenFolder& folder, const std::string& name);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// Writes the holder into the file, for holder_of(). False where the disk takes no more; the lock
  /// holds then, too.
  bool sign() const;
  /// True where a holder has signed the file, this one or an earlier one.
  bool is_signed() const;
  /// The same lock by a further descriptor: it holds until both are gone. Errors:
  /// std::filesystem::filesystem_error, as where too many files are open.
  FileLock share() const;

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  static std::optional<FileLock> take_at(int folder, const std::string& name,
                                         const std::filesystem::path& path);

  int descriptor_ = -1;
};

/// The holder of the lock, as it signed: "process 1234 on HOST". "another process" where the file
/// is not signed.
std::string holder_of(const std::filesystem::path& lock);

}  // namespace tidewise
