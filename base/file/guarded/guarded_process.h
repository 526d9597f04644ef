#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/file/guarded/guarded_message.h"

namespace tidewise {

/// A file as the process knows it that reads it.
struct GuardedFile {
  std::filesystem::path at;    ///< where to open it: the asking process opened it before
  std::filesystem::path name;  ///< what the user calls it
  std::shared_ptr<void> object = nullptr;  ///< what reads it, once it is open
  std::function<void*(std::uint64_t size)> memory =
      nullptr;  ///< the memory that both processes see
};

/// No process that reads files lives long enough here to read one, whatever is in it: a debugger or
/// a sanitizer ends it, or there is too little memory.
class GuardFailure : public RunError {
 public:
  using RunError::RunError;
};

/// A process in which one file is read, so that whatever a damaged file does to the library that
/// reads it ends there: a crash, a loop without end, memory without end. Its requests are functions
/// of this program, by their address, because it is a copy of this program. It may take
/// seconds of processor time for one, more the more data is asked for; waiting for a slow disk does
/// not count. Any number of threads may ask.
///
/// Readers are copies of a keeper that does nothing else, so that they never hold memory, locks or
/// open files of a program at work. The first file that is opened starts it, unless
/// start_keeper() did.
///
/// A reader that ends tells nothing of its file where every reader ends, so that one of a file made
/// in memory has to live before a file is called damaged. Where it does not, this user's own files
/// are read in the asking process from then on, and others are refused by a GuardFailure.
class GuardedProcess {
 public:
  /// What a request runs: takes the rest of the request, puts the answer.
  using Serve = void (*)(GuardedFile& file, GuardedMessage& request, GuardedMessage& answer);

  /// Opens the file for reading, starts the process and asks `open` there, the first of its
  /// requests. Errors: those of ask(), InputError naming the path when there is no such file or it
  /// is no file that can be read, RunError when no process can be started or too many files are
  /// open.
  GuardedProcess(const std::filesystem::path& path, Serve open);
  /// One more process that reads the same file, whatever its name leads to by now.
  struct Another {};
  GuardedProcess(Another, const GuardedProcess& first);
  GuardedProcess(const GuardedProcess&) = delete;
  GuardedProcess& operator=(const GuardedProcess&) = delete;
  ~GuardedProcess();

  /// Starts the keeper, which is best done before there are threads, much memory or devices. Where
  /// it cannot be started, the first file to be read tries again and tells why.
  static void start_keeper();

  /// Lets the process end, for which the destructor waits. No request comes after this.
  void end_soon();
  /// Held while an answer's memory is looked at.
  std::unique_lock<std::recursive_mutex> lock() const { return std::unique_lock(mutex_); }
  /// The same without waiting: nothing where another thread asks.
  std::unique_lock<std::recursive_mutex> try_lock() const { return {mutex_, std::try_to_lock}; }
  /// The memory that both processes see, of at least `size` bytes.
  void* memory(std::uint64_t size);
  /// Errors: those of `serve`, InputError where it does not come back, GuardFailure where no
  /// request does and the file is another user's.
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

  /// One that reads what it makes itself.
  explicit GuardedProcess(Trial);
  static bool readers_live();
  void start_reader();
  [[noreturn]] void fail() const;
  GuardedMessage ask_reader(Serve serve, const GuardedMessage& request, bool& ended);
  void open_here();
  GuardedMessage serve_here(Serve serve, const GuardedMessage& request);

  std::filesystem::path path_;
  Serve open_ = nullptr;
  bool own_ = false;                             // this user's file
  bool lives_ = false;                           // the reader has said that it does
  std::unique_ptr<GuardedFile> here_ = nullptr;  // where it is read without a reader
  mutable std::recursive_mutex mutex_;
  OpenFile file_;  // for those that read it beside this one
  OpenFile channel_;
  OpenFile memory_file_;
  void* memory_ = nullptr;
  std::uint64_t memory_size_ = 0;
};

}  // namespace tidewise
