#include "planner/mission/resolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "env/units/geographic_position.h"
#include "solver/step/reward.h"

namespace tidewise {
namespace {

/// What the costliest way costs from level 0 to the last: of the levels from 0 on, since one policy
/// serves all departures.
double costliest_way(const Mission& mission, const std::vector<Action>& actions, double step) {
  double costliest = 0;  // of an action
  for (const Action& action : actions) {
    costliest = std::max(
        costliest, -exact_action_reward(mission.objective, mission.energy, action.speed, step));
  }
  return mission.last.value * costliest;
}

/// The price of being late, at the target, of a mission that names none: five costliest ways, as
/// -1000 is to the 200 steps of the published problem, so that an arrival however late in time is
/// worth more than none, even where it is no more likely than one in five. Single precision has
/// room for it: it tells a 10000th of a step apart after thousands.
double default_late(const Mission& mission, const std::vector<Action>& actions, double step) {
  constexpr double least = 1000;
  constexpr double costliest_ways = 5;
  return 2 * std::min<double>(mission.arrival_reward, 0) -
         std::max(least, costliest_ways * costliest_way(mission, actions, step));
}

/// What a unit of length costs in still water at the speed that is the cheapest for it; 0 for a
/// vehicle that only drifts.
double cost_of_length(const Mission& mission, const std::vector<Action>& actions, double step) {
  constexpr double none = std::numeric_limits<double>::infinity();
  double least = none;
  for (const Action& action : actions) {
    if (!(action.speed > 0)) continue;
    const double a_unit_of_time =
        mission.objective == Objective::arrival
            ? arrival_haste / step
            : -exact_action_reward(mission.objective, mission.energy, action.speed, 1);
    least = std::min(least, a_unit_of_time / action.speed);
  }
  return least < none ? least : 0;
}

class Resolver {
 public:
  Resolver(const RunRequest& file, const EnvironmentReader& environment)
      : file_(file), environment_(environment), info_(environment.info()) {}

  ResolvedMission resolve() const {
    const RunRequest::Goal& goal = file_.mission;
    ResolvedMission resolved;
    Mission& mission = resolved.mission;
    mission.objective = goal.objective;
    mission.energy = goal.energy;
    mission.battery = file_.vehicle.battery;
    const bool only_arrival = goal.objective == Objective::arrival;
    mission.arrival_reward = only_arrival ? 1.0F : static_cast<float>(goal.arrival_reward);
    resolve_times(mission);
    require_scalar();
    const PlanePoint start = resolve_position("start", goal.start);
    const PlanePoint target = resolve_position("target", goal.target);
    mission.start_x = start.x;
    mission.start_y = start.y;
    mission.target_x = target.x;
    mission.target_y = target.y;
    mission.start = cell_of(start);
    refuse_large_target(target, goal.target_radius);
    mission.target = target_cells(info_.grid, target.x, target.y, goal.target_radius);
    mission.disc = target_disc(info_.grid, target.x, target.y, goal.target_radius);
    refuse_closed_start(mission);
    refuse_closed_target(mission);
    resolved.actions = resolve_actions(file_, info_);
    resolved.rule = resolve_rule(file_, info_);
    mission.failure = only_arrival ? prices_of_arrival(mission, resolved.actions)
                                   : failure_prices(goal, mission, resolved.actions);
    refuse_large_rewards(mission, resolved.rule);
    return resolved;
  }

 private:
  [[noreturn]] void refuse(std::string_view key, const std::string& why) const {
    throw InputError(fmt::format("{}: {} {}", file_.place(key), key, why));
  }

  std::string environment_name() const { return environment_.path().string(); }

  void resolve_times(Mission& mission) const {
    const std::int32_t last_level = info_.time.level_count - 1;
    const std::int32_t departure = file_.mission.departure;
    if (departure >= last_level) {
      refuse("mission.departure",
             fmt::format("is {}; {} holds levels 0 to {}, so it must be from 0 to {}", departure,
                         environment_name(), last_level, last_level - 1));
    }
    const std::int32_t horizon = file_.mission.horizon.value_or(last_level - departure);
    if (horizon > last_level - departure) {
      refuse("mission.horizon",
             fmt::format("is {} steps; from level {} on {} holds {}, so it must be from 1 to {}",
                         horizon, departure, environment_name(), last_level - departure,
                         last_level - departure));
    }
    mission.departure = TimeLevel(departure);
    mission.last = TimeLevel(departure + horizon);
  }

