#include "solver/rollout.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/first_error.h"
#include "solver/chain_step.h"
#include "solver/continuous_step.h"
#include "solver/level_pair.h"

namespace tidewise {
namespace {

/// One flight as it grows.
struct Flight {
  Trajectory trajectory;
  Vehicle vehicle;
  StepOutcome state = StepOutcome::under_way;
};

TrajectoryPoint point_of(const Vehicle& vehicle) {
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  return {vehicle.x,
          vehicle.y,
          none,
          none,
          static_cast<float>(vehicle.spent),
          static_cast<float>(vehicle.harvested)};
}

TrajectoryOutcome final_outcome(StepOutcome state) {
  switch (state) {
    case StepOutcome::arrived:
      return TrajectoryOutcome::arrived;
    case StepOutcome::obstacle:
      return TrajectoryOutcome::obstacle;
    case StepOutcome::out_of_domain:
      return TrajectoryOutcome::out_of_domain;
    case StepOutcome::out_of_time:
    case StepOutcome::under_way:
      break;
  }
  return TrajectoryOutcome::out_of_time;
}

std::vector<std::int32_t> realizations_to_fly(const EnvironmentInfo& info,
                                              const RolloutOptions& options) {
  std::vector<std::int32_t> numbers = options.realizations;
  if (numbers.empty()) {
    numbers.resize(static_cast<std::size_t>(info.realization_count));
    std::iota(numbers.begin(), numbers.end(), 0);
  }
  for (const std::int32_t number : numbers) {
    if (number >= 0 && number < info.realization_count) continue;
    throw InputError(
        fmt::format("rollout.realizations holds {}; the environment has realizations 0 to {}",
                    number, info.realization_count - 1));
  }
  if (options.mode == RolloutMode::chain) {
    if (options.flights > 0) numbers.resize(static_cast<std::size_t>(options.flights));
    std::iota(numbers.begin(), numbers.end(), 0);
  }
  return numbers;
}

/// All vehicles of one rollout, which advance together.
class Fleet {
 public:
  Fleet(const EnvironmentInfo& info, const std::vector<Action>& actions, const Mission& mission,
        const RolloutOptions& options)
      : info_(info),
        actions_(actions),
        mission_(mission),
        options_(options),
        effects_(action_effects(actions, mission, info.time.step)),
        policy_(static_cast<std::size_t>(info.grid.cell_count())),
        up_to_(info.realization_weight.size()) {
    std::partial_sum(info.realization_weight.begin(), info.realization_weight.end(),
                     up_to_.begin());
  }

  RolloutResult run(const EnvironmentReader& environment, const PolicySource& policy,
                    Progress& progress) {
    const auto numbers = realizations_to_fly(info_, options_);  // judged before anything is read
    LevelPair levels(environment, mission_.departure, mission_.last);
    depart(numbers, levels.next().closed);
    progress.begin("flying", mission_.last.value - mission_.departure.value, "levels");
    for (TimeLevel k = mission_.departure; k < mission_.last && any_under_way(); ++k.value) {
      levels.advance();
      read_policy(policy, k, effects_.size(), {policy_.data(), policy_.size()});
      advance(make_step_context(info_, mission_, effects_, policy_, levels, k), k);
      progress.advance_to(k.value + 1 - mission_.departure.value);
    }
    progress.end();
    return result();
  }

 private:
  void depart(const std::vector<std::int32_t>& numbers, View<const std::uint8_t> closed) {
    flights_.resize(numbers.size());
    const Grid& grid = info_.grid;
    Vehicle vehicle;
    vehicle.x = mission_.start_x;
    vehicle.y = mission_.start_y;
    if (options_.mode == RolloutMode::chain) {
      vehicle.x = grid.x(grid.column(mission_.start));
      vehicle.y = grid.y(grid.row(mission_.start));
    }
    const StepOutcome state = outcome_at_start(mission_, closed, mission_.start);
    if (state == StepOutcome::obstacle || state == StepOutcome::out_of_time) {
      vehicle.total_reward = mission_.failure_penalty;
    }
    for (std::size_t n = 0; n < flights_.size(); ++n) {
      Flight& flight = flights_[n];
      flight.vehicle = vehicle;
      flight.state = state;
      flight.trajectory.realization = numbers[n];
      flight.trajectory.points.push_back(point_of(vehicle));
    }
  }

  void advance(const StepContext& context, TimeLevel k) {
    if (options_.mode == RolloutMode::continuous) {
      const ContinuousStep step{context};
      advance_all([&](const Trajectory& trajectory, Vehicle& vehicle) {
        return step(trajectory.realization, vehicle);
      });
    } else {
      const ChainStep step{
          context,
          DisplacementScale(info_.grid, info_.time),
          {Philox(options_.seed), count_total(info_), {up_to_.data(), up_to_.size()}}};
      advance_all([&](const Trajectory& trajectory, Vehicle& vehicle) {
        return step(trajectory.realization, k, vehicle);
      });
    }
  }

  template <class Step>
  void advance_all(const Step& step) {
    const bool worth_sharing =
        flights_.size() > 64;  // a thread takes longer to wake than to do these
    FirstError error;
#pragma omp parallel for schedule(static) num_threads(options_.threads) if (worth_sharing)
    for (std::size_t n = 0; n < flights_.size(); ++n) {
      error.run([&] { advance(flights_[n], step); });
    }
    error.rethrow();
  }

  template <class Step>
  void advance(Flight& flight, const Step& step) {
    if (flight.state != StepOutcome::under_way) return;
    const StepRecord record = step(flight.trajectory, flight.vehicle);
    flight.state = record.outcome;
    if (record.action == no_action) return;
    auto& points = flight.trajectory.points;
    const Action& taken = actions_[static_cast<std::size_t>(record.action)];
    points.back().heading = static_cast<float>(taken.heading);
    points.back().speed = static_cast<float>(taken.speed);
    points.push_back(point_of(flight.vehicle));
  }

  bool any_under_way() const {
    for (const Flight& flight : flights_) {
      if (flight.state == StepOutcome::under_way) return true;
    }
    return false;
  }

  RolloutResult result() {
    RolloutResult result{options_.mode, mission_.departure, {}};
    result.trajectories.reserve(flights_.size());
    for (Flight& flight : flights_) {
      flight.trajectory.outcome = final_outcome(flight.state);
      flight.trajectory.total_reward = flight.vehicle.total_reward;
      result.trajectories.push_back(std::move(flight.trajectory));
    }
    return result;
  }

  const EnvironmentInfo& info_;
  const std::vector<Action>& actions_;
  const Mission& mission_;
  const RolloutOptions& options_;
  std::vector<ActionEffect> effects_;
  std::vector<std::int16_t> policy_;  // (y, x), of the level at work
  std::vector<std::uint32_t> up_to_;  // (realization), weights summed; empty without weights
  std::vector<Flight> flights_;
};

}  // namespace

RolloutResult fly(const EnvironmentReader& environment, const std::vector<Action>& actions,
                  const Mission& mission, const PolicySource& policy, const RolloutOptions& options,
                  Progress& progress) {
  return Fleet(environment.info(), actions, mission, options).run(environment, policy, progress);
}

}  // namespace tidewise
