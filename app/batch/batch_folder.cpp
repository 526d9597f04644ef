#include "app/batch/batch_folder.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>

#include "app/run_folder.h"
#include "base/error.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

constexpr const char* lock_name = ".batch.lock";
constexpr const char* log_name = "batch.log";

void refuse_another_batch(const fs::path& path) {
  if (!holds_batch(path)) return;
  throw InputError(
      fmt::format("{}: holds a batch already; go on with it by --resume, or choose another folder "
                  "with --out",
                  path.string()));
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this machine";
}

/// "process 1234 on HOST", as the holder of the lock wrote it.
std::string holder(const fs::path& lock) {
  std::ifstream stream(lock);
  std::string text;
  std::getline(stream, text);
  return text.empty() ? "another process" : text;
}

}  // namespace

bool holds_batch(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path / log_name, ignored);
}

BatchFolder::BatchFolder(const fs::path& path, Resumption resumption) : path_(path) {
  RunFolder::judge(path_);
  std::error_code error;
  const bool there = fs::exists(path_ / lock_name, error);
  // Before anything is made; a batch at work is told from one that ended by its lock.
  if (resumption == Resumption::refused && !there) refuse_another_batch(path_);
  fs::create_directories(path_, error);
  if (error) {
    throw InputError(fmt::format("{}: cannot be made ({}); choose another folder with --out",
                                 path_.string(), error.message()));
  }
  take_lock();
  if (resumption == Resumption::refused) {
    try {
      refuse_another_batch(path_);
    } catch (const InputError&) {
      ::close(lock_);
      throw;
    }
  }
  sign_lock();
}

BatchFolder::~BatchFolder() { ::close(lock_); }

void BatchFolder::take_lock() {
  const fs::path lock = path_ / lock_name;
  lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0 || ::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    if (lock_ >= 0) ::close(lock_);
    if (reason == EWOULDBLOCK) {
      throw InputError(
          fmt::format("{}: {} is working on this batch; wait until it has ended, or choose another "
                      "folder with --out",
                      path_.string(), holder(lock)));
    }
    throw InputError(
        fmt::format("{}: cannot be locked ({}); choose a folder on a file system with "
                    "locks",
                    lock.string(), std::strerror(reason)));
  }
}

void BatchFolder::sign_lock() const {
  const std::string text = fmt::format("process {} on {}\n", ::getpid(), host_name());
  // For messages alone: without it the lock holds all the same.
  if (::ftruncate(lock_, 0) == 0) (void)!::write(lock_, text.data(), text.size());
}

void BatchFolder::log(std::string_view subject, std::string_view text) const {
  std::ofstream stream(path_ / log_name, std::ios::app);
  stream << fmt::format("{:%Y-%m-%dT%H:%M:%SZ} {}: {}\n", fmt::gmtime(std::time(nullptr)), subject,
                        text);
}

}  // namespace tidewise