  void require_scalar() const {
    if (file_.mission.objective != Objective::net_energy || info_.has_scalar) return;
    refuse(
        "mission.objective",
        fmt::format("is net_energy, and {} has no scalar field {} to harvest from; bring one in "
                    "('tidewise env import --scalar'), name it ([environment.names] scalar_mean), "
                    "or use the objective energy",
                    environment_name(), environment_.names().scalar_mean));
  }

  CellIndex cell_of(const PlanePoint& point) const {
    return info_.grid.cell(info_.grid.column_at(point.x), info_.grid.row_at(point.y));
  }

  PlanePoint resolve_position(const char* which, const Position& position) const {
    if (position.frame == Position::Frame::geographic) {
      return resolve_geographic(fmt::format("mission.{}_lonlat", which), position);
    }
    const Grid& grid = info_.grid;
    const double column = (position.first - grid.x_first) / grid.dx;
    const double row = (position.second - grid.y_first) / grid.dy;
    // Judged in floating point first: far away, a column does not fit an integer.
    if (column >= -0.5 && column <= grid.nx && row >= -0.5 && row <= grid.ny &&
        grid.contains(grid.column_at(position.first), grid.row_at(position.second))) {
      return {position.first, position.second};
    }
    refuse(
        fmt::format("mission.{}", which),
        fmt::format("is [{}, {}], outside the domain of {}; x must lie from {} to {} and y from {} "
                    "to {}",
                    position.first, position.second, environment_name(), grid.x(0) - grid.dx / 2,
                    grid.x(grid.nx - 1) + grid.dx / 2, grid.y(0) - grid.dy / 2,
                    grid.y(grid.ny - 1) + grid.dy / 2));
  }

  PlanePoint resolve_geographic(const std::string& key, const Position& position) const {
    if (info_.coordinates != Coordinates::geographic) {
      refuse(key, fmt::format("needs the variables {} and {}, which {} lacks; give {} in the "
                              "environment's x and y",
                              environment_.names().lon, environment_.names().lat,
                              environment_name(), key.substr(0, key.rfind('_'))));
    }
    const auto longitude = environment_.read_longitude();
    const auto latitude = environment_.read_latitude();
    refuse_gaps(environment_.names().lon, longitude);
    refuse_gaps(environment_.names().lat, latitude);
    const auto point = to_plane(info_.grid, longitude, latitude, position.first, position.second);
    if (point) return *point;
    const auto [west, east] = std::minmax_element(longitude.begin(), longitude.end());
    const auto [south, north] = std::minmax_element(latitude.begin(), latitude.end());
    refuse(key,
           fmt::format("is [{}, {}], outside the domain of {}, which lies between {:.3f} and "
                       "{:.3f} degrees east, {:.3f} and {:.3f} degrees north; choose a point in it",
                       position.first, position.second, environment_name(), *west, *east, *south,
                       *north));
  }

  void refuse_gaps(const std::string& variable, const std::vector<double>& degrees) const {
    if (std::all_of(degrees.begin(), degrees.end(), [](double d) { return std::isfinite(d); }))
      return;
    throw InputError(
        fmt::format("{}: variable {} holds NaN or infinity; give every cell centre its "
                    "degrees, on land too",
                    environment_name(), variable));
  }

  std::string position_key(const char* which, const Position& position) const {
    const bool geographic = position.frame == Position::Frame::geographic;
    return fmt::format("mission.{}{}", which, geographic ? "_lonlat" : "");
  }

  void refuse_closed_start(const Mission& mission) const {
    const auto masked = environment_.read_masked(mission.departure);
    if (masked[static_cast<std::size_t>(mission.start.value)] == 0) return;
    const Position& start = file_.mission.start;
    refuse(position_key("start", start),
           fmt::format(
               "is [{}, {}], in a cell (row {}, column {}) that {} closes at level {}: land or "
               "an obstacle; start in open water",
               start.first, start.second, info_.grid.row(mission.start),
               info_.grid.column(mission.start), environment_name(), mission.departure.value));
  }

