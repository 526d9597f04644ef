#include "base/file/guarded_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/file/guarded_reader.h"
#include "base/file/hdf5_lock.h"
#include "base/file/open_file.h"

namespace tidewise {
namespace {

/// The way to the keeper. The program's second global, beside the HDF5 lock: a process has one, as
/// it has one set of child processes.
struct Keeper {
  std::mutex mutex = {};
  int control = -1;
};

Keeper& keeper() {
  static Keeper one;
  return one;
}

[[noreturn]] void refuse_start(const std::string& why) {
  throw RunError(
      fmt::format("the process that reads files could not be started ({}); allow more processes, "
                  "open files or memory (ulimit -a shows the limits)",
                  why));
}

std::array<int, 2> socket_pair(int type) {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    refuse_start(std::strerror(errno));
  }
  return ends;
}

/// Requires the keeper's mutex.
void start(Keeper& keeper) {
  const auto ends = socket_pair(SOCK_SEQPACKET);
  // No thread may be within HDF5, or the copies would wait for it for ever.
  const auto lock = lock_hdf5();
  const pid_t child = ::fork();
  if (child == 0) {
    renew_hdf5_lock();
    keep_readers(ends[1]);
  }
  const int reason = errno;
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    refuse_start(std::strerror(reason));
  }
  if (keeper.control >= 0) ::close(keeper.control);
  keeper.control = ends[0];
}

bool send_to(const Keeper& keeper, const std::string& name, const ReaderFiles& files) {
  return keeper.control >= 0 && send_files(keeper.control, name, files);
}

/// Errors are those of the system, told apart: a file that is not there is not one too many.
int open_to_read(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const int reason = errno;
  struct stat status {};
  if (file >= 0 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
  if (file >= 0) ::close(file);
  const std::string name = path.string();
  if (file >= 0 && S_ISDIR(status.st_mode)) {
    throw InputError(fmt::format("{}: is a folder, not a file; name the file in it", name));
  }
  if (file >= 0) throw InputError(fmt::format("{}: is no regular file; name one", name));
  if (reason == ENOENT || reason == ENOTDIR) {
    throw InputError(fmt::format("{}: there is no such file; check the path", name));
  }
  refuse_too_many_files(path, std::error_code(reason, std::generic_category()));
  throw InputError(
      fmt::format("{}: cannot be opened for reading ({}); check the path and its "
                  "permissions",
                  name, std::strerror(reason)));
}

}  // namespace

void GuardedProcess::start_keeper() {
  Keeper& one = keeper();
  const std::lock_guard lock(one.mutex);
  if (one.control >= 0) return;
  try {
    start(one);
  } catch (const RunError&) {
    return;
  }
}

GuardedProcess::GuardedProcess(const std::filesystem::path& path) : path_(path) {
  const int file = open_to_read(path);
  const auto close_file = [](const int* number) { ::close(*number); };
  const std::unique_ptr<const int, decltype(close_file)> owner(&file, close_file);
  const auto ends = socket_pair(SOCK_STREAM);
  channel_ = ends[0];
  const std::unique_ptr<const int, decltype(close_file)> other_end(&ends[1], close_file);
  memory_file_ = ::memfd_create("tidewise", MFD_CLOEXEC);
  if (memory_file_ < 0) refuse_start(std::strerror(errno));
  Keeper& one = keeper();
  const std::lock_guard lock(one.mutex);
  const ReaderFiles files{ends[1], file, memory_file_};
  if (send_to(one, path.string(), files)) return;
  start(one);  // there was none, or something ended it
  if (!send_to(one, path.string(), files)) refuse_start(std::strerror(errno));
}

GuardedProcess::~GuardedProcess() {
  if (memory_ != nullptr) ::munmap(memory_, memory_size_);
  if (memory_file_ >= 0) ::close(memory_file_);
  if (channel_ < 0) return;
  // Whoever wants to write the file next finds no lock of the reader's on it: netCDF takes one.
  constexpr int longest_wait = 1000;  // [ms]
  ::shutdown(channel_, SHUT_WR);
  pollfd ended{channel_, POLLIN, 0};
  while (::poll(&ended, 1, longest_wait) < 0 && errno == EINTR) {
  }
  ::close(channel_);
}

void* GuardedProcess::memory(std::uint64_t size) {
  if (size <= memory_size_) return memory_;
  if (memory_ != nullptr) ::munmap(memory_, memory_size_);
  memory_ = nullptr;
  memory_size_ = 0;
  if (::ftruncate(memory_file_, static_cast<off_t>(size)) != 0) {
    if (errno != EFBIG) throw std::bad_alloc();
    throw RunError(
        fmt::format("{}: {} bytes of it are read at once, and no file may be so large here; raise "
                    "the limit (ulimit -f)",
                    path_.string(), size));
  }
  void* place = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory_file_, 0);
  if (place == MAP_FAILED) throw std::bad_alloc();
  memory_ = place;
  memory_size_ = size;
  return memory_;
}

void GuardedProcess::fail() const {
  throw InputError(
      fmt::format("{}: cannot be read (it is damaged: reading it crashes, takes all memory, or "
                  "does not end); make it anew",
                  path_.string()));
}

GuardedMessage GuardedProcess::ask(Serve serve, const GuardedMessage& request) {
  const auto held = lock();
  std::string bytes;
  // Where no reader could be started the keeper has answered, and listens to no request.
  (void)send_request(channel_, serve, request);
  switch (receive_answer(channel_, bytes)) {
    case AnswerKind::result:
      return GuardedMessage(std::move(bytes));
    case AnswerKind::wrong_input:
      throw InputError(bytes);
    case AnswerKind::run_failed:
      throw RunError(bytes);
    case AnswerKind::none:
      break;
  }
  fail();
}

}  // namespace tidewise
