#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "base/file/locked_folder.h"
#include "base/file/made_folders.h"

namespace tidewise {

/// A file that appears whole or not at all. It is written at temporary_path(), in a hidden folder
/// of its own beside its final name, and commit() renames it. Without commit() the destructor
/// removes what was written. The constructor removes what killed processes left for the same final
/// name, and nothing that this program did not provably make. Missing folders of the final name are
/// made with the file, and stay with it. Errors: InputError when they cannot be made or written to.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path final_path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// The path to write at; the first call makes the folders. Errors: InputError, RunError.
  const std::filesystem::path& temporary_path();
  const std::filesystem::path& final_path() const { return final_; }
  /// Asks the system to start bringing to disk what was written until now, so that commit() waits
  /// for less. Does not wait and reports no errors.
  void begin_flushing() const;
  /// Flushes the file to disk, gives it its final name and flushes that. A file of that name is
  /// replaced and its permissions are kept; a link of that name is replaced, not followed.
  /// Errors: RunError.
  void commit();
  /// As commit(), but replaces nothing. Errors: InputError where the final name is taken; RunError.
  void commit_new();

 private:
  void make_folder(const std::string& name);
  void finish(const std::error_code& error);

  std::filesystem::path final_;
  std::filesystem::path temporary_;
  MadeFolders folders_;  // above the final name
  std::optional<LockedFolder> folder_;
};

/// Removes what killed processes left in `folder` of the file `name`, or of any file. Keeps what
/// this program did not provably make.
void remove_left_temporaries(const std::filesystem::path& folder, const std::string& name = {});

/// Asks the system to bring a file, or the names in a folder, to disk: a rename must not outlive
/// its content. Errors: RunError.
void flush_to_disk(const std::filesystem::path& path);

/// Writes a text where a file is temporary, which is left to be committed. Errors: RunError when
/// writing fails.
void write_text(AtomicFile& file, const std::string& text);

/// Writes a whole text file by way of AtomicFile.
void write_text_file(const std::filesystem::path& path, const std::string& text);

}  // namespace tidewise
