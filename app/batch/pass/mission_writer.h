#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "app/batch/pass/ready_mission.h"
#include "app/batch/table/row.h"
#include "base/memory/byte_budget.h"
#include "base/parallel/first_error.h"
#include "base/parallel/thread_pool.h"

namespace tidewise {

/// The row of a mission that failed.
BatchRow failed_row(std::size_t mission, const std::exception& error);

/// Threads that write, and what each packs with.
struct WriterThreads {
  std::size_t writers = 1;   ///< missions at a time
  std::int32_t packers = 1;  ///< threads a mission

  /// For a pass of `missions` missions with `threads` threads. Several missions are written at a
  /// time: packing one uses few threads, and waiting for the disk none.
  WriterThreads(std::int32_t threads, std::size_t missions);
  /// All of them together.
  std::size_t all() const { return writers * static_cast<std::size_t>(packers); }
};

/// Writes missions that were flown and commits their folders, several at a time on threads of its
/// own, so that the next ones fly meanwhile. A few flown missions wait at most. One that cannot be
/// written has its reason in its row and stops no other. Used by one thread.
class MissionWriter {
 public:
  /// `complete` adds to a mission's summary what is left, on the writer's threads. `room`: missions
  /// that may be put and not yet written, ≥ 1.
  MissionWriter(PolicyFiles policies, std::size_t tracks, const WriterThreads& threads,
                std::size_t room, std::function<void(ReadyMission&)> complete);

  /// The mission, one of `solve`, is the writer's from here on, until take_rows() after finish() or
  /// leave(). Waits for room.
  void put(ReadySolve& solve, ReadyMission& mission, RolloutResult rollout);
  /// All missions of `solve` were put or have their rows: its policy is completed, their folders
  /// are committed, and its memory is freed.
  void end(ReadySolve& solve);
  /// Waits until all of it is written.
  void finish();
  /// The same after another failure. After an interruption it drops queued missions.
  void leave() noexcept;

  /// The rows that have come since the last call, in the order in which missions ended.
  std::vector<BatchRow> take_rows();

 private:
  void run(std::function<void()> work);
  void wait();
  void write(ReadyMission& mission, const RolloutResult& rollout);
  /// One piece of work less before the next step of the solve's; true where it was the last.
  bool is_last(const ReadySolve& solve);
  void conclude(ReadySolve& solve);
  void close(ReadySolve& solve);
  void commit(ReadyMission& mission, const std::filesystem::path& policy);
  void fail(ReadyMission& mission, const std::exception& error);
  void give(BatchRow row);

  PolicyFiles policies_;
  std::size_t tracks_;  // maximum number of flights in a trajectories.nc
  std::int32_t packers_;
  std::function<void(ReadyMission&)> complete_;
  std::mutex mutex_;  // guards the members up to error_
  std::vector<BatchRow> rows_;
  std::map<const ReadySolve*, std::size_t> open_;  // pieces of work before the next step
  std::size_t at_work_ = 0;                        // pieces that the pool has, or does
  std::condition_variable done_;
  FirstError error_;
  ByteBudget room_;  // a byte a mission
  ThreadPool pool_;  // last: its work uses the rest
};

}  // namespace tidewise
