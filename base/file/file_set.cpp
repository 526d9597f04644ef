#include "base/file/file_set.h"

#include <fmt/format.h>

#include <optional>
#include <system_error>

#include "base/error.h"

namespace tidewise {
namespace fs = std::filesystem;

AtomicFile& FileSet::add(const fs::path& final_path) { return files_.emplace_back(final_path); }

void FileSet::add_text(const fs::path& final_path, const std::string& text) {
  write_text(add(final_path), text);
}

/// Keeps the file that a commit replaces until the whole set is committed, by a second hard link,
/// which preserves content, owner and permissions.
class FileSet::Backup {
 public:
  explicit Backup(const fs::path& path) : path_(path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return;  // folders are never replaced
    copy_.emplace(path);
    fs::remove(copy_->temporary_path(), error);  // makes room for the link
    fs::create_hard_link(path, copy_->temporary_path(), error);
    if (error) fs::copy_file(path, copy_->temporary_path(), error);  // file systems without links
    if (error) {
      throw RunError(
          fmt::format("{}: the existing file cannot be kept until all files are written "
                      "({}); check the folder and run again",
                      path.string(), error.message()));
    }
  }

  void restore() {
    std::error_code ignored;
    if (copy_) {
      fs::rename(copy_->temporary_path(), path_, ignored);
    } else {
      fs::remove(path_, ignored);
    }
  }

 private:
  fs::path path_;
  std::optional<AtomicFile> copy_;  // empty if there was no file
};

void FileSet::commit_each(void (AtomicFile::*commit_one)()) {
  for (AtomicFile& file : files_) flush_to_disk(file.temporary_path());
  std::deque<Backup> backups;
  const bool is_single = files_.size() == 1;  // no later file can fail
  if (!is_single) {
    for (AtomicFile& file : files_) backups.emplace_back(file.final_path());
  }
  std::size_t placed = 0;
  try {
    for (AtomicFile& file : files_) {
      (file.*commit_one)();
      ++placed;
    }
  } catch (...) {
    if (!is_single) {
      for (std::size_t n = 0; n < placed; ++n) backups[n].restore();
    }
    throw;
  }
  folders_.keep();
}

void FileSet::commit() { commit_each(&AtomicFile::commit); }

void FileSet::commit_new() { commit_each(&AtomicFile::commit_new); }

}  // namespace tidewise
