#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "base/file/locked_folder.h"
#include "base/file/made_folders.h"

namespace tidewise {

/// A file that appears complete or not at all. It is written at temporary_path(), in a hidden
/// folder of its own next to its final name, and commit() renames it. Without commit() the
/// destructor removes it. The constructor removes leftovers of killed processes for the same final
/// name, but only those that this program provably made. Missing parent folders are created and
/// kept. Errors: InputError when they cannot be created or written to.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path final_path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// The path to write to; the first call creates the folders. Errors: InputError, RunError.
  const std::filesystem::path& temporary_path();
  /// The name after commit().
  const std::filesystem::path& final_path() const { return final_; }
  /// Asks the system to start writing the present content to disk, so that commit() waits less.
  /// Does not wait and reports no errors.
  void begin_flushing() const;
  /// Flushes the file to disk, renames it and flushes the rename. Replaces an existing file and
  /// keeps its permissions; replaces a link instead of following it. Errors: RunError.
  void commit();
  /// As commit(), but replaces nothing. Errors: InputError if the final name exists; RunError.
  void commit_new();

 private:
  void make_folder(const std::string& name);
  void finish(const std::error_code& error);

  std::filesystem::path final_;
  std::filesystem::path temporary_;
  MadeFolders folders_;  // parents of the final name
  std::optional<LockedFolder> folder_;
};

/// Removes temporary files in `folder` that killed processes left, of the file `name` or of all
/// files. Keeps everything that this program did not provably make.
void remove_left_temporaries(const std::filesystem::path& folder, const std::string& name = {});

/// Flushes a file, or the names in a folder, to disk, so that a crash cannot leave a renamed file
/// without its content. Errors: RunError.
void flush_to_disk(const std::filesystem::path& path);

/// Writes a text to the temporary path; the caller commits. Errors: RunError when writing fails.
void write_text(AtomicFile& file, const std::string& text);

/// Writes a whole text file through AtomicFile. Errors: those of AtomicFile, RunError.
void write_text_file(const std::filesystem::path& path, const std::string& text);

}  // namespace tidewise
