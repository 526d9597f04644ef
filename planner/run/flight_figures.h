#pragma once

#include <optional>
#include <string>

#include "env/environment_info.h"
#include "solver/evaluate/forward_evaluation.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/step/mission.h"

namespace tidewise {

/// "361500", "66.43", "0.0051": so many digits that count, and no power of ten but for what is
/// beyond all use.
std::string plain_number(double value, int digits = 4);

/// "101.2 h", "45 min", "30 s"; "66.43" where the environment is without units.
std::string describe_duration(double time, Units units);

/// "within the target 83 % of the time", or "1.2 km away on average".
std::string describe_keeping(double keeping, bool is_distance, Units units);

/// How well a plan is expected to keep to its place.
struct ExpectedKeeping {
  double mean = 0;
  bool is_distance = false;
};
/// Nothing where the mission keeps to none.
std::optional<ExpectedKeeping> keeping_of(const ExpectedOutcome& expected);

/// Notes in `expected` what it comes to; nothing where the mission keeps to no place.
void note_keeping(const Mission& mission, const EnvironmentInfo& info, ExpectedOutcome& expected);

/// "98.5 % arrive after 93.1 h", and for what it costs where the objective counts that: "with
/// energy 12.5"; what is not known is left out. Where the mission keeps to a place as
/// describe_keeping().
std::string describe_figures(const RolloutStatistics& flown, Objective objective, Units units);
std::string describe_figures(const ExpectedOutcome& expected, Objective objective, Units units);

}  // namespace tidewise
