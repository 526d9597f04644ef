#include "base/file/locked_folder.h"

#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/error_codes.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

constexpr const char* lock_name = ".lock";

bool reports_no_locks(const std::error_code& code) {
  return code == std::errc::no_lock_available || code == std::errc::operation_not_supported ||
         code == std::errc::function_not_supported || code == std::errc::invalid_argument;
}

[[noreturn]] void refuse_folder(const fs::path& path, const char* why) {
  throw input_error(errors::folder_foreign, path.string(), why);
}

/// Removes a folder that is empty except for the lock. The lock is removed first: if another
/// process makes it again, rmdir() keeps the folder. Neither call follows a link.
void remove_empty(const OpenFolder& folder) {
  try {
    folder.remove_file(lock_name);
  } catch (const fs::filesystem_error&) {  // the folder stays
  }
  if (folder.is_in_place()) (void)::rmdir(folder.path().c_str());
}

OpenFolder parent_of(const fs::path& path) {
  return {path.has_parent_path() ? path.parent_path() : fs::path("."), OpenFolder::Links::followed};
}

/// Opens a folder. Returns nullopt if it has been removed in the meantime.
std::optional<OpenFolder> open_existing(const OpenFolder& parent, const fs::path& path) {
  try {
    return OpenFolder(path, OpenFolder::Links::refused);
  } catch (const fs::filesystem_error& error) {
    const std::error_code& code = error.code();
    if (code == std::errc::no_such_file_or_directory) return std::nullopt;
    // For a link opened as a folder Linux reports ENOTDIR, other systems ELOOP.
    if (code == std::errc::not_a_directory || code == std::errc::too_many_symbolic_link_levels) {
      if (!parent.contains(path.filename().string())) return std::nullopt;
      refuse_folder(path, "is a link or a file");
    }
    throw;
  }
}

/// Opens a folder that was just made, and removes it if that fails.
std::optional<OpenFolder> open_new(const OpenFolder& parent, const fs::path& path) {
  try {
    return open_existing(parent, path);
  } catch (...) {
    (void)::rmdir(path.c_str());
    throw;
  }
}

}  // namespace

fs::path LockedFolder::lock_of(const fs::path& folder) { return folder / lock_name; }

std::optional<LockedFolder> LockedFolder::make(const fs::path& path) {
  const OpenFolder parent = parent_of(path);
  if (!parent.make_folder(path.filename().string(), 0700)) return std::nullopt;
  auto folder = open_new(parent, path);
  if (!folder) return std::nullopt;
  try {
    return lock(std::move(*folder), true);
  } catch (const fs::filesystem_error& error) {
    // Another process may take an empty folder for a leftover and remove it.
    if (error.code() == std::errc::no_such_file_or_directory) return std::nullopt;
    throw;
  }
}

std::optional<LockedFolder> LockedFolder::take(const fs::path& path) {
  const OpenFolder parent = parent_of(path);
  // The holder of a folder can remove it between any two of these steps.
  for (int attempt = 0; attempt < 100; ++attempt) {
    const bool is_new = parent.make_folder(path.filename().string(), 0700);
    auto folder = is_new ? open_new(parent, path) : open_existing(parent, path);
    if (!folder) continue;
    if (!is_new && !folder->is_owned()) refuse_folder(path, "belongs to another user");
    if (!is_new && !folder->contains(lock_name) && !folder->names().empty()) {
      refuse_folder(path, "is a folder without a lock");
    }
    try {
      if (auto locked = lock(std::move(*folder), is_new)) return locked;
    } catch (const fs::filesystem_error& error) {
      if (error.code() == std::errc::no_such_file_or_directory) continue;
      throw;
    }
    std::error_code ignored;
    if (fs::exists(lock_of(path), ignored)) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<LockedFolder> LockedFolder::lock(OpenFolder folder, bool is_new) {
  const fs::path path = folder.path();
  try {
    auto lock = FileLock::take(folder, lock_name);
    if (!lock) return std::nullopt;
    if (!is_new && !lock->is_signed() && folder.names().size() > 1) {
      refuse_folder(path, "is a folder without a signed lock");
    }
    if (!lock->sign()) {
      const std::error_code full = std::make_error_code(std::errc::no_space_on_device);
      throw fs::filesystem_error("lock", path, full);
    }
    auto spare = lock->share();
    return LockedFolder(std::move(folder), !is_new, std::move(lock), std::move(spare));
  } catch (const fs::filesystem_error& error) {
    if (is_new && reports_no_locks(error.code())) {
      return LockedFolder(std::move(folder), false, std::nullopt, std::nullopt);
    }
    if (is_new) remove_empty(folder);
    throw;
  }
}

LockedFolder::LockedFolder(OpenFolder folder, bool was_left, std::optional<FileLock> lock,
                           std::optional<FileLock> spare)
    : folder_(std::move(folder)),
      was_left_(was_left),
      lock_(std::move(lock)),
      spare_(std::move(spare)) {}

LockedFolder::LockedFolder(LockedFolder&& other) noexcept
    : folder_(std::move(other.folder_)),
      was_left_(other.was_left_),
      is_kept_(std::exchange(other.is_kept_, true)),
      lock_(std::move(other.lock_)),
      spare_(std::move(other.spare_)) {}

LockedFolder::~LockedFolder() {
  if (is_kept_) return;
  spare_.reset();
  try {
    clear();
  } catch (const fs::filesystem_error&) {  // too many open files
  }
  // This releases the lock, after which others may make the folder again at once.
  remove_empty(folder_);
}

void LockedFolder::clear() const {
  // Files before folders, because they need no further descriptor.
  std::vector<std::string> names = folder_.names();
  std::erase(names, lock_name);
  std::stable_partition(names.begin(), names.end(),
                        [this](const std::string& name) { return !folder_.contains_folder(name); });
  for (const std::string& name : names) folder_.remove_all(name);
}

}  // namespace tidewise
