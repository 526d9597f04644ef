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
#include "solver/step/failure_prices.h"
#include "solver/step/target_disc.h"
#include "tidewise/mission.h"

namespace tidewise {

template <>
inline constexpr std::array<std::string_view, 7> words_of<Objective>{
    "time", "energy", "net_energy", "weighted", "arrival", "stay", "follow"};

/// Whether the mission keeps to a place until time is up, and arrives nowhere (docs/model.md,
/// 3.11).
constexpr bool keeps(Objective objective) {
  return objective == Objective::stay || objective == Objective::follow;
}

/// Whether what is spent has a part in what the objective counts.
constexpr bool counts_energy(Objective objective) {
  return objective != Objective::time && objective != Objective::arrival && !keeps(objective);
}

/// Whether a scalar field has a part in it: the environment's, or one that the mission makes of the
/// place that it keeps to.
constexpr bool counts_scalar(Objective objective) {
  return objective == Objective::net_energy || keeps(objective);
}

/// A place that a mission passes on its way: where a step ends in one of its cells, it is passed
/// (docs/model.md, 3.7).
struct ViaPlace {
  std::vector<std::int32_t> cells;  ///< ascending
  TargetDisc circles;               ///< that hold them, for distances
  double rest = 0;                  ///< [m or 1] from it by the places after it to the target
};

/// What a mission keeps to (docs/model.md, 3.11): of `stay` a place, of `follow` one of the others.
struct KeptPlace {
  std::vector<std::uint8_t> cells;  ///< (y, x), 1 in those that belong to the place
  TargetDisc disc{};                ///< of a point, or several, with a radius; else its cells alone
  std::vector<PlanePoint> track{};  ///< (level): where a point is that moves
  std::vector<PlanePoint> line{};   ///< the vertices of a line
};

/// When a mission decides: at the level `phase` and each `every` steps before and after it.
/// Between, an action is held (docs/model.md, 3.9).
struct Decisions {
  std::int32_t every = 1;  ///< steps
  TimeLevel phase;
  /// Of a policy: it decides at any level from which a mission departs, and at each `every` steps
  /// after it.
  bool for_all_departures = false;

  bool hold() const { return every > 1; }
  /// How many steps a level comes after the last that decides: 0 for one that does.
  std::int32_t since(TimeLevel k) const {
    if (for_all_departures) return 0;
    const std::int32_t steps = (k.value - phase.value) % every;
    return steps < 0 ? steps + every : steps;
  }
  /// How many steps after a level the next one comes that decides, 1 or more.
  std::int32_t until_next(TimeLevel k) const { return every - since(k); }
};

/// One mission on one environment, resolved to cells and levels.
struct Mission {
  Objective objective = Objective::time;
  EnergyModel energy;
  std::vector<double> profile_power;  ///< (profile): EnergyModel::dive; empty: 0 on all
  double start_x = 0;                 ///< [m or 1]
  double start_y = 0;
  double target_x = 0;
  double target_y = 0;
  CellIndex start;                   ///< the cell that holds the start
  std::vector<std::uint8_t> target;  ///< (y, x), 1 in the target; none where there is `kept`
  TargetDisc disc;                   ///< around the target, where it has a radius
  std::optional<KeptPlace> kept;     ///< in place of a target, where the objective keeps()
  std::optional<double> battery;     ///< what may be spent on the way, of what energy counts
  TimeLevel departure;
  /// Share of the departure's step that is over when the vehicle departs, 0 ≤ begun < 1: 0 departs
  /// at the level. A flight makes what is left of the step; the model, which knows levels alone,
  /// departs at the two with the weights 1 − begun and begun (docs/model.md, 4.4).
  double begun = 0;
  TimeLevel last;  ///< L: the level at which time is up
  Decisions decisions;
  float arrival_reward = 100.0F;
  FailurePrices failure;
  /// How far from closed cells and from the border of the grid a place has no price in the plan
  /// [m or 1] (docs/model.md, 3.10); 0: none has. Flights know nothing of it.
  double margin = 0;
  VehicleError error;         ///< the actions have it, too (Action::error)
  std::vector<ViaPlace> via;  ///< in the order in which they are to be passed

  /// What a dive of a profile costs, those of Action::profile.
  EnergyModel energy_on(std::int32_t profile) const {
    EnergyModel of_dive = energy;
    if (!profile_power.empty()) of_dive.dive = profile_power[static_cast<std::size_t>(profile)];
    return of_dive;
  }
};

/// Whether a vehicle under way goes on from level k with the action that it has: the level decides
/// not, and the vehicle does not depart there.
inline bool holds_at(const Mission& mission, TimeLevel k) {
  return k != mission.departure && mission.decisions.since(k) > 0;
}

/// When the vehicle departs [s or 1].
inline double departure_time(const TimeAxis& time, const Mission& mission) {
  return time.at(mission.departure) + mission.begun * time.step;
}

/// From the departure until time is up [s or 1].
inline double mission_duration(const TimeAxis& time, const Mission& mission) {
  return time.at(mission.last) - departure_time(time, mission);
}

/// The levels at which the model has it depart.
std::vector<TimeLevel> departure_levels(const Mission& mission);

/// The weight of the level after the departure's where the model departs between two; none where
/// that is the last one, at which no step is left.
inline double weight_of_next_level(const Mission& mission) {
  return mission.departure.value + 1 < mission.last.value ? mission.begun : 0;
}

/// Cells whose centre lies within `radius` of (x, y), and always the cell that holds it. (y, x)
/// Requires that the point lies in the grid.
std::vector<std::uint8_t> target_cells(const Grid& grid, double x, double y, double radius);

/// The disc of that radius, 0 or more, around (x, y), and the centre alone where it is 0.
TargetDisc target_disc(const Grid& grid, double x, double y, double radius);

}  // namespace tidewise
