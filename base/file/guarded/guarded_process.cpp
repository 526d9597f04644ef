#include "base/file/guarded/guarded_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/error_codes.h"
#include "base/file/guarded/guarded_reader.h"
#include "base/file/hdf5_lock.h"
#include "base/file/open_file.h"
#include "base/memory/headroom.h"

namespace tidewise {
namespace {

/// Connection to the keeper. A global, because a process has one set of child processes. The only
/// other global of the program is the HDF5 lock.
struct Keeper {
  std::mutex mutex = {};
  int control = -1;
  std::atomic<bool> readers_end = false;  // no reader can run, whatever its file
};

Keeper& keeper() {
  static Keeper instance;
  return instance;
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

/// Starts the keeper. The caller holds its mutex.
void start(Keeper& keeper) {
  const auto ends = socket_pair(SOCK_SEQPACKET);
  // No thread may be inside HDF5, or the copies would wait for its lock for ever.
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

// Limit of the trial, less than that of a request. If a tool makes the trial slower than this, a
// request that exceeds its own limit does not prove that the file is damaged.
constexpr double longest_trial = 0.25;  // [s] of processor time

/// Writes and reads a file in memory by HDF5, within a reader's limits.
void try_reading(GuardedFile&, GuardedMessage&, GuardedMessage& answer) {
  const std::clock_t begin = std::clock();
  const std::vector<double> written(4096, 0.5);
  std::vector<double> read(written.size());
  const hsize_t size = written.size();
  const hid_t memory = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(memory, 1 << 16, false);
  const hid_t file = H5Fcreate("trial", H5F_ACC_TRUNC, H5P_DEFAULT, memory);
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t data =
      H5Dcreate2(file, "v", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, written.data());
  open_nothing_more();
  H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data());
  H5Dclose(data);
  H5Sclose(space);
  H5Fclose(file);
  H5Pclose(memory);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  answer.put(read == written && seconds < longest_trial);
}

}  // namespace

void GuardedProcess::start_keeper() {
  Keeper& connection = keeper();
  const std::lock_guard lock(connection.mutex);
  if (connection.control >= 0) return;
  try {
    start(connection);
  } catch (const RunError&) {
    return;
  }
}

GuardedProcess::GuardedProcess(const std::filesystem::path& path, Serve open)
    : path_(path), open_(open) {
  file_.number = open_regular_file(path);
  struct stat status {};
  is_owned_ = ::fstat(file_.number, &status) == 0 && status.st_uid == ::geteuid();
  start_reader();
  ask(open_, {});
}

GuardedProcess::GuardedProcess(Another /*another*/, const GuardedProcess& first)
    : path_(first.path_), open_(first.open_), is_owned_(first.is_owned_) {
  file_.number = ::fcntl(first.file_.number, F_DUPFD_CLOEXEC, 0);
  if (file_.number < 0) refuse_start(std::strerror(errno));
  start_reader();
  ask(open_, {});
}

GuardedProcess::GuardedProcess(Trial /*trial*/) : path_("trial") {
  file_.number = ::memfd_create("trial", MFD_CLOEXEC);
  if (file_.number < 0) refuse_start(std::strerror(errno));
  start_reader();
}

GuardedProcess::OpenFile::~OpenFile() {
  if (number >= 0) ::close(number);
}

void GuardedProcess::start_reader() {
  const auto ends = socket_pair(SOCK_STREAM);
  channel_.number = ends[0];
  const auto close_file = [](const int* number) { ::close(*number); };
  const std::unique_ptr<const int, decltype(close_file)> other_end(&ends[1], close_file);
  memory_file_.number = ::memfd_create("tidewise", MFD_CLOEXEC);
  if (memory_file_.number < 0) refuse_start(std::strerror(errno));
  Keeper& connection = keeper();
  const std::lock_guard lock(connection.mutex);
  const ReaderFiles files{ends[1], file_.number, memory_file_.number};
  if (send_to(connection, path_.string(), files)) return;
  start(connection);  // there was no keeper, or it was killed
  // If the new keeper ends at once, ask() reports it.
  (void)send_to(connection, path_.string(), files);
}

void GuardedProcess::end_soon() {
  if (channel_.number >= 0) ::shutdown(channel_.number, SHUT_WR);
}

GuardedProcess::~GuardedProcess() {
  if (local_file_) {
    const auto lock = lock_hdf5();
    local_file_->object.reset();
  }
  if (memory_ != nullptr) ::munmap(memory_, memory_size_);
  if (channel_.number < 0) return;
  // NetCDF may have locked the file in the reader, so wait until the reader has ended, for the next
  // writer.
  constexpr int longest_wait = 1000;  // [ms]
  end_soon();
  pollfd ended{channel_.number, POLLIN, 0};
  while (::poll(&ended, 1, longest_wait) < 0 && errno == EINTR) {
  }
}

void* GuardedProcess::memory(std::uint64_t size) {
  if (size <= memory_size_) return memory_;
  if (memory_ != nullptr) ::munmap(memory_, memory_size_);
  memory_ = nullptr;
  memory_size_ = 0;
  if (::ftruncate(memory_file_.number, static_cast<off_t>(size)) != 0) {
    if (errno != EFBIG) throw std::bad_alloc();
    throw RunError(
        fmt::format("{}: {} bytes of it are read at once, and no file may be so large here; raise "
                    "the limit (ulimit -f)",
                    path_.string(), size));
  }
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory_file_.number, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  memory_ = mapped;
  memory_size_ = size;
  return memory_;
}

void GuardedProcess::fail() const { throw input_error(errors::file_damaged, path_.string()); }

bool GuardedProcess::readers_can_run() {
  bool ended = false;
  GuardedProcess trial(Trial{});
  GuardedMessage answer = trial.ask_reader(&try_reading, {}, ended);
  return !ended && answer.get<bool>();
}

GuardedMessage GuardedProcess::ask_reader(Serve serve, const GuardedMessage& request, bool& ended) {
  std::string bytes;
  reader_runs_ = reader_runs_ || reader_lives(channel_.number);
  if (!reader_runs_) {
    ended = true;
    return {};
  }
  // If no reader could be started, the keeper has already answered, and reads no request.
  (void)send_request(channel_.number, serve, request);
  switch (receive_answer(channel_.number, bytes)) {
    case AnswerKind::result:
      return GuardedMessage(std::move(bytes));
    case AnswerKind::wrong_input:
      throw InputError(bytes);
    case AnswerKind::run_failed:
      throw RunError(bytes);
    case AnswerKind::none:
      break;
  }
  ended = true;
  return {};
}

void GuardedProcess::open_in_this_process() {
  const auto lock = lock_hdf5();
  // HDF5 ends the process if it gets too little memory at its start.
  if (!is_owned_ || !has_headroom()) {
    throw GuardFailure(fmt::format(
        "{}: was not read: the process that reads files ends by itself here, whatever the file (a "
        "debugger or a sanitizer ends it, or there is too little memory); run without that tool{}",
        path_.string(), is_owned_ ? "" : ", or as the user to whom the file belongs"));
  }
  local_file_ = std::make_unique<GuardedFile>(
      GuardedFile{path_, path_, nullptr, [this](std::uint64_t size) { return memory(size); }});
  GuardedMessage nothing;
  GuardedMessage answer;
  open_(*local_file_, nothing, answer);
}

GuardedMessage GuardedProcess::serve_in_this_process(Serve serve, const GuardedMessage& request) {
  const auto lock = lock_hdf5();
  GuardedMessage request_copy(request.bytes());
  GuardedMessage answer;
  serve(*local_file_, request_copy, answer);
  return GuardedMessage(answer.bytes());
}

GuardedMessage GuardedProcess::ask(Serve serve, const GuardedMessage& request) {
  const auto held = lock();
  std::atomic<bool>& readers_end = keeper().readers_end;
  if (!local_file_ && !(readers_end && serve == open_)) {
    bool ended = false;
    GuardedMessage answer = ask_reader(serve, request, ended);
    if (!ended) return answer;
    if (readers_can_run()) fail();
    readers_end = true;
  }
  if (!local_file_) open_in_this_process();
  return serve == open_ ? GuardedMessage() : serve_in_this_process(serve, request);
}

}  // namespace tidewise