  /// In which every start would have arrived.
  void refuse_large_target(const PlanePoint& target, double radius) const {
    const double farthest = farthest_from(target_disc(info_.grid, target.x, target.y, 0));
    if (radius == 0 || radius < farthest) return;
    refuse(
        "mission.target_radius",
        fmt::format("is {}, and no cell of {} is farther from the target than {:.6g}: every start "
                    "would have arrived; reduce it",
                    radius, environment_name(), farthest));
  }

  /// The greatest distance of a cell to the target [m or 1].
  double farthest_from(const TargetDisc& disc) const {
    double farthest = 0;
    for (const std::int32_t column : {0, info_.grid.nx - 1}) {
      for (const std::int32_t row : {0, info_.grid.ny - 1}) {
        farthest = std::max(farthest, disc.distance(info_.grid, column, row));
      }
    }
    return farthest;
  }

  /// What failing is worth where it is not said: being late by default_late(), and by what the rest
  /// of the way costs in still water; an obstacle and the border twice that of whoever is late and
  /// farthest away, so that nobody goes there to be spared the way.
  FailurePrices failure_prices(const RunRequest::Goal& goal, const Mission& mission,
                               const std::vector<Action>& actions) const {
    if (goal.failure_penalty) {
      const auto penalty = static_cast<float>(*goal.failure_penalty);
      return {penalty, penalty, penalty, 0};
    }
    const double by_costs = default_late(mission, actions, info_.time.step);
    const double late = goal.failure.late.value_or(by_costs);
    FailurePrices prices;
    prices.late_per_length = cost_of_length(mission, actions, info_.time.step);
    const double farthest = prices.late_per_length * farthest_from(mission.disc);
    const double stranded = 2 * (std::min(late, by_costs) - farthest);
    prices.late = static_cast<float>(late);
    prices.obstacle = static_cast<float>(goal.failure.obstacle.value_or(stranded));
    prices.outside = static_cast<float>(goal.failure.outside.value_or(stranded));
    return prices;
  }

  /// Failing is worth nothing where arriving is worth 1; what tells failures apart is as small as
  /// what tells arrivals apart. Whoever is late goes on toward the target, and nobody goes ashore
  /// to be spared the way.
  FailurePrices prices_of_arrival(const Mission& mission,
                                  const std::vector<Action>& actions) const {
    FailurePrices prices;
    prices.late = 0;
    prices.late_per_length = cost_of_length(mission, actions, info_.time.step);
    const double dearest = costliest_way(mission, actions, info_.time.step) +
                           prices.late_per_length * farthest_from(mission.disc);
    prices.obstacle = prices.outside = static_cast<float>(-2 * dearest);
    return prices;
  }

  /// A target that is open at no level from the departure on can never be reached.
  void refuse_closed_target(const Mission& mission) const {
    const bool fixed = info_.obstacles != Obstacles::moving;
    const TimeLevel first = mission.departure;
    const TimeLevel last = fixed ? first : mission.last;
    for (std::int32_t k = first.value; k <= last.value; ++k) {
      const auto masked = environment_.read_masked(TimeLevel(k));
      for (std::size_t cell = 0; cell < masked.size(); ++cell) {
        if (mission.target[cell] != 0 && masked[cell] == 0) return;
      }
    }
    const Position& target = file_.mission.target;
    refuse(position_key("target", target),
           fmt::format("is [{}, {}], and {} closes every cell of the target at every level of the "
                       "mission: land or an obstacle; choose open water, or widen "
                       "mission.target_radius",
                       target.first, target.second, environment_name()));
  }

