#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tidewise {

class OpenFolder;

/// A lock on a file (flock). The system releases it when the process ends for any reason. All
/// processes of the machine see it, also from containers, and over NFS those of other machines,
/// unless the file system is mounted with local_lock.
class FileLock {
 public:
  /// Takes the lock, and creates the file if it is missing. nullopt if another process holds it or
  /// has just removed the file. Errors: std::filesystem::filesystem_error if it cannot be opened or
  /// the file system has no locks; InputError if the name belongs to something other than a lock
  /// file of this program (a link, a folder, a user's file), which is left unchanged.
  static std::optional<FileLock> take(const std::filesystem::path& path);
  /// Takes the lock `name` in an open folder.
  static std::optional<FileLock> take(const OpenFolder& folder, const std::string& name);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// Writes the holder into the file, for holder_of(). False if the disk is full; the lock holds
  /// all the same.
  bool sign() const;
  /// True if a holder has signed the file, this one or an earlier one.
  bool is_signed() const;
  /// The same lock through a further descriptor; it is held until both are closed. Errors:
  /// std::filesystem::filesystem_error, for example if too many files are open.
  FileLock share() const;

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  static std::optional<FileLock> take_at(int folder, const std::string& name,
                                         const std::filesystem::path& path);

  int descriptor_ = -1;
};

/// The holder of the lock, as it signed: "process 1234 on HOST"; "another process" if the file is
/// not signed.
std::string holder_of(const std::filesystem::path& lock);

}  // namespace tidewise
