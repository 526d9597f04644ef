#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "env/grid.h"
#include "env/points.h"
#include "model_builder/step/actions.h"
#include "solver/step/failure_penalties.h"
#include "solver/step/target_disc.h"
#include "tidewise/mission.h"

namespace tidewise {

/// Words of Objective, in its order, as mission files write them.
template <>
inline constexpr std::array<std::string_view, 7> words_of<Objective>{
    "time", "energy", "net_energy", "weighted", "arrival", "stay", "follow"};

/// True if the mission stays near a place until time is up and has no target (docs/model.md, 3.11).
constexpr bool keeps(Objective objective) {
  return objective == Objective::stay || objective == Objective::follow;
}

/// True if the objective depends on the energy spent.
constexpr bool counts_energy(Objective objective) {
  return objective != Objective::time && objective != Objective::arrival && !keeps(objective);
}

/// True if the objective depends on a scalar field: that of the environment, or the one that a
/// mission derives from the place that it stays near.
constexpr bool counts_scalar(Objective objective) {
  return objective == Objective::net_energy || keeps(objective);
}

/// A via point: passed when a step ends in one of its cells (docs/model.md, 3.7).
struct ViaPlace {
  std::vector<std::int32_t> cells;  ///< ascending
  TargetDisc circles;               ///< circles that cover the cells, for distances
  double rest = 0;  ///< distance from it through the later via points to the target [m or 1]
};

/// The place that a mission stays near (docs/model.md, 3.11). `stay` has cells or a disc, `follow`
/// a track or a line.
struct KeptPlace {
  std::vector<std::uint8_t> cells;  ///< (y, x), 1 in the cells of the place
  /// For one or several points with a radius; without a radius only `cells` counts.
  TargetDisc disc{};
  std::vector<PlanePoint> track{};  ///< (level): positions of a moving point
  std::vector<PlanePoint> line{};   ///< vertices of a line
};

/// Levels at which a mission decides: `phase`, and every `every` steps before and after it. Between
/// them the action is held (docs/model.md, 3.9).
struct Decisions {
  std::int32_t every = 1;  ///< steps
  TimeLevel phase;
  /// For a policy: true if it may start at any level. It decides at the level of departure and
  /// every `every` steps after it.
  bool for_all_departures = false;

  /// True if actions are held for more than one step.
  bool hold() const { return every > 1; }
  /// Steps from the last deciding level to k; 0 if k decides.
  std::int32_t since(TimeLevel k) const {
    if (for_all_departures) return 0;
    const std::int32_t steps = (k.value - phase.value) % every;
    return steps < 0 ? steps + every : steps;
  }
  /// Steps from k to the next deciding level, 1 or more.
  std::int32_t until_next(TimeLevel k) const { return every - since(k); }
};

/// A mission in an environment, with places resolved to cells and times to levels.
struct Mission {
  Objective objective = Objective::time;
  EnergyModel energy;
  std::vector<double> profile_power;  ///< (profile): EnergyModel::dive; empty: 0 for all profiles
  double start_x = 0;                 ///< [m or 1]
  double start_y = 0;
  double target_x = 0;
  double target_y = 0;
  CellIndex start;                   ///< cell that contains the start
  std::vector<std::uint8_t> target;  ///< (y, x), 1 in the target; no target if there is `kept`
  TargetDisc disc;                   ///< around the target, if it has a radius
  /// Place to stay near, in place of a target; set if keeps(objective).
  std::optional<KeptPlace> kept;
  /// Capacity of the battery (docs/model.md, 4.2), in the unit of `energy`; nullopt: no limit.
  std::optional<double> battery;
  TimeLevel departure;
  /// Share of the departure's step that is over when the vehicle departs, 0 ≤ begun < 1; 0 departs
  /// at the level. A flight makes the rest of the step. The model has only levels: it departs at
  /// both levels with weights 1 − begun and begun (docs/model.md, 4.4).
  double begun = 0;
  TimeLevel last;  ///< L: the level at which time is up
  Decisions decisions;
  float arrival_reward = 100.0F;
  FailurePenalties failure;
  /// Distance from closed cells and from the grid's border beyond which the plan has no proximity
  /// penalty [m or 1] (docs/model.md, 3.10); 0: no penalty anywhere. Flights ignore it.
  double margin = 0;
  VehicleError error;         ///< Action::error contains its displacements
  std::vector<ViaPlace> via;  ///< via points, in the order in which they must be passed

  /// Energy model of a dive on this profile (Action::profile).
  EnergyModel energy_on(std::int32_t profile) const {
    EnergyModel dive_model = energy;
    if (!profile_power.empty()) dive_model.dive = profile_power[static_cast<std::size_t>(profile)];
    return dive_model;
  }
};

/// True if a vehicle under way holds its action at level k: the level does not decide, and the
/// vehicle does not depart there.
inline bool holds_at(const Mission& mission, TimeLevel k) {
  return k != mission.departure && mission.decisions.since(k) > 0;
}

/// Time of departure [s or 1].
inline double departure_time(const TimeAxis& time, const Mission& mission) {
  return time.at(mission.departure) + mission.begun * time.step;
}

/// Time from departure until time is up [s or 1].
inline double mission_duration(const TimeAxis& time, const Mission& mission) {
  return time.at(mission.last) - departure_time(time, mission);
}

/// Levels at which the model departs: one, or two for a departure between levels.
std::vector<TimeLevel> departure_levels(const Mission& mission);

/// Weight of the level after `departure` if the model departs between two levels; 0 if it is the
/// last level, from which no step is left.
inline double weight_of_next_level(const Mission& mission) {
  return mission.departure.value + 1 < mission.last.value ? mission.begun : 0;
}

/// Cells whose centre lies within `radius` of (x, y), and the cell that contains the point; (y, x).
/// Requires that the point lies in the grid.
std::vector<std::uint8_t> target_cells(const Grid& grid, double x, double y, double radius);

/// Disc of this radius [m or 1] around (x, y). If the radius is 0, only the centre is set.
TargetDisc target_disc(const Grid& grid, double x, double y, double radius);

}  // namespace tidewise
