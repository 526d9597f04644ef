#include "base/file/open_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

namespace tidewise {
namespace fs = std::filesystem;

namespace {

constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

[[noreturn]] void fail(const fs::path& path, int reason) {
  throw fs::filesystem_error("folder", path, std::error_code(reason, std::generic_category()));
}

int open_at(int parent, const fs::path& name, int flags, const fs::path& path) {
  const int descriptor = ::openat(parent, name.c_str(), flags);
  if (descriptor < 0) fail(path, errno);
  return descriptor;
}

/// A folder that is being listed, with its descriptor.
using Listing = std::unique_ptr<DIR, decltype([](DIR* listing) { ::closedir(listing); })>;

Listing list_folder(int descriptor, const fs::path& path) {
  Listing listing(::fdopendir(descriptor));
  if (!listing) {
    const int reason = errno;
    ::close(descriptor);
    fail(path, reason);
  }
  return listing;
}

std::vector<std::string> names_of(DIR* listing) {
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(listing)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  return names;
}

/// Removes a file or a link. Returns false if `name` is a folder.
bool remove_unless_folder(int parent, const std::string& name, const fs::path& path) {
  if (::unlinkat(parent, name.c_str(), 0) == 0 || errno == ENOENT) return true;
  // Linux reports EISDIR, POSIX requires EPERM.
  if (errno != EISDIR && errno != EPERM) fail(path / name, errno);
  return false;
}

/// Removes a file, a link, or a folder with everything in it. Needs one descriptor for each level
/// of folders.
void remove_tree(int parent, const std::string& name, const fs::path& path) {
  if (remove_unless_folder(parent, name, path)) return;
  {
    const Listing listing =
        list_folder(open_at(parent, name, folder_flags | O_NOFOLLOW, path / name), path / name);
    for (const std::string& entry : names_of(listing.get())) {
      remove_tree(::dirfd(listing.get()), entry, path / name);
    }
  }
  if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
    fail(path / name, errno);
  }
}

}  // namespace

OpenFolder::OpenFolder(const fs::path& path, Links links)
    : path_(path),
      descriptor_(open_at(AT_FDCWD, path, folder_flags | (links == Links::refused ? O_NOFOLLOW : 0),
                          path)) {}

OpenFolder::OpenFolder(const OpenFolder& parent, const std::string& name)
    : path_(parent.path_ / name),
      descriptor_(open_at(parent.descriptor_, name, folder_flags | O_NOFOLLOW, path_)) {}

OpenFolder::OpenFolder(OpenFolder&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

OpenFolder::~OpenFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool OpenFolder::is_owned() const {
  struct stat status = {};
  return ::fstat(descriptor_, &status) == 0 && status.st_uid == ::geteuid();
}

bool OpenFolder::is_in_place() const {
  struct stat opened = {};
  struct stat named = {};
  return ::fstat(descriptor_, &opened) == 0 && ::lstat(path_.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

bool OpenFolder::contains(const std::string& name) const {
  struct stat status = {};
  return ::fstatat(descriptor_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

bool OpenFolder::contains_folder(const std::string& name) const {
  struct stat status = {};
  return ::fstatat(descriptor_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISDIR(status.st_mode);
}

std::vector<std::string> OpenFolder::names() const {
  return names_of(list_folder(open_at(descriptor_, ".", folder_flags, path_), path_).get());
}

bool OpenFolder::make_folder(const std::string& name, mode_t permissions) const {
  if (::mkdirat(descriptor_, name.c_str(), permissions) == 0) return true;
  if (errno != EEXIST) fail(path_ / name, errno);
  return false;
}

bool OpenFolder::move(const std::string& name, const OpenFolder& to,
                      const std::string& new_name) const {
  if (::renameat(descriptor_, name.c_str(), to.descriptor_, new_name.c_str()) == 0) return true;
  if (errno != ENOENT) fail(to.path_ / new_name, errno);
  return false;
}

bool OpenFolder::remove_file(const std::string& name) const {
  if (::unlinkat(descriptor_, name.c_str(), 0) == 0) return true;
  if (errno != ENOENT) fail(path_ / name, errno);
  return false;
}

void OpenFolder::remove_all(const std::string& name) const {
  remove_tree(descriptor_, name, path_);
}

}  // namespace tidewise
