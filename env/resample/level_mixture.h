#pragma once

#include <cstdint>
#include <vector>

#include "env/environment_info.h"
#include "env/import/import_forecast.h"
#include "env/index_range.h"

namespace tidewise {

/// A level of an environment and its weight.
struct LevelPart {
  std::int32_t level = 0;
  double weight = 0;
};

/// Finds the levels, and their weights, from which a new level is mixed.
class LevelMixture {
 public:
  /// `held`: Sampling::mean if a level holds the flow at the middle of its step (the last level: at
  /// its own time), Sampling::begin if it holds the flow at its own time (docs/model.md, 1.1).
  LevelMixture(const TimeAxis& time, ingest::Sampling held) : time_(time), held_(held) {}

  /// The mean of the flow at some times [s or 1]: linear between the times of two levels' flows,
  /// held before the first. Levels ascend, and weights sum to 1.
  std::vector<LevelPart> flow_at(const std::vector<double>& times) const;
  /// Interpolates fields that hold values at the levels' own times.
  std::vector<LevelPart> state_at(double time) const;
  /// The levels whose masks close cells to a step from `time` to `next`: the two around its
  /// beginning, and those within it.
  IndexRange closing(double time, double next) const;

 private:
  double last() const { return time_.level_count - 1; }
  double level_of(double time) const;

  TimeAxis time_;
  ingest::Sampling held_;
};

/// The sampling of an environment's levels, from its history: Sampling::begin for an import with
/// --sample begin and for the two gyres, Sampling::mean for all others.
ingest::Sampling held_by_levels(const std::string& history);

}  // namespace tidewise
