#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/memory/view.h"

namespace tidewise {

/// What this rank and another give each other, as many bytes either way. Both are in memory that
/// the communicator reaches.
struct Trade {
  int with = 0;
  const std::byte* given = nullptr;
  std::byte* taken = nullptr;
  std::size_t size = 0;
};

/// Thrown out of whatever a thread waits in when another one has given up, which says why.
class WorkGivenUp final : public RunError {
 public:
  WorkGivenUp() : RunError("the work was given up by one of its threads") {}
};

/// Several workers at one piece of work, each with a rank from 0 to size() − 1: processes that
/// mpirun has started (join_processes), or threads of one process (make_thread_communicators).
/// Messages between two of them arrive in the order they were sent in. Waiting sleeps, so that a
/// rank without work leaves its core to others. Each rank's object is used by one thread, the one
/// that made it. Errors of all calls: RunError when the exchange fails.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Among the ranks of this host.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;

  /// Copies the bytes and returns at once. `tag`: 0 … 32000.
  virtual void send(int to, int tag, View<const std::byte> bytes) = 0;
  /// Waits for the next such message.
  virtual std::vector<std::byte> receive(int from, int tag) = 0;

  /// Whether trade() reaches the memory of devices, and not the host's alone.
  virtual bool reaches_devices() const { return false; }
  /// Gives and takes without a copy where it can; returns when all is done. The ranks that a trade
  /// is between call it with the same size and tag, at most 1 GiB.
  virtual void trade(const std::vector<Trade>& trades, int tag);

  // What follows is called by all ranks, in the same order.

  /// Gives `bytes` of rank `root` to all.
  void broadcast(std::vector<std::byte>& bytes, int root);
  /// What each rank has given, (rank), at rank `root`; empty elsewhere.
  std::vector<std::vector<std::byte>> gather(View<const std::byte> bytes, int root);
  /// The greatest of all ranks' values, and their sum, at every rank.
  virtual std::int64_t all_max(std::int64_t value) = 0;
  virtual std::int64_t all_sum(std::int64_t value) = 0;
  /// Waits until all ranks have come here.
  virtual void barrier() = 0;

  /// Ends all ranks from one of them, wherever the others are: processes at once, with this exit
  /// status (mpirun says so in lines of its own); threads by WorkGivenUp out of this call and out
  /// of whatever the others wait in. For what the ranks cannot agree on any more.
  [[noreturn]] virtual void abort(int status) = 0;

  /// Notes that all ranks know that their common work is over, done or failed, and that none waits
  /// for another any more. Who fails without this has to abort().
  void disband() { disbanded_ = true; }
  bool disbanded() const { return disbanded_; }

 private:
  bool disbanded_ = false;
};

/// How this process was started, by what mpirun and its like leave in the environment. No MPI is
/// called for it.
struct Launch {
  int size = 1;  ///< processes that were started together; 1: this one alone
  int rank = 0;
};
Launch find_launch();

/// Joins this process with those that were started together with it; alone, it calls no MPI. To be
/// called once a process, by its main thread, which is also to destroy the result: that waits for
/// the other ranks. Errors: RunError where processes were started together, and this build has no
/// MPI, or they cannot find each other.
std::unique_ptr<Communicator> join_processes();

/// A group of one.
std::unique_ptr<Communicator> make_lone_communicator();

/// A group of `count` threads of this process, (rank), one for each thread to use.
using ThreadCommunicators = std::vector<std::unique_ptr<Communicator>>;
ThreadCommunicators make_thread_communicators(int count);

/// Does work(rank) by a thread for each rank, and then `leave`, once all have ended their work:
/// until then others may look at what a rank has made. A rank that fails without disbanding the
/// others aborts them. Errors: what `work` threw first; RunError where the threads cannot be had.
/// `leave` throws nothing.
void work_as_ranks(
    const ThreadCommunicators& ranks, const std::function<void(Communicator&)>& work,
    const std::function<void(Communicator&)>& leave = [](Communicator&) {});

enum class MpiSupport { compiled, absent };

/// Whether this build can join processes.
MpiSupport mpi_support();

}  // namespace tidewise
