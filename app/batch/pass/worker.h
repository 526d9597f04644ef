#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/batch/pass/progress.h"
#include "app/batch/pass/queue.h"
#include "app/batch/table/row.h"

namespace tidewise {

/// The device or threads of a worker, which replace the missions' own keys.
struct WorkerPlace {
  std::string name;                     ///< "GPU 1", for messages
  std::optional<std::int32_t> device;   ///< number of the GPU
  std::optional<std::int32_t> threads;  ///< its share of the host's
};

/// Takes passes until there are no more, or until its GPU is lost: what is left of that pass goes
/// back for the others. Errors: those of run_pass() but DeviceLost; the queue is stopped then.
void work_through(PassQueue& queue, const WorkerPlace& place, BatchProgress& progress,
                  RowSink& rows);

/// `order` without the missions that have a row already.
PassOrder without(const PassOrder& order, const std::vector<std::size_t>& ended);

/// Passes rows on and notes whose they were.
class NotingSink final : public RowSink {
 public:
  explicit NotingSink(RowSink& inner) : inner_(inner) {}
  void take(BatchRow row) override {
    const std::size_t mission = row.mission;
    inner_.take(std::move(row));
    ended_.push_back(mission);  // not before: a row that did not arrive is still owed
  }
  const std::vector<std::size_t>& ended() const { return ended_; }

 private:
  RowSink& inner_;
  std::vector<std::size_t> ended_;
};

}  // namespace tidewise
