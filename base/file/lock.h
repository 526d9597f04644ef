#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tidewise {

/// A lock on a file (flock), which the system takes away with the process, however that ends. Who
/// holds it is known to all processes of the machine, whatever container they run in, and over NFS
/// to those of other machines, unless it is mounted with local_lock.
class FileLock {
 public:
  /// Makes the file where it is missing. Nothing where another process holds it, or just took the
  /// file away. Errors: std::filesystem::filesystem_error where it cannot be opened or the file
  /// system has no locks.
  static std::optional<FileLock> take(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// Writes into the file who holds it, for holder_of(); without it the lock holds all the same.
  void sign() const;
  /// The same lock by a further descriptor: it holds until both are gone. Errors:
  /// std::filesystem::filesystem_error, as where too many files are open.
  FileLock share() const;

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

/// Who holds the lock: "process 1234 on HOST", as that process wrote it.
std::string holder_of(const std::filesystem::path& lock);

}  // namespace tidewise
