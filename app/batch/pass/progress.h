#pragma once

#include <cstdint>
#include <mutex>

#include "base/progress.h"

namespace tidewise {

/// The progress bar of a batch, which several passes advance at once. Its unit is a level of work.
class BatchProgress {
 public:
  /// Calls `inner` under a lock. Errors, also of advance() and end(): those of `inner`, such as an
  /// interruption by the user.
  BatchProgress(Progress& inner, std::int64_t total);
  void advance(std::int64_t levels);
  void end();

 private:
  std::mutex mutex_;
  Progress& inner_;
  std::int64_t done_ = 0;
};

/// Work of a pass in levels. Counting the transitions of a level takes as long as several backups,
/// evaluations or flights of one.
std::int64_t counting_work(std::int64_t levels, std::size_t solves);
std::int64_t evaluating_work(std::int64_t levels, std::size_t missions);
std::int64_t flying_work(std::int64_t levels);

/// Progress of a pass by stages, forwarded to the batch's progress.
class PassProgress final : public Progress {
 public:
  explicit PassProgress(BatchProgress& batch) : batch_(batch) {}

  /// Completes the previous stage and begins one of `work` levels, in which begin() is called
  /// `parts` times.
  void begin_stage(std::int64_t work, int parts);
  /// Completes the pass, so that all of its `work` levels are forwarded.
  void complete(std::int64_t work);

  void begin(std::string_view work, std::int64_t total, std::string_view unit) override;
  void advance_to(std::int64_t done) override;
  void end() override {}

 private:
  /// Forwards progress up to `levels` of this pass; lower values are ignored.
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
