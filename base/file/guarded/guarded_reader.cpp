#include "base/file/guarded/guarded_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "base/error.h"
#include "base/error_codes.h"

namespace tidewise {
namespace {

// CPU time limit of a request: request_seconds, plus its data size divided by min_speed. Inflating
// runs at about 300 MB/s, and under a sanitizer or an emulator still faster than min_speed.
constexpr std::uint64_t request_seconds = 5;
constexpr std::uint64_t min_speed = 20 << 20;  // [B/s]
// Memory limit in addition to the data: for libraries and chunks.
constexpr std::uint64_t spare_memory = std::uint64_t{1} << 30;  // [B]
constexpr std::uint64_t memory_per_byte = 8;
constexpr std::uint64_t longest_answer = std::uint64_t{1} << 30;
constexpr std::size_t longest_name = 1 << 16;

struct RequestHead {
  GuardedProcess::Serve serve;
  std::uint64_t size;
};

struct AnswerHead {
  AnswerKind kind;
  std::uint32_t unused;
  std::uint64_t size;
};

bool send_all(int channel, const void* from, std::size_t size) {
  const auto* bytes = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t sent = ::send(channel, bytes, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int channel, void* to, std::size_t size) {
  auto* bytes = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t received = ::recv(channel, bytes, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    bytes += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

/// A message that carries descriptors of files, with its buffer.
struct FilesMessage {
  explicit FilesMessage(std::array<char, longest_name>& name, std::size_t size)
      : part{name.data(), size} {
    head.msg_iov = &part;
    head.msg_iovlen = 1;
    head.msg_control = control.data();
    head.msg_controllen = control.size();
  }
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ReaderFiles))> control{};
  iovec part;
  msghdr head{};
};

/// Receives the files of a new reader. Returns false if the program has ended.
bool receive_files(int control, std::string& name, ReaderFiles& files) {
  std::array<char, longest_name> bytes;
  FilesMessage message(bytes, bytes.size());
  ssize_t size = -1;
  do {
    size = ::recvmsg(control, &message.head, MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  const cmsghdr* carried = size > 0 ? CMSG_FIRSTHDR(&message.head) : nullptr;
  if (carried == nullptr || carried->cmsg_len != CMSG_LEN(sizeof(files))) return false;
  std::memcpy(&files, CMSG_DATA(carried), sizeof(files));
  name.assign(bytes.data(), static_cast<std::size_t>(size));
  return true;
}

/// Redirects the streams to /dev/null, because reports of sanitizers and libraries about a crash do
/// not concern the user. Ignores signals: an interrupted program closes the channel when it has
/// finished.
void leave_terminal(int control) {
  // If the program has no streams, the channel may have their number.
  if (control < 3) control = ::fcntl(control, F_DUPFD, 3);
  const int null_device = ::open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) ::dup2(null_device, stream);
  if (control != 3) ::dup2(control, 3);
  if (::close_range(4, ~0U, 0) != 0) {
    for (int number = 4; number < 4096; ++number) ::close(number);
  }
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD, SIGUSR1, SIGUSR2}) {
    ::signal(signal, SIG_IGN);
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF}) {
    ::signal(signal, SIG_DFL);
  }
  // Other programs may rewrite an input file at any time, so readers hold no locks on it.
  ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

// A reader that cannot set its limits ends, and the asking process notices that all readers end.
void limit_time(std::uint64_t seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  if (::setitimer(ITIMER_PROF, &timer, nullptr) != 0) ::_exit(1);
}

/// Present address space of this process [B].
std::uint64_t memory_now() {
  unsigned long long pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  const bool known = std::fscanf(file, "%llu", &pages) == 1;
  std::fclose(file);
  return known ? pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

void limit_memory(std::uint64_t bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0) ::_exit(1);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, bytes);
  if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(1);
}

/// The shared memory, with the size set by the asking process.
class SharedMemory {
 public:
  /// `limit` [B]: limit of the process's other memory; 0 if its present use is unknown.
  SharedMemory(int file, std::uint64_t limit) : file_(file), limit_(limit) {
    if (limit_ > 0) limit_memory(limit_);
  }

  void* at_least(std::uint64_t size) {
    limit_time(request_seconds + size / min_speed);
    if (size <= size_) return data_;
    struct stat status {};
    if (::fstat(file_, &status) != 0 || static_cast<std::uint64_t>(status.st_size) < size) {
      throw RunError("the memory that files are read into is gone; run again");
    }
    if (data_ != nullptr) ::munmap(data_, size_);
    if (limit_ > 0) limit_memory(limit_ + size);
    data_ = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
    size_ = size;
    return data_;
  }

