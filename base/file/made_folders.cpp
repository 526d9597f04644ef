#include "base/file/made_folders.h"

#include <system_error>

#include "base/error.h"
#include "base/error_codes.h"

namespace tidewise {
namespace fs = std::filesystem;

fs::path nearest_existing(const fs::path& path) {
  std::error_code ignored;
  fs::path existing = fs::absolute(path).lexically_normal();
  while (!fs::exists(fs::symlink_status(existing, ignored)) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }
  return existing;
}

MadeFolders::~MadeFolders() {
  std::error_code ignored;
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) {
    fs::remove(*folder, ignored);  // only if it is empty
  }
}

void MadeFolders::make(const fs::path& folder) {
  std::error_code error;
  const fs::path absolute = fs::absolute(folder).lexically_normal();
  fs::path made;
  for (const fs::path& part : absolute) {
    made /= part;
    if (!part.empty() && fs::create_directory(made, error)) made_.push_back(made);
  }
  if (fs::is_directory(absolute, error)) return;
  fs::create_directories(absolute, error);  // to get the reason
  throw input_error(errors::folder_not_created, folder.string(),
                    error ? error.message() : "a file is there");
}

}  // namespace tidewise
