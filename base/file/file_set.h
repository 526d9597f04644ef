#pragma once

#include <deque>
#include <filesystem>
#include <string>

#include "base/file/atomic_file.h"
#include "base/file/made_folders.h"

namespace tidewise {

/// Files that appear together: all of them are ready, and on disk, before the first one gets its
/// name. Without commit() none appears, and the folders that were made for them are removed.
class FileSet {
 public:
  FileSet() = default;
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;

  /// Makes a folder, and those above it, where it is missing. Errors: InputError, of --out, where
  /// it cannot be made.
  void make_folder(const std::filesystem::path& folder) { folders_.make(folder); }
  /// A file to be written at its temporary_path(), and committed here. Errors: those of AtomicFile.
  AtomicFile& add(const std::filesystem::path& final_path);
  /// A whole text file. Errors: those of add(), and RunError when writing fails.
  void add_text(const std::filesystem::path& final_path, const std::string& text);
  /// Gives all files their names, in the order in which they were added. Where one cannot get its
  /// name, the files before it are removed, and those that they replaced are back. Errors:
  /// RunError.
  void commit();
  /// The same, but replaces no file, even one that another process has made meanwhile. Errors:
  /// InputError where a file is in the place of one; RunError.
  void commit_new();

 private:
  class Replaced;

  void commit_each(void (AtomicFile::*place)());

  MadeFolders folders_;
  std::deque<AtomicFile> files_;  // destroyed first: their temporary files are in the folders
};

}  // namespace tidewise
