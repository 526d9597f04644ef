#pragma once

#include <cstdint>
#include <mutex>

#include "base/progress.h"

namespace tidewise {

/// The one bar of a batch, moved by several passes at once. Its unit is a level of work.
class BatchProgress {
 public:
  /// `inner` is called under a lock. Errors, of both functions: those of `inner`, as when the user
  /// interrupts.
  BatchProgress(Progress& inner, std::int64_t total);
  void advance(std::int64_t levels);
  void end();

 private:
  std::mutex mutex_;
  Progress& inner_;
  std::int64_t done_ = 0;
};

/// Work of a batch's pass in levels: counting a level is as long as several backups, evaluations or
/// flights of one.
std::int64_t counting_work(std::int64_t levels, std::size_t solves);
std::int64_t evaluating_work(std::int64_t levels, std::size_t missions);
std::int64_t flying_work(std::int64_t levels);

/// The progress of one pass, stage by stage, passed on to the batch's.
class PassProgress final : public Progress {
 public:
  explicit PassProgress(BatchProgress& batch) : batch_(batch) {}

  /// A stage begins that is worth `work` levels and comes in `parts` calls of begin(); the one
  /// before is complete.
  void begin_stage(std::int64_t work, int parts);
  /// The pass is over; all of it, `work` levels, has been passed on.
  void complete(std::int64_t work);

  void begin(std::string_view work, std::int64_t total, std::string_view unit) override;
  void advance_to(std::int64_t done) override;
  void end() override {}

 private:
  /// Levels of this pass that are behind us; never goes back.
  void reach(std::int64_t levels);

  BatchProgress& batch_;
  std::int64_t reached_ = 0;
  std::int64_t stage_begin_ = 0;
  std::int64_t stage_work_ = 0;
  int parts_ = 1;
  int part_ = 0;
  std::int64_t total_ = 1;
};

}  // namespace tidewise
