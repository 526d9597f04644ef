#pragma once

#include <optional>
#include <string>

#include "env/environment_info.h"
#include "output/run/recommendation.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/step/mission.h"
#include "tidewise/policy.h"

namespace tidewise {

/// "361500", "66.43", "0.0051": `digits` significant digits, without a power of ten except for
/// extreme values.
std::string plain_number(double value, int digits = 4);

/// "101.2 h", "45 min", "30 s"; "66.43" where the environment is without units.
std::string describe_duration(double time, Units units);

/// "100 %", "98.5 %"; "100 %" and "0 %" only where all or none arrive.
std::string describe_chance(double share);

/// "98.5 % of 60 flights", or where they carry no probability "59 of 60 simulated missions".
std::string describe_arriving(const RolloutStatistics& flown);

/// "1.97 MJ" if the mission gives the power in watts; "25.1 h at 1 m/s", the time at that speed
/// that takes the same energy, if it leaves the coefficient at 1; "66.2" if the environment has no
/// units.
std::string describe_energy(double energy, const EnergyModel& model, Units units);

/// The common unit of energies in one table: its name, and how many of the environment's units it
/// holds.
struct EnergyUnit {
  double size = 1;
  const char* name = "";  ///< "kJ", "h at 1 m/s" or ""
};
EnergyUnit energy_unit(const EnergyModel& model, Units units);

/// True if reports show the energy by default: if the objective counts it, if it has a unit, or if
/// the environment has no units.
bool reports_energy(Objective objective, const EnergyModel& model, Units units);

/// "within the target 83 % of the time", or "1.2 km away on average".
std::string describe_keeping(double keeping, bool is_distance, Units units);

/// nullopt unless the mission keeps to a place.
std::optional<ExpectedKeeping> keeping_of(const ExpectedOutcome& expected);

/// Sets in `expected` how well the plan keeps to its place; no effect for other missions.
void set_keeping(const Mission& mission, const EnvironmentInfo& info, ExpectedOutcome& expected);

/// "98.5 % arrive after 93.1 h", or "9 of 9 arrive" where there is no probability, and for what it
/// costs where the objective counts that: "with energy 12.5"; what is not known is left out. Where
/// the mission keeps to a place as describe_keeping().
std::string describe_figures(const RolloutStatistics& flown, Objective objective,
                             const EnergyModel& model, Units units);
std::string describe_figures(const ExpectedOutcome& expected, Objective objective,
                             const EnergyModel& model, Units units, bool has_probability);

}  // namespace tidewise
