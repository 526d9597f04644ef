#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/file/guarded/guarded_message.h"

namespace tidewise {

/// A file in the process that reads it.
struct GuardedFile {
  std::filesystem::path at;                ///< path to open; already open in the asking process
  std::filesystem::path name;              ///< name for messages
  std::shared_ptr<void> object = nullptr;  ///< the open object that reads it
  /// Returns the shared memory.
  std::function<void*(std::uint64_t size)> memory = nullptr;
};

/// Error: processes that read files cannot run, whatever the file, because a debugger or a
/// sanitizer ends them, or because memory is too small.
class GuardFailure : public RunError {
 public:
  using RunError::RunError;
};

/// A process that reads one file, so that a damaged file can only harm this process if it makes a
/// library crash, loop for ever or take all memory. Requests are functions of this program, by
/// address, because the process is a copy of this program. A request may take some seconds of CPU
/// time, more for more data; waiting for a slow disk does not count. Thread-safe.
///
/// Readers are copies of a keeper process that does nothing else, so that they never hold memory,
/// locks or open files of a working program. start_keeper() starts it; otherwise the first open
/// file does.
///
/// If a reader ends, its file is reported as damaged only if a trial reader of a file in memory
/// survives, because on some systems every reader ends. In that case this user's own files are read
/// in the asking process from then on, and other files are refused with a GuardFailure.
class GuardedProcess {
 public:
  /// Function of a request: reads the rest of the request and writes the answer.
  using Serve = void (*)(GuardedFile& file, GuardedMessage& request, GuardedMessage& answer);

  /// Opens the file for reading, starts the process and calls `open` there as the first request.
  /// Errors: those of ask(); InputError if there is no such file or it cannot be read; RunError if
  /// no process can be started or too many files are open.
  GuardedProcess(const std::filesystem::path& path, Serve open);
  /// Tag of the constructor that starts a further process for the same file, even if its name now
  /// refers to another file.
  struct Another {};
  GuardedProcess(Another, const GuardedProcess& first);
  GuardedProcess(const GuardedProcess&) = delete;
  GuardedProcess& operator=(const GuardedProcess&) = delete;
  ~GuardedProcess();

  /// Starts the keeper. Call it before the program has threads, much memory or devices. If that
  /// fails, the first file to be read tries again and reports the reason.
  static void start_keeper();

  /// Lets the process end; the destructor waits for it. No request may follow.
  void end_soon();
  /// Locks the process while an answer's memory is read.
  std::unique_lock<std::recursive_mutex> lock() const { return std::unique_lock(mutex_); }
  /// As lock(), without waiting; not locked if another thread uses the process.
  std::unique_lock<std::recursive_mutex> try_lock() const { return {mutex_, std::try_to_lock}; }
  /// The memory that both processes share, of at least `size` bytes.
  void* memory(std::uint64_t size);
  /// Runs a request. Errors: those of `serve`; InputError if the process ends; GuardFailure if no
  /// reader can run here and the file belongs to another user.
  GuardedMessage ask(Serve serve, const GuardedMessage& request);

 private:
  struct Trial {};
  struct OpenFile {
    OpenFile() = default;
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile();
    int number = -1;
  };

  /// A process that reads a file made in memory, to test whether readers survive.
  explicit GuardedProcess(Trial);
  static bool readers_can_run();
  void start_reader();
  [[noreturn]] void fail() const;
  GuardedMessage ask_reader(Serve serve, const GuardedMessage& request, bool& ended);
  void open_in_this_process();
  GuardedMessage serve_in_this_process(Serve serve, const GuardedMessage& request);

  std::filesystem::path path_;
  Serve open_ = nullptr;
  bool is_owned_ = false;                              // this user owns the file
  bool reader_runs_ = false;                           // the reader has reported that it runs
  std::unique_ptr<GuardedFile> local_file_ = nullptr;  // set if the file is read in this process
  mutable std::recursive_mutex mutex_;
  OpenFile file_;  // also for further processes of the same file
  OpenFile channel_;
  OpenFile memory_file_;
  void* memory_ = nullptr;
  std::uint64_t memory_size_ = 0;
};

}  // namespace tidewise
