#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/batch/pass/progress.h"
#include "app/batch/pass/queue.h"
#include "app/batch/table/row.h"

namespace tidewise {

/// The device and threads of a worker. `device` replaces planner.device of its missions; `threads`
/// applies if a mission has no planner.threads.
struct WorkerResources {
  std::string name;                     ///< "GPU 1", for messages
  std::optional<std::int32_t> device;   ///< number of the GPU
  std::optional<std::int32_t> threads;  ///< the worker's share of the host's threads
};

/// Computes passes until there are no more, or until the worker's GPU is lost: the unfinished
/// missions of that pass return to the queue for other workers. Errors: those of run_pass() except
/// DeviceLost; an error stops the queue.
void work_through(PassQueue& queue, const WorkerResources& resources, BatchProgress& progress,
                  RowSink& rows);

/// `request` without the missions in `ended`, which have a row already.
PassRequest without(const PassRequest& request, const std::vector<std::size_t>& ended);

/// Forwards rows and records the missions that they belong to.
class RecordingSink final : public RowSink {
 public:
  explicit RecordingSink(RowSink& inner) : inner_(inner) {}
  void take(BatchRow row) override {
    const std::size_t mission = row.mission;
    inner_.take(std::move(row));
    ended_.push_back(mission);  // after take(): if it throws, the mission must run again
  }
  const std::vector<std::size_t>& ended() const { return ended_; }

 private:
  RowSink& inner_;
  std::vector<std::size_t> ended_;
};

}  // namespace tidewise
