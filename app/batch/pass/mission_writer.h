#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
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

/// The threads of a MissionWriter.
struct WriterThreads {
  std::size_t writers = 1;   ///< missions written at a time
  std::int32_t packers = 1;  ///< threads that pack a mission

  /// Divides `threads` threads for a pass of `missions` missions. Several missions are written at a
  /// time, since packing one uses few threads, and waiting for the disk none.
  WriterThreads(std::int32_t threads, std::size_t missions);
  /// Number of all threads.
  std::size_t all() const { return writers * static_cast<std::size_t>(packers); }
};

/// Writes flights of missions and commits the missions' folders, several at a time on its own
/// threads, while the next missions fly. If a mission cannot be written, its row has the reason,
/// and the others continue. Used by one thread.
class MissionWriter {
 public:
  /// `tracks`: maximum number of flights in a trajectories.nc. `complete` fills in the rest of a
  /// mission's summary, on the writer's threads. `room`: maximum number of missions that wait to be
  /// written, ≥ 1.
  MissionWriter(PolicyFiles policies, std::size_t tracks, const WriterThreads& threads,
                std::size_t room, std::function<void(ReadyMission&)> complete);

  /// Queues the flights of a mission of `solve`, after waiting for room. The mission's problem and
  /// folder must not change until end().
  void put(ReadySolve& solve, ReadyMission& mission, std::shared_ptr<const RolloutResult> flights);
  /// After its flights are written, completes the policy of `solve`, commits its folders and frees
  /// its memory. Requires that each of its missions is flown or has a row. Only the writer may use
  /// the missions until take_rows() was called after finish() or finish_after_failure().
  void end(ReadySolve& solve);
  /// Waits until everything is written. Errors: the first one of the writer's threads.
  void finish();
  /// Like finish(), after another failure: drops errors and, after an interruption, queued
  /// missions.
  void finish_after_failure() noexcept;

  /// The rows since the last call, in the order in which missions ended.
  std::vector<BatchRow> take_rows();

 private:
  void run(std::function<void()> work);
  void wait();
  void write(ReadyMission& mission, const RolloutResult& flights);
  /// Counts a piece of work of the solve as done; true if it was the last before the next step.
  bool finish_piece(const ReadySolve& solve);
  void conclude(ReadySolve& solve);
  void close(ReadySolve& solve);
  void commit(ReadyMission& mission, const std::filesystem::path& policy);
  void fail(ReadyMission& mission, const std::exception& error);
  void add_row(BatchRow row);

  PolicyFiles policies_;
  std::size_t tracks_;  // maximum number of flights in a trajectories.nc
  std::int32_t packers_;
  std::function<void(ReadyMission&)> complete_;
  std::mutex mutex_;  // guards the members up to error_
  std::vector<BatchRow> rows_;
  std::map<const ReadySolve*, std::size_t> open_;  // remaining pieces of work before the next step
  std::size_t pieces_in_pool_ = 0;                 // queued or in progress
  std::condition_variable done_;
  FirstError error_;
  ByteBudget room_;  // one byte per mission
  ThreadPool pool_;  // declared last: its work uses the other members
};

}  // namespace tidewise
