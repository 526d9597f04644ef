#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/file/locked_folder.h"

namespace tidewise {

/// A file that appears whole or not at all: it is written at temporary_path(), in a hidden folder
/// beside its final name, and commit() renames it. Without commit() the destructor removes what was
/// written; what a killed process left for the same final name is removed when this one begins.
/// Errors: InputError when the folder does not exist or cannot be written to.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path final_path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write; the first call makes the hidden folder. Errors: RunError where it cannot.
  const std::filesystem::path& temporary_path();
  const std::filesystem::path& final_path() const { return final_; }
  /// Has the system begin to bring to disk what was written by now, so that commit() waits for
  /// less. Waits for nothing itself, and nothing that keeps it from it is an error.
  void begin_flushing() const;
  /// Flushes the file to disk, gives it its final name and flushes that. Errors: RunError.
  void commit();

 private:
  std::filesystem::path final_;
  std::filesystem::path temporary_;
  std::optional<LockedFolder> folder_;
};

/// Asks the system to bring a file, or the names in a folder, to disk: a rename must not outlive
/// its content. Errors: RunError.
void flush_to_disk(const std::filesystem::path& path);

/// Writes a text where a file is temporary, which is left to be committed. Errors: RunError when
/// writing fails.
void write_text(AtomicFile& file, const std::string& text);

/// Writes a whole text file by way of AtomicFile.
void write_text_file(const std::filesystem::path& path, const std::string& text);

}  // namespace tidewise
