#pragma once

#include <deque>
#include <filesystem>
#include <string>

#include "base/file/atomic_file.h"
#include "base/file/made_folders.h"

namespace tidewise {

/// Files that appear together: all are complete and on disk before the first one is renamed.
/// Without commit() none appears, and the folders that were created for them are removed.
class FileSet {
 public:
  FileSet() = default;
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;

  /// Creates a folder and its missing parents. Errors: InputError, which names --out, if that
  /// fails.
  void make_folder(const std::filesystem::path& folder) { folders_.make(folder); }
  /// Adds a file, which the caller writes at its temporary_path(). Errors: those of AtomicFile.
  AtomicFile& add(const std::filesystem::path& final_path);
  /// Adds a text file. Errors: those of add(); RunError when writing fails.
  void add_text(const std::filesystem::path& final_path, const std::string& text);
  /// Renames all files, in the order in which they were added. If one rename fails, the earlier
  /// files are removed and the files that they replaced are restored. Errors: RunError.
  void commit();
  /// As commit(), but replaces no file, not even one made by another process in the meantime.
  /// Errors: InputError if a file exists; RunError.
  void commit_new();

 private:
  class Backup;

  void commit_each(void (AtomicFile::*commit_one)());

  MadeFolders folders_;
  std::deque<AtomicFile> files_;  // destroyed first: their temporary files are in the folders
};

}  // namespace tidewise
