#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/memory/view.h"

namespace tidewise {

/// Data that this rank exchanges with another, the same number of bytes in both directions. Both
/// buffers are in memory that the communicator reaches.
struct Exchange {
  int with = 0;
  const std::byte* given = nullptr;
  std::byte* taken = nullptr;
  std::size_t size = 0;
};

/// Thrown by waiting functions when another thread has aborted the work; that thread reports why.
class WorkGivenUp final : public RunError {
 public:
  WorkGivenUp() : RunError("the work was given up by one of its threads") {}
};

/// A group of workers, each with a rank from 0 to size() − 1: processes started by mpirun
/// (join_processes), or threads of one process (make_thread_communicators). Messages between two
/// ranks arrive in order. Waiting ranks sleep, so that their core is free. Only the thread that
/// made a rank's object may use it. Errors of all calls: RunError when the exchange fails.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Rank and size among the ranks of this host.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;

  /// Copies the bytes and returns at once. `tag`: 0 … 32000.
  virtual void send(int to, int tag, View<const std::byte> bytes) = 0;
  /// Waits for the next message from this rank with this tag.
  virtual std::vector<std::byte> receive(int from, int tag) = 0;

  /// True if exchange_data() can access device memory, not only host memory.
  virtual bool reaches_devices() const { return false; }
  /// Exchanges data, without a copy if possible; returns when all is done. Both ranks of an
  /// exchange call it with the same size, at most 1 GiB, and tag.
  virtual void exchange_data(const std::vector<Exchange>& exchanges, int tag);

  // All ranks call the following, in the same order.

  /// Sends `bytes` of rank `root` to all ranks.
  void broadcast(std::vector<std::byte>& bytes, int root);
  /// The bytes of each rank, (rank), at rank `root`; empty elsewhere.
  std::vector<std::vector<std::byte>> gather(View<const std::byte> bytes, int root);
  /// Maximum and sum of all ranks' values, at every rank.
  virtual std::int64_t all_max(std::int64_t value) = 0;
  virtual std::int64_t all_sum(std::int64_t value) = 0;
  /// Waits for all ranks.
  virtual void barrier() = 0;

  /// Ends all ranks from one of them: processes at once, with this exit status (mpirun prints lines
  /// of its own about it); threads by WorkGivenUp from this call and from all waiting calls. For
  /// failures on which the ranks cannot agree.
  [[noreturn]] virtual void abort(int status) = 0;

  /// Notes that all ranks have agreed on the end of their common work, by success or failure, and
  /// that none waits for another. A rank that fails without this must call abort().
  void disband() { disbanded_ = true; }
  bool disbanded() const { return disbanded_; }

 private:
  bool disbanded_ = false;
};

/// Number of processes and rank, from the environment variables of mpirun and similar programs.
/// Does not call MPI.
struct Launch {
  int size = 1;  ///< processes started together; 1: only this one
  int rank = 0;  ///< rank of this process
};
/// Reads the environment variables.
Launch find_launch();

/// Joins this process with those started together with it; a single process calls no MPI. The main
/// thread must call it once and destroy the result, which waits for the other ranks. Errors:
/// RunError if several processes were started and this build has no MPI, or they cannot find each
/// other.
std::unique_ptr<Communicator> join_processes();

/// A group of one rank.
std::unique_ptr<Communicator> make_lone_communicator();

/// Communicators of a group of threads, (rank); each thread uses its own.
using ThreadCommunicators = std::vector<std::unique_ptr<Communicator>>;
/// Makes a group of `count` ≥ 1 ranks.
ThreadCommunicators make_thread_communicators(int count);

/// Runs work(rank) in a thread for each rank. Runs leave(rank) there once all ranks have ended
/// their work, because other ranks may read a rank's data until then. A rank that fails without
/// disband() aborts the others. `leave` must not throw. Errors: the first exception of `work`;
/// RunError if the threads cannot be started.
void work_as_ranks(
    const ThreadCommunicators& ranks, const std::function<void(Communicator&)>& work,
    const std::function<void(Communicator&)>& leave = [](Communicator&) {});

/// Presence of MPI in this build.
enum class MpiSupport { compiled, absent };

/// Returns whether this build can join processes by MPI.
MpiSupport mpi_support();

}  // namespace tidewise