 private:
  int file_;
  std::uint64_t limit_;
  void* data_ = nullptr;
  std::uint64_t size_ = 0;
};

/// Reports to the asking process that the reader runs.
bool send_greeting(int channel) {
  constexpr char greeting = 1;
  return send_all(channel, &greeting, 1);
}

bool send_answer(int channel, AnswerKind kind, const char* bytes, std::size_t size) {
  const AnswerHead head{kind, 0, size};
  return send_all(channel, &head, sizeof(head)) && send_all(channel, bytes, size);
}

bool answer(GuardedFile& file, int channel, GuardedProcess::Serve serve, GuardedMessage request) {
  AnswerKind kind = AnswerKind::wrong_input;
  std::string text;
  try {
    GuardedMessage result;
    serve(file, request, result);
    limit_time(0);
    return send_answer(channel, AnswerKind::result, result.bytes().data(), result.bytes().size());
  } catch (const InputError& error) {
    text = error.what();
  } catch (const RunError& error) {
    kind = AnswerKind::run_failed;
    text = error.what();
  } catch (const std::exception&) {
    text = error_text(errors::file_claims_too_much, file.name.string());
  }
  limit_time(0);
  return send_answer(channel, kind, text.data(), text.size());
}

bool is_reader = false;  // true in a copy of the keeper that reads a file

[[noreturn]] void run_reader(const std::string& name, const ReaderFiles& files) {
  is_reader = true;
  (void)send_greeting(files.channel);
  struct stat status {};
  ::fstat(files.file, &status);
  const std::uint64_t present = memory_now();
  const auto spare = spare_memory + memory_per_byte * static_cast<std::uint64_t>(status.st_size);
  SharedMemory memory(files.memory, present == 0 ? 0 : present + spare);
  // This path leads to the opened file, even if its name now refers to another one.
  GuardedFile file{fmt::format("/proc/self/fd/{}", files.file), name};
  if (::access(file.at.c_str(), R_OK) != 0) file.at = name;
  file.memory = [&](std::uint64_t bytes) { return memory.at_least(bytes); };
  RequestHead head{};
  while (receive_all(files.channel, &head, sizeof(head))) {
    std::string bytes(head.size, '\0');
    if (!receive_all(files.channel, bytes.data(), bytes.size())) break;
    limit_time(request_seconds);
    if (!answer(file, files.channel, head.serve, GuardedMessage(std::move(bytes)))) break;
  }
  // The channel is closed last, because its end shows that the file is closed. Libraries are not
  // called to close their files, because the process may be in a bad state.
  const auto channel = static_cast<unsigned>(files.channel);
  ::close_range(channel + 1, ~0U, 0);
  ::close_range(0, channel - 1, 0);
  ::_exit(0);
}

}  // namespace

void open_nothing_more() {
  if (!is_reader) return;
#if defined(__SANITIZE_ADDRESS__)
  return;  // sanitizers read memory through pipes and would report an error
#endif
  const rlimit no_files{0, 0};
  ::setrlimit(RLIMIT_NOFILE, &no_files);
}

void keep_readers(int control) {
  leave_terminal(control);
  std::string name;
  ReaderFiles files;
  while (receive_files(3, name, files)) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(3);
      run_reader(name, files);
    }
    if (child < 0) {
      const std::string text = fmt::format(
          "{}: the process that reads it could not be started ({}); allow more processes or memory",
          name, std::strerror(errno));
      (void)send_greeting(files.channel);
      send_answer(files.channel, AnswerKind::run_failed, text.data(), text.size());
    }
    for (const int number : {files.channel, files.file, files.memory}) ::close(number);
  }
  ::_exit(0);
}

bool send_files(int control, const std::string& name, const ReaderFiles& files) {
  std::array<char, longest_name> bytes;
  const std::size_t size = std::min(name.size(), bytes.size());
  std::copy_n(name.begin(), size, bytes.begin());
  FilesMessage message(bytes, size);
  cmsghdr* carried = CMSG_FIRSTHDR(&message.head);
  carried->cmsg_level = SOL_SOCKET;
  carried->cmsg_type = SCM_RIGHTS;
  carried->cmsg_len = CMSG_LEN(sizeof(files));
  std::memcpy(CMSG_DATA(carried), &files, sizeof(files));
  return ::sendmsg(control, &message.head, MSG_NOSIGNAL) >= 0;
}

bool reader_lives(int channel) {
  constexpr int longest_wait = 10'000;  // [ms]
  pollfd readable{channel, POLLIN, 0};
  int ready = -1;
  do {
    ready = ::poll(&readable, 1, longest_wait);
  } while (ready < 0 && errno == EINTR);
  char greeting = 0;
  return ready > 0 && receive_all(channel, &greeting, 1);
}

bool send_request(int channel, GuardedProcess::Serve serve, const GuardedMessage& request) {
  const RequestHead head{serve, request.bytes().size()};
  return send_all(channel, &head, sizeof(head)) &&
         send_all(channel, request.bytes().data(), request.bytes().size());
}

AnswerKind receive_answer(int channel, std::string& bytes) {
  AnswerHead head{};
  if (!receive_all(channel, &head, sizeof(head)) || head.size > longest_answer) {
    return AnswerKind::none;
  }
  bytes.resize(head.size);
  return receive_all(channel, bytes.data(), bytes.size()) ? head.kind : AnswerKind::none;
}

}  // namespace tidewise
