#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

#include "app/batch/file/part.h"
#include "base/file/lock.h"

namespace tidewise {

/// The earlier contents of a folder that are accepted: none, only those of the same batch (as its
/// parts need, in any order), or any.
enum class Resumption { refused, same_batch, asked };

/// True if a batch has begun in a folder.
bool holds_batch(const std::filesystem::path& path);

/// Waits for a lock on a file; nullopt after the given time. Errors: InputError if the file system
/// has no locks; RunError when the user interrupts.
std::optional<FileLock> wait_for_lock(const std::filesystem::path& path,
                                      std::chrono::milliseconds patience);

/// The folder of a batch. Locks on files in it, which the system releases when a process ends,
/// reserve it for this process, or for several processes that each compute a part.
class BatchFolder {
 public:
  /// Creates the folder if it is missing and takes the lock. Waits until a process with the same
  /// part has ended. Errors: InputError if another process uses the folder, or a part of a
  /// different division; if it holds a batch and `resumption` does not allow that; if it cannot be
  /// created or written to. RunError when the user interrupts.
  BatchFolder(const std::filesystem::path& path, Resumption resumption,
              const std::optional<BatchPart>& part = {});
  BatchFolder(const BatchFolder&) = delete;
  BatchFolder& operator=(const BatchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Appends a line to batch.log: the time, the subject and the event. Failures to write the log
  /// are ignored.
  void log(std::string_view subject, std::string_view text) const;

 private:
  void take_whole();
  void take_part(const BatchPart& part);
  /// Errors: InputError if a process computes a part, except for parts of a division into
  /// `allowed_count`.
  void refuse_parts(std::size_t allowed_count) const;

  std::filesystem::path path_;
  std::optional<FileLock> lock_;  // lock of the batch or of a part
};

}  // namespace tidewise
