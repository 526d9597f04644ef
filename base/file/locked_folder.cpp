#include "base/file/locked_folder.h"

#include <system_error>
#include <utility>
#include <vector>

namespace tidewise {
namespace fs = std::filesystem;

namespace {

constexpr const char* lock_name = ".lock";

bool means_no_locks(const std::error_code& code) {
  return code == std::errc::no_lock_available || code == std::errc::operation_not_supported ||
         code == std::errc::function_not_supported || code == std::errc::invalid_argument;
}

/// A folder with nothing in it but the lock, which needs no further file to be open. The lock goes
/// first: whoever makes it anew keeps the folder.
void remove_empty(const fs::path& path) {
  std::error_code ignored;
  fs::remove(LockedFolder::lock_of(path), ignored);
  fs::remove(path, ignored);
}

}  // namespace

fs::path LockedFolder::lock_of(const fs::path& folder) { return folder / lock_name; }

std::optional<LockedFolder> LockedFolder::take(const fs::path& path) {
  // A folder can be taken away by its holder between any two of these steps.
  for (int attempt = 0; attempt < 100; ++attempt) {
    const bool is_new = fs::create_directory(path);
    try {
      auto lock = FileLock::take(lock_of(path));
      if (lock) {
        lock->sign();
        auto spare = lock->share();
        return LockedFolder(path, !is_new, std::move(lock), std::move(spare));
      }
      std::error_code gone;
      if (fs::exists(lock_of(path), gone)) return std::nullopt;
    } catch (const fs::filesystem_error& error) {
      if (error.code() == std::errc::no_such_file_or_directory) continue;
      if (is_new && means_no_locks(error.code()))
        return LockedFolder(path, false, std::nullopt, std::nullopt);
      if (is_new) remove_empty(path);
      throw;
    }
  }
  return std::nullopt;
}

LockedFolder::LockedFolder(fs::path path, bool was_left, std::optional<FileLock> lock,
                           std::optional<FileLock> spare)
    : path_(std::move(path)),
      was_left_(was_left),
      lock_(std::move(lock)),
      spare_(std::move(spare)) {}

LockedFolder::LockedFolder(LockedFolder&& other) noexcept
    : path_(std::move(other.path_)),
      was_left_(other.was_left_),
      leaves_(std::exchange(other.leaves_, true)),
      lock_(std::move(other.lock_)),
      spare_(std::move(other.spare_)) {}

LockedFolder::~LockedFolder() {
  if (leaves_) return;
  spare_.reset();
  try {
    clear();
  } catch (const fs::filesystem_error&) {  // too many open files to look into it
  }
  // Only now, as this lets others in, who may make the folder anew at once.
  remove_empty(path_);
}

void LockedFolder::clear() const {
  // Names first and files before folders: one descriptor is enough to remove files.
  std::vector<fs::directory_entry> entries;
  for (const auto& entry : fs::directory_iterator(path_)) {
    if (entry.path().filename() != lock_name) entries.push_back(entry);
  }
  for (const auto& entry : entries) {
    if (!entry.is_directory() || entry.is_symlink()) fs::remove(entry.path());
  }
  for (const auto& entry : entries) {
    if (entry.is_directory() && !entry.is_symlink()) fs::remove_all(entry.path());
  }
}

}  // namespace tidewise
