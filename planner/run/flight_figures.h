#pragma once

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

/// "98.5 % arrive after 93.1 h", and for what it costs where the objective counts that: "with
/// energy 12.5"; what is not known is left out.
std::string describe_figures(const RolloutStatistics& flown, Objective objective, Units units);
std::string describe_figures(const ExpectedOutcome& expected, Objective objective, Units units);

}  // namespace tidewise