  /// Expectations are float32 sums of count times worth, so the worth of a whole mission times all
  /// counts must fit. Harvests are judged level by level, where the scalar field is known.
  void refuse_large_rewards(const Mission& mission, const PositionRule& rule) const {
    struct Part {
      const char* key;
      double worth;  ///< over a mission
    };
    const RunRequest::Goal& goal = file_.mission;
    if (!std::isfinite(harvest_factor(goal.objective, goal.energy, info_.time.step))) {
      refuse("mission.harvest.c_r",
             fmt::format("is {}, too large for single precision: reduce it", goal.energy.c_r));
    }
    const double speed =
        *std::max_element(file_.vehicle.speeds.begin(), file_.vehicle.speeds.end());
    // A policy begins at level 0, wherever the mission departs.
    const double duration = mission.last.value * info_.time.step;
    const double thrust = speed * speed * duration;
    std::vector<Part> parts{{"mission.arrival_reward", std::abs(goal.arrival_reward)}};
    // What failing is worth by default comes of the other parts, which are to blame for it.
    double sum = 0;
    const FailurePrices& failure = mission.failure;
    const auto price = [&](const char* key, const std::optional<double>& given, double worth) {
      if (given) {
        parts.push_back({key, std::abs(worth)});
      } else {
        sum = std::max(sum, std::abs(worth));
      }
    };
    if (goal.failure_penalty) {
      price("mission.failure_penalty", goal.failure_penalty, failure.late);
    } else {
      price("mission.failure.obstacle", goal.failure.obstacle, failure.obstacle);
      price("mission.failure.outside", goal.failure.outside, failure.outside);
      price("mission.failure.late", goal.failure.late,
            failure.late_at(farthest_from(mission.disc)));
    }
    switch (goal.objective) {
      case Objective::time:
        parts.push_back({"mission.horizon", duration});
        break;
      case Objective::energy:
      case Objective::net_energy:
        parts.push_back({"vehicle.energy.c_f", goal.energy.c_f * thrust});
        parts.push_back({"vehicle.energy.c_t", goal.energy.c_t * duration});
        break;
      case Objective::weighted:
        parts.push_back({"vehicle.energy.c_f", goal.energy.alpha * goal.energy.c_f * thrust});
        parts.push_back({"mission.horizon", (1 - goal.energy.alpha) * duration});
        break;
      case Objective::arrival:
        return;  // worths of about 1
    }
    for (const auto& part : parts) sum += part.worth;
    const double limit = most_reward(info_, rule);
    if (sum <= limit) return;
    const auto blamed = std::max_element(
        parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.worth < b.worth; });
    refuse(blamed->key,
           fmt::format("makes up {:.3g} of a mission's penalty, reward and costs over {} steps; "
                       "together they must stay below {:.3g} to be counted in single precision: "
                       "reduce it",
                       blamed->worth, mission.last.value, limit));
  }

  const RunRequest& file_;
  const EnvironmentReader& environment_;
  const EnvironmentInfo& info_;
};

}  // namespace

double most_reward(const EnvironmentInfo& info, const PositionRule& rule) {
  constexpr double most = 1e37;  // float32 ends at 3.4e38
  return most / row_total(info, rule);
}

ResolvedMission resolve_mission(const RunRequest& file, const EnvironmentReader& environment) {
  return Resolver(file, environment).resolve();
}

std::vector<Action> resolve_actions(const RunRequest& file, const EnvironmentInfo& info) {
  try {
    return make_actions(file.vehicle.speeds, file.vehicle.headings, info.grid, info.time);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file.place("vehicle.speeds"), error.what()));
  }
}

PositionRule resolve_rule(const RunRequest& file, const EnvironmentInfo& info) {
  try {
    return position_rule(file.planner.landing, info);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file.place("planner.landing"), error.what()));
  }
}

std::vector<std::int32_t> resolve_realizations(const RunRequest& file,
                                               const EnvironmentInfo& info) {
  const RealizationChoice& choice = file.rollout.realizations;
  const std::int32_t available = info.realization_count;
  const auto refuse = [&](const std::string& found) {
    constexpr std::string_view key = "rollout.realizations";
    throw InputError(fmt::format("{}: {} {}; {} has {}, numbered 0 to {}", file.place(key), key,
                                 found, file.environment.file.string(), available, available - 1));
  };
  if (const auto* list = std::get_if<std::vector<std::int32_t>>(&choice)) {
    const std::int32_t greatest = *std::max_element(list->begin(), list->end());
    if (greatest >= available) refuse(fmt::format("holds {}", greatest));
    return *list;
  }
  std::int32_t count = available;
  if (const auto* chosen = std::get_if<std::int32_t>(&choice)) count = *chosen;
  if (count > available) refuse(fmt::format("is {}", count));
  std::vector<std::int32_t> realizations(static_cast<std::size_t>(count));
  std::iota(realizations.begin(), realizations.end(), 0);
  return realizations;
}

}  // namespace tidewise
