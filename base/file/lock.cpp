#include "base/file/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/error_codes.h"
#include "base/file/open_folder.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// Beginning of a signed lock. A file that begins otherwise is not a lock.
constexpr std::string_view signature = "process ";
constexpr off_t max_size = 512;  // [bytes] of a signed lock

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this machine";
}

[[noreturn]] void fail(const fs::path& path, int reason) {
  throw fs::filesystem_error("lock", path, std::error_code(reason, std::generic_category()));
}

[[noreturn]] void refuse(const fs::path& path, const char* what) {
  throw input_error(errors::lock_file_foreign, path.string(), what);
}

/// True if the name still refers to the open file.
bool is_in_place(int descriptor, int folder, const std::string& name) {
  struct stat opened = {};
  struct stat named = {};
  return ::fstat(descriptor, &opened) == 0 &&
         ::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// The first bytes of an open file.
std::string read_start(int descriptor) {
  std::array<char, max_size> bytes{};
  const ssize_t count = ::pread(descriptor, bytes.data(), bytes.size(), 0);
  return {bytes.data(), static_cast<std::size_t>(count > 0 ? count : 0)};
}

/// A pipe or a device could block the process.
void require_regular_file(int descriptor, const fs::path& path) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) fail(path, errno);
  if (!S_ISREG(status.st_mode)) refuse(path, "is not a regular file");
}

/// Only locks are overwritten. Hard-linked copies share signed locks; an empty file with a second
/// name belongs to the user.
void require_lock(int descriptor, const fs::path& path) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) fail(path, errno);
  if (status.st_size == 0 && status.st_nlink == 1) return;
  if (status.st_size == 0) refuse(path, "is empty and has a second name");
  if (status.st_size > max_size || !read_start(descriptor).starts_with(signature)) {
    refuse(path, "holds something else");
  }
}

}  // namespace

std::optional<FileLock> FileLock::take(const fs::path& path) {
  return take_at(AT_FDCWD, path.string(), path);
}

std::optional<FileLock> FileLock::take(const OpenFolder& folder, const std::string& name) {
  return take_at(folder.descriptor(), name, folder.path() / name);
}

std::optional<FileLock> FileLock::take_at(int folder, const std::string& name,
                                          const fs::path& path) {
  constexpr int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int descriptor = ::openat(folder, name.c_str(), flags, 0666);
  if (descriptor < 0) {
    if (errno == ELOOP) refuse(path, "is a symbolic link");
    if (errno == EISDIR) refuse(path, "is a folder");
    fail(path, errno);
  }
  FileLock lock(descriptor);
  require_regular_file(descriptor, path);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) fail(path, errno);
    return std::nullopt;
  }
  // A holder may have removed the file between the two calls; then it is not a lock.
  if (!is_in_place(descriptor, folder, name)) return std::nullopt;
  require_lock(descriptor, path);
  return lock;
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileLock::sign() const {
  const std::string text = fmt::format("{}{} on {}\n", signature, ::getpid(), host_name());
  // In this order there is always a signature, the earlier or the new one.
  const auto size = static_cast<ssize_t>(text.size());
  return ::pwrite(descriptor_, text.data(), text.size(), 0) == size &&
         ::ftruncate(descriptor_, size) == 0;
}

bool FileLock::is_signed() const { return read_start(descriptor_).starts_with(signature); }

FileLock FileLock::share() const {
  const int descriptor = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) fail("", errno);
  return FileLock(descriptor);
}

std::string holder_of(const fs::path& lock) {
  const int descriptor = ::open(lock.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const std::string text = descriptor < 0 ? "" : read_start(descriptor);
  if (descriptor >= 0) ::close(descriptor);
  if (!text.starts_with(signature)) return "another process";
  return text.substr(0, text.find('\n'));
}

}  // namespace tidewise
