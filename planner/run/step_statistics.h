#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "env/level_fields.h"
#include "env/points.h"
#include "model_builder/step/position.h"
#include "solver/flight/steering.h"
#include "solver/fly/trajectory.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Mean properties of the steps of flights along their own tracks. Members described as a share
/// measure effects that the model does not represent. They are relative to the length of a step
/// over ground or through the water, whichever is greater.
struct StepStatistics {
  double cells = 0;  ///< number of cells that a step passes
  double own = 0;    ///< cells that the vehicle's own motion crosses in a step
  /// Distance between the end of a step and that of a straight step in the flow at its beginning,
  /// as a share.
  double bend = 0;
  /// Displacement by the deviation from the mean flow that persists for one more step, as a share.
  double persists = 0;
  double length = 0;  ///< distance from start to target [cells]
  double disc = 0;    ///< radius of the target's disc [cells]; 0 without one
  double held = 0;    ///< path through the water during an action hold [cells]; 0 without one

  /// Returns the blur as a share of a step's length. Bilinear weights add a variance of a sixth of
  /// a squared cell per step along each axis (docs/trust/accuracy.md).
  double blur() const;
};

/// A mission and its flights.
struct FlownMission {
  const Mission* mission;
  const RolloutResult* rollout;
};

/// Returns one element per mission, from complete steps of some of its continuous flights. Reads
/// each level of the flights once, or 32 of them if there are more. Errors: those of reading.
std::vector<StepStatistics> measure_steps(const EnvironmentReader& environment,
                                          const std::vector<FlownMission>& flown,
                                          std::int32_t threads);

/// Accumulates the statistics of steps along the straight line from a mission's start to its
/// target, before planning. The steps are those of realization 0, at the levels that are added.
class StraightLineStatistics {
 public:
  /// `speed`: of the vehicle [m s-1 or 1]. `info` must outlive it.
  StraightLineStatistics(const EnvironmentInfo& info, const Mission& mission, double speed);
  /// Adds the steps that begin at a level.
  void add(const LevelView& level);
  /// Returns the mean of all added steps.
  StepStatistics result() const;

 private:
  const EnvironmentInfo& info_;
  PlanePoint from_;
  PlanePoint to_target_;  // [m or 1]
  Current own_velocity_;  // velocity through the water, along the line
  double length_ = 0;
  double cells_ = 0;
  double bend_ = 0;
  double count_ = 0;
};

/// Returns a warning if a plan along a straight line will differ from its flights, because steps
/// are bent by more than a tenth of their length; else "".
std::string validate_straight_line(const StepStatistics& steps, const EnvironmentInfo& info);

/// Returns the reason why plan and flights differ along tracks with these steps, and one remedy,
/// which tests have verified (tests/unit/planner/step_statistics_test.cpp). Begins with "; ".
/// `delay`: share of the time by which the plan is later than the flights; negative: earlier.
std::string explain_difference(const StepStatistics& steps, double delay,
                               const EnvironmentInfo& info);

}  // namespace tidewise
