#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "base/file/lock.h"

namespace tidewise {

enum class Resumption { refused, asked };

/// Whether a batch has begun in a folder.
bool holds_batch(const std::filesystem::path& path);

/// The folder of a batch, held by this process alone: a lock on a file in it, which goes with
/// the process, however that ends.
class BatchFolder {
 public:
  /// Makes the folder where it is missing and takes the lock. Errors: InputError where another
  /// process has it, where there is a batch in it already and no resumption is asked for, and where
  /// it cannot be made or written in.
  BatchFolder(const std::filesystem::path& path, Resumption resumption);
  BatchFolder(const BatchFolder&) = delete;
  BatchFolder& operator=(const BatchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Appends a line to batch.log: the time, whom it is about, what happened. A log that cannot be
  /// written stops nothing.
  void log(std::string_view subject, std::string_view text) const;

 private:
  void take_lock();

  std::filesystem::path path_;
  std::optional<FileLock> lock_;
};

}  // namespace tidewise
