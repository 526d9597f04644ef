#include "base/file/file_set.h"

#include <fmt/format.h>

#include <cstring>
#include <system_error>

#include "base/error.h"

namespace tidewise {
namespace fs = std::filesystem;

FileSet::~FileSet() {
  files_.clear();  // their temporary files are in the folders
  std::error_code ignored;
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
    fs::remove(*folder, ignored);  // where it is empty
  }
}

void FileSet::make_folder(const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::absolute(folder).lexically_normal();
  fs::path made;
  for (const fs::path& part : whole) {
    made /= part;
    if (!part.empty() && fs::create_directory(made, error)) folders_.push_back(made);
  }
  if (fs::is_directory(whole, error)) return;
  fs::create_directories(whole, error);  // for its reason
  throw InputError(fmt::format("--out {}: cannot be made a folder ({}); name another",
                               folder.string(), error ? error.message() : "a file is there"));
}

AtomicFile& FileSet::add(const fs::path& final_path) { return files_.emplace_back(final_path); }

void FileSet::add_text(const fs::path& final_path, const std::string& text) {
  write_text(add(final_path), text);
}

void FileSet::commit() {
  for (AtomicFile& file : files_) flush_to_disk(file.temporary_path());
  std::vector<fs::path> appeared;
  try {
    for (AtomicFile& file : files_) {
      std::error_code ignored;
      const bool is_new = !fs::exists(file.final_path(), ignored);
      file.commit();
      if (is_new) appeared.push_back(file.final_path());
    }
  } catch (...) {
    std::error_code ignored;
    for (const fs::path& file : appeared) fs::remove(file, ignored);
    throw;
  }
  folders_.clear();
}

}  // namespace tidewise
