#include "app/batch/table/folder.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <ctime>
#include <fstream>

#include "base/error.h"
#include "base/file/open_file.h"
#include "planner/run/folder.h"

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

}  // namespace

bool holds_batch(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path / log_name, ignored);
}

BatchFolder::BatchFolder(const fs::path& path, Resumption resumption) : path_(path) {
  RunFolder::validate(path_);
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
  if (resumption == Resumption::refused) refuse_another_batch(path_);
  lock_->sign();
}

void BatchFolder::take_lock() {
  const fs::path lock = path_ / lock_name;
  try {
    lock_ = FileLock::take(lock);
  } catch (const fs::filesystem_error& error) {
    refuse_too_many_files(lock, error.code());
    throw InputError(
        fmt::format("{}: cannot be locked ({}); choose a folder on a file system with "
                    "locks",
                    lock.string(), error.code().message()));
  }
  if (lock_) return;
  throw InputError(
      fmt::format("{}: {} is working on this batch; wait until it has ended, or choose another "
                  "folder with --out",
                  path_.string(), holder_of(lock)));
}

void BatchFolder::log(std::string_view subject, std::string_view text) const {
  std::ofstream stream(path_ / log_name, std::ios::app);
  stream << fmt::format("{:%Y-%m-%dT%H:%M:%SZ} {}: {}\n", fmt::gmtime(std::time(nullptr)), subject,
                        text);
}

}  // namespace tidewise
