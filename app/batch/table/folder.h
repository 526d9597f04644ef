#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

#include "app/batch/file/part.h"
#include "base/file/lock.h"

namespace tidewise {

/// Which earlier contents of a folder are accepted: none, only those of the same batch (as its
/// parts need, in any order), or any.
enum class Resumption { refused, same_batch, asked };

/// True if a batch has begun in a folder.
bool holds_batch(const std::filesystem::path& path);

/// Waits for a lock on a file; nullopt after the given time. Errors: InputError if the file system
/// has no locks; RunError when the user interrupts.
std::optional<FileLock> wait_for_lock(const std::filesystem::path& path,
                                      std::chrono::milliseconds patience);

/// The folder of a batch, held by this process, or by several processes that each have a part: by
/// locks on files in it, which the system releases when a process ends.
class BatchFolder {
 public:
  /// Makes the folder where it is missing and takes the lock. A process that has the same part ends
  /// first. Errors: InputError where another process has the folder, or a part of another division,
  /// where there is a batch in it already and no resumption is asked for, and where it cannot be
  /// made or written in; RunError when the user interrupts.
  BatchFolder(const std::filesystem::path& path, Resumption resumption,
              const std::optional<BatchPart>& part = {});
  BatchFolder(const BatchFolder&) = delete;
  BatchFolder& operator=(const BatchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Appends a line to batch.log: the time, whom it is about, what happened. A log that cannot be
  /// written stops nothing.
  void log(std::string_view subject, std::string_view text) const;

 private:
  void take_whole();
  void take_part(const BatchPart& part);
  /// Errors: InputError if a part is running, except for parts of a division into this number.
  void refuse_parts(std::size_t but_of) const;

  std::filesystem::path path_;
  std::optional<FileLock> lock_;  // of the batch, or of a part
};

}  // namespace tidewise
