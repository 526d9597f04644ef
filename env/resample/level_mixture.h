#pragma once

#include <cstdint>
#include <vector>

#include "env/environment_info.h"
#include "env/import/import_forecast.h"
#include "env/index_range.h"

namespace tidewise {

/// A level of an environment and what it counts for.
struct LevelPart {
  std::int32_t level = 0;
  double weight = 0;
};

/// Of which levels other levels are made.
class LevelMixture {
 public:
  /// `held`: the flow of a level is that of the middle of its step, and of the last level that of
  /// its own time; or that of its own time (docs/model.md, 1.1).
  LevelMixture(const TimeAxis& time, ingest::Sampling held) : time_(time), held_(held) {}

  /// The mean of the flow at some times [s or 1]: linear between the times of two levels' flows,
  /// held before the first. Levels grow, and weights sum to 1.
  std::vector<LevelPart> flow_at(const std::vector<double>& times) const;
  /// What has a value at the levels' own times.
  std::vector<LevelPart> state_at(double time) const;
  /// Those whose masks close cells to a step from `time` to `next`: the two around its beginning,
  /// and those within.
  IndexRange closing(double time, double next) const;

 private:
  double last() const { return time_.level_count - 1; }
  double place(double time) const;

  TimeAxis time_;
  ingest::Sampling held_;
};

/// What an environment's history says that its levels hold: an import with --sample begin and the
/// two gyres the flow of their own times, all else the mean of their steps.
ingest::Sampling held_by_levels(const std::string& history);

}  // namespace tidewise
