#pragma once

#include <optional>
#include <string>

#include "env/environment_info.h"
#include "output/run/recommendation.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/step/mission.h"
#include "tidewise/policy.h"

namespace tidewise {

/// Formats a number as "361500", "66.43" or "0.0051": with `digits` significant digits, and without
/// a power of ten except for extreme values.
std::string plain_number(double value, int digits = 4);

/// Formats a duration as "101.2 h", "45 min" or "30 s"; as "66.43" if the environment has no units.
std::string describe_duration(double time, Units units);

/// Formats a share as "98.5 %". "100 %" and "0 %" stand only for all or none.
std::string describe_chance(double share);

/// Describes arrivals as "98.5 % of 60 flights", or without probabilities as "59 of 60 simulated
/// missions".
std::string describe_arriving(const RolloutStatistics& flown);

/// Formats an energy: as "1.97 MJ" if the mission gives the power in watts; as "25.1 h at 1 m/s",
/// the time at that speed with the same energy, if its coefficient is 1; as "66.2" if the
/// environment has no units.
std::string describe_energy(double energy, const EnergyModel& model, Units units);

/// The common unit of energies in a table: its name, and its size in units of the environment.
struct EnergyUnit {
  double size = 1;
  const char* name = "";  ///< "kJ", "h at 1 m/s" or ""
};
EnergyUnit energy_unit(const EnergyModel& model, Units units);

/// True if reports show the energy by default: if the objective counts it, if it has a unit, or if
/// the environment has no units.
bool reports_energy(Objective objective, const EnergyModel& model, Units units);

/// Describes station keeping as "within the target 83 % of the time" or "1.2 km away on average".
std::string describe_keeping(double keeping, bool is_distance, Units units);

/// Returns the predicted station keeping; nullopt for missions with a target.
std::optional<ExpectedKeeping> keeping_of(const ExpectedOutcome& expected);

/// Sets the predicted station keeping in `expected`; no effect for missions with a target.
void set_keeping(const Mission& mission, const EnvironmentInfo& info, ExpectedOutcome& expected);

/// Describes results as "98.5 % of 200 arrive after 93.1 h", or as "9 of 9 arrive" without
/// probabilities, followed by "with energy 12.5" if the objective counts energy. Unknown figures
/// are omitted. Predictions have no number of flights: "98.5 % arrive". Station keeping is
/// described by describe_keeping().
std::string describe_figures(const RolloutStatistics& flown, Objective objective,
                             const EnergyModel& model, Units units);
std::string describe_figures(const ExpectedOutcome& expected, Objective objective,
                             const EnergyModel& model, Units units, bool has_probability);

}  // namespace tidewise
