#include "app/batch/table/folder.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <thread>

#include "app/cli/interruption.h"
#include "app/error/codes.h"
#include "base/error.h"
#include "base/file/open_file.h"
#include "base/stopwatch.h"
#include "planner/folder/run_folder.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

constexpr const char* lock_name = ".batch.lock";
constexpr const char* log_name = "batch.log";

void refuse_another_batch(const fs::path& path) {
  if (!holds_batch(path)) return;
  throw input_error(errors::batch_folder_exists, path.string());
}

constexpr std::chrono::seconds patience_with_parts(5);

[[noreturn]] void refuse_folder_in_use(const fs::path& path, const fs::path& lock) {
  std::string what = "this batch";
  const std::string part = lock.extension().string();  // ".3of8"
  if (const auto separator = part.find("of"); separator != std::string::npos) {
    what = fmt::format("part {} of {} of this batch", part.substr(1, separator - 1),
                       part.substr(separator + 2));
  }
  throw input_error(errors::batch_folder_in_use, path.string(), holder_of(lock), what);
}

/// Takes a lock; nullopt if another process holds it. Errors: InputError if the file system has no
/// locks.
std::optional<FileLock> try_lock(const fs::path& lock) {
  try {
    return FileLock::take(lock);
  } catch (const fs::filesystem_error& error) {
    refuse_too_many_files(lock, error.code());
    throw input_error(errors::batch_folder_not_lockable, lock.string(), error.code().message());
  }
}

}  // namespace

std::optional<FileLock> wait_for_lock(const fs::path& path, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds pause(10);
  for (const Stopwatch waited;; std::this_thread::sleep_for(pause)) {
    if (auto lock = try_lock(path)) return lock;
    if (interruption_requested()) throw RunError("interrupted while another process had its turn");
    if (waited.seconds() > std::chrono::duration<double>(patience).count()) return std::nullopt;
  }
}

bool holds_batch(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path / log_name, ignored);
}

BatchFolder::BatchFolder(const fs::path& path, Resumption resumption,
                         const std::optional<BatchPart>& part)
    : path_(path) {
  RunFolder::validate(path_);
  std::error_code error;
  const bool lock_exists = fs::exists(path_ / lock_name, error);
  // Checked before anything is created; a running batch differs from a finished one by its lock.
  if (resumption == Resumption::refused && !lock_exists) refuse_another_batch(path_);
  fs::create_directories(path_, error);
  if (error) {
    throw input_error(errors::batch_folder_not_created, path_.string(), error.message());
  }
  if (part) {
    take_part(*part);
  } else {
    take_whole();
  }
  if (resumption == Resumption::refused) refuse_another_batch(path_);
  (void)lock_->sign();
}

void BatchFolder::take_whole() {
  lock_ = try_lock(path_ / lock_name);
  if (!lock_) refuse_folder_in_use(path_, path_ / lock_name);
  refuse_parts(0);
}

/// A part holds the lock of the whole batch while it checks for others and takes its own lock, so
/// that no other process does so in between.
void BatchFolder::take_part(const BatchPart& part) {
  const fs::path lock = path_ / fmt::format("{}.{}of{}", lock_name, part.number, part.count);
  {
    const auto whole = wait_for_lock(path_ / lock_name, patience_with_parts);
    if (!whole) refuse_folder_in_use(path_, path_ / lock_name);
    refuse_parts(part.count);
    lock_ = try_lock(lock);
  }
  // A scheduler may restart a part before it knows that the first process has ended.
  if (!lock_) lock_ = wait_for_lock(lock, std::chrono::milliseconds::max());
}

void BatchFolder::refuse_parts(std::size_t allowed_count) const {
  const std::string allowed_ending = fmt::format("of{}", allowed_count);
  for (const auto& entry : fs::directory_iterator(path_)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(std::string(lock_name) + ".")) continue;
    if (allowed_count > 0 && name.ends_with(allowed_ending)) continue;
    if (!try_lock(entry.path())) refuse_folder_in_use(path_, entry.path());
  }
}

void BatchFolder::log(std::string_view subject, std::string_view text) const {
  const std::string line =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ} {}: {}\n", fmt::gmtime(std::time(nullptr)), subject, text);
  // A link of that name would lead the lines into another file.
  constexpr int flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
  const int descriptor = ::open((path_ / log_name).c_str(), flags, 0666);
  if (descriptor < 0) return;
  (void)!::write(descriptor, line.data(), line.size());
  ::close(descriptor);
}

}  // namespace tidewise
