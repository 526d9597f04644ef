#include "base/file/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

namespace tidewise {
namespace fs = std::filesystem;

namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this machine";
}

/// Whether an open file is still the one of that name.
bool is_file(int descriptor, const fs::path& path) {
  struct stat opened = {};
  struct stat named = {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

[[noreturn]] void fail(const fs::path& path, int reason) {
  throw fs::filesystem_error("lock", path, std::error_code(reason, std::generic_category()));
}

}  // namespace

std::optional<FileLock> FileLock::take(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(path, errno);
  FileLock lock(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) fail(path, errno);
    return std::nullopt;
  }
  // Whoever held it may have taken the file away between the two: it is no lock then.
  if (!is_file(descriptor, path)) return std::nullopt;
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

void FileLock::sign() const {
  const std::string text = fmt::format("process {} on {}\n", ::getpid(), host_name());
  if (::ftruncate(descriptor_, 0) == 0) (void)!::write(descriptor_, text.data(), text.size());
}

FileLock FileLock::share() const {
  const int descriptor = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) fail("", errno);
  return FileLock(descriptor);
}

std::string holder_of(const fs::path& lock) {
  std::ifstream stream(lock);
  std::string text;
  std::getline(stream, text);
  return text.empty() ? "another process" : text;
}

}  // namespace tidewise
