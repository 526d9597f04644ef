#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <vector>

#include "app/batch/pass/ready_mission.h"
#include "app/batch/table/row.h"
#include "base/parallel/strand.h"

namespace tidewise {

/// The row of a mission that failed.
BatchRow failed_row(std::size_t mission, const std::exception& error);

/// Writes missions that were flown and commits their folders, on a thread of its own, so that the
/// next ones fly meanwhile. A few flown missions wait at most. One that cannot be written has its
/// reason in its row and stops no other. Used by one thread.
class MissionWriter {
 public:
  /// `complete` adds to a mission's summary what is left, on the writer's thread.
  MissionWriter(PolicyFiles policies, std::function<void(ReadyMission&)> complete);

  /// The mission is the writer's from here on, until take_rows() after finish() or leave().
  void put(ReadyMission& mission, RolloutResult rollout);
  /// All missions of `solve` were put or have their rows: its policy is completed, their folders
  /// are committed, and its memory is freed.
  void end(ReadySolve& solve);
  /// Waits until all of it is written.
  void finish();
  /// The same where something else failed; after an interruption it drops what waits.
  void leave() noexcept;

  /// The rows that have come since the last call, in the order in which missions ended.
  std::vector<BatchRow> take_rows();

 private:
  void write(ReadyMission& mission, const RolloutResult& rollout);
  void conclude(ReadySolve& solve);
  void commit(ReadyMission& mission, const std::filesystem::path& policy);
  void fail(ReadyMission& mission, const std::exception& error);
  void give(BatchRow row);

  PolicyFiles policies_;
  std::function<void(ReadyMission&)> complete_;
  std::mutex mutex_;
  std::vector<BatchRow> rows_;
  Strand strand_;  // last: its work uses the rest
};

}  // namespace tidewise
