#include "support/ocean/reference_outcome.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "model_builder/step/displacement.h"
#include "solver/step/reward.h"
#include "support/ocean/reference_step.h"

namespace tidewise::test {
namespace {

// The two levels of each step of a mission, one pair after the other.
class Levels {
 public:
  Levels(const EnvironmentReader& environment, TimeLevel end)
      : environment_(environment), end_(end), now(environment.info()), next(environment.info()) {}
  void go_to(std::int32_t k) {
    environment_.read_level(TimeLevel(k), now);
    environment_.read_level(TimeLevel(k + 1), next);
    last = k + 1 == end_.value;
  }
  Step step(const Mission& leg) const { return {environment_.info(), leg, now, next, last}; }

 private:
  const EnvironmentReader& environment_;
  TimeLevel end_;

 public:
  LevelFields<> now;
  LevelFields<> next;
  bool last = false;
};

// Returns the policy's actions on a leg at level k, (cell).
std::vector<std::int16_t> actions_at(const PolicySource& policy, const Mission& mission,
                                     std::size_t leg, std::int32_t k, std::size_t cells) {
  std::vector<std::int16_t> action(cells);
  const PolicySource& leg_policy = mission.via.empty() ? policy : policy.leg(leg);
  leg_policy.read_action(TimeLevel(k), {action.data(), cells});
  return action;
}

bool is_held(const Mission& mission, std::int32_t k) {
  return k != mission.departure.value && !decides(mission, k);
}

// Returns the leg after a cell is entered, which may pass several via points at once.
std::size_t leg_in(const Mission& mission, std::int32_t cell, std::size_t leg) {
  const auto is_in = [&](const ViaPlace& place) {
    return std::find(place.cells.begin(), place.cells.end(), cell) != place.cells.end();
  };
  while (leg < mission.via.size() && is_in(mission.via[leg])) ++leg;
  return leg;
}

double spent_by(const Mission& mission, const Action& action, double step) {
  const EnergyModel energy = mission.energy_on(action.profile);
  return (energy.c_f * action.speed * action.speed + energy.c_t + energy.dive) * step;
}

// Energy and reward of a step or of several steps.
struct Totals {
  double spent = 0;
  double harvested = 0;
  double reward = 0;
};
Totals totals_of(const Step& step, const Action& action, StepOutcome outcome, double made,
                 float late_value, const std::pair<float, float>& scalar) {
  const Mission& mission = step.mission;
  const double length = step.info.time.step;
  const float action_part =
      action_reward(mission.objective, mission.energy_on(action.profile), action.speed, length);
  Totals added{made * spent_by(mission, action, length), 0, 0};
  const bool failed = outcome == StepOutcome::obstacle || outcome == StepOutcome::out_of_domain;
  if (step.info.has_scalar && !failed) {
    added.harvested =
        made * mission.energy.c_r * (double{scalar.first} + double{scalar.second}) / 2 * length;
  }
  const double earned = made * double{reward(step, scalar, action_part)};
  const bool is_late = outcome == StepOutcome::out_of_time;
  if (outcome == StepOutcome::obstacle) {
    added.reward = mission.failure.obstacle;
  } else if (outcome == StepOutcome::out_of_domain) {
    added.reward = mission.failure.outside;
  } else if (is_late && !mission.kept) {
    added.reward = late_value;
  } else {
    added.reward = earned + (outcome == StepOutcome::arrived ? mission.arrival_reward : 0.0F);
  }
  return added;
}

// Returns the outcome of a mission that ends at its start, in a closed cell or on its last leg in
// the target; else under_way.
StepOutcome outcome_of_start(const EnvironmentReader& environment, const Mission& mission) {
  LevelFields<> fields(environment.info());
  environment.read_level(mission.departure, fields);
  const auto start = static_cast<std::size_t>(mission.start.value);
  if (fields.masked[start] != 0) return StepOutcome::obstacle;
  const bool is_last_leg = leg_in(mission, mission.start.value, 0) == mission.via.size();
  return is_last_leg && mission.target[start] != 0 ? StepOutcome::arrived : StepOutcome::under_way;
}

// Probability of a state, and the products of probability with the energy spent and harvested
// before.
struct Mass {
  double probability = 0;
  double spent = 0;
  double harvested = 0;
};

}  // namespace

ExpectedOutcome evaluate_reference(const EnvironmentReader& environment,
                                   const PlanningProblem& problem, const PolicySource& policy) {
  const EnvironmentInfo& info = environment.info();
  const Grid& grid = info.grid;
  const Mission& mission = problem.mission;
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  const auto weights = counting_weights(info, problem.rule);
  const double total = row_total(info, problem.rule);
  using State = std::tuple<std::size_t, std::int32_t, std::int16_t>;  // leg, cell, held action
  const std::int32_t start = mission.start.value;
  std::map<State, Mass> masses{{{leg_in(mission, start, 0), start, no_action}, {1, 0, 0}}};
  ExpectedOutcome outcome;
  switch (outcome_of_start(environment, mission)) {
    case StepOutcome::obstacle:
      outcome.obstacle_probability = 1;
      outcome.value = mission.failure.obstacle;
      return outcome;
    case StepOutcome::arrived:
      outcome.arrival_probability = 1;
      return outcome;
    default:
      break;
  }
  double arrival_time = 0;
  double arrival_spent = 0;
  double arrival_harvested = 0;
  Levels levels(environment, mission.last);
  const std::vector<Mission> legs = legs_of(mission);
  for (std::int32_t k = mission.departure.value; k < mission.last.value; ++k) {
    levels.go_to(k);
    std::vector<std::vector<std::int16_t>> chosen;
    for (std::size_t leg = 0; leg <= mission.via.size(); ++leg) {
      chosen.push_back(actions_at(policy, mission, leg, k, cells));
    }
    std::map<State, Mass> next_masses;
    for (const auto& [state, mass] : masses) {
      const auto [leg, cell, held] = state;
      const Step step = levels.step(legs[leg]);
      const auto cell_index = static_cast<std::size_t>(cell);
      const std::int16_t taken = is_held(mission, k) ? held : chosen[leg][cell_index];
      if (taken == no_action) {  // the cell closed, or the policy is incomplete
        (levels.now.masked[cell_index] != 0 ? outcome.obstacle_probability
                                            : outcome.without_action_probability) +=
            mass.probability;
        outcome.value += mass.probability * double{mission.failure.obstacle};
        outcome.harvested += mass.harvested;
        continue;
      }
      const Action& action = problem.actions[static_cast<std::size_t>(taken)];
      const LevelView profile_level = levels.now.view(info).profile(action.profile);
      const Cloud flow = cloud_of(profile_level, info.time, problem.rule, cell_index);
      const std::int32_t column = cell % grid.nx;
      const std::int32_t row = cell / grid.nx;
      for (const auto& [offset, shares] : count(flow, action.displacement, problem.rule, weights)) {
        const auto [dy, dx] = offset;
        const Landing landing = land(step, column, row, dx, dy);
        const bool is_late = landing.outcome == StepOutcome::out_of_time;
        const float late_value = is_late ? late(grid, step.mission, column + dx, row + dy) : 0.0F;
        const Totals added = totals_of(step, action, landing.outcome, landing.made, late_value,
                                       scalars(step, column, row, dx, dy));
        const double share = shares / total;
        const double p = mass.probability * share;
        const double spent = share * mass.spent + p * added.spent;
        const double harvested = share * mass.harvested + p * added.harvested;
        outcome.value += p * added.reward;
        switch (landing.outcome) {
          case StepOutcome::arrived:
            outcome.arrival_probability += p;
            arrival_time += p * (k - mission.departure.value + landing.made) * info.time.step;
            arrival_spent += spent;
            arrival_harvested += harvested;
            break;
          case StepOutcome::obstacle:
            outcome.obstacle_probability += p;
            break;
          case StepOutcome::out_of_domain:
            outcome.out_of_domain_probability += p;
            break;
          case StepOutcome::out_of_time:
            outcome.out_of_time_probability += p;
            break;
          default: {
            const std::int32_t to = grid.cell(column + dx, row + dy).value;
            Mass& successor = next_masses[{leg_in(mission, to, leg), to, taken}];
            successor.probability += p;
            successor.spent += spent;
            successor.harvested += harvested;
            continue;
          }
        }
        outcome.harvested += harvested;
      }
    }
    masses = std::move(next_masses);
  }
  const double arrived = outcome.arrival_probability;
  outcome.time = arrival_time / arrived;
  outcome.energy = arrival_spent / arrived;
  outcome.net_energy = (arrival_spent - arrival_harvested) / arrived;
  return outcome;
}

namespace {

// The flow of one realization around a point, interpolated in double between cells.
class Flow {
 public:
  Flow(const LevelView& level, std::int32_t realization)
      : level_(level), realization_(realization) {}

  std::pair<double, double> at(double x, double y) {
    const Grid& grid = level_.grid;
    const double p = std::clamp((x - grid.x_first) / grid.dx, 0.0, grid.nx - 1.0);
    const double q = std::clamp((y - grid.y_first) / grid.dy, 0.0, grid.ny - 1.0);
    west_ = std::min(static_cast<std::int32_t>(p), grid.nx - 2);
    south_ = std::min(static_cast<std::int32_t>(q), grid.ny - 2);
    double u = 0;
    double v = 0;
    double sum = 0;
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 2; ++i) {
        const auto cell = static_cast<std::size_t>(grid.cell(west_ + i, south_ + j).value);
        if (level_.dry[cell] != 0) continue;
        const double weight = (1 - std::abs(p - west_ - i)) * (1 - std::abs(q - south_ - j));
        u += weight * component_in(level_.u_mean, level_.u_mode, cell);
        v += weight * component_in(level_.v_mean, level_.v_mode, cell);
        sum += weight;
      }
    }
    return sum > 0 ? std::pair(u / sum, v / sum) : std::pair(0.0, 0.0);
  }
  // Returns the maximum number of cells crossed along an axis in `time`, by the flow at the four
  // centres around the point of the last call of at().
  double max_cells(double vehicle_u, double vehicle_v, double time) const {
    double max = 0;
    for (int n = 0; n < 4; ++n) {
      const auto cell =
          static_cast<std::size_t>(level_.grid.cell(west_ + n % 2, south_ + n / 2).value);
      const double u = component_in(level_.u_mean, level_.u_mode, cell) + vehicle_u;
      const double v = component_in(level_.v_mean, level_.v_mode, cell) + vehicle_v;
      max =
          std::max({max, std::abs(u) * time / level_.grid.dx, std::abs(v) * time / level_.grid.dy});
    }
    return max;
  }

 private:
  double component_in(View<const float> mean, View<const float> mode, std::size_t cell) const {
    const auto count = static_cast<std::size_t>(level_.realization_count);
    return velocity(mean[cell], mode.data + cell, mean.size, level_.coefficient.data + realization_,
                    count, level_.mode_count);
  }

  LevelView level_;
  std::int32_t realization_;
  std::int32_t west_ = 0;
  std::int32_t south_ = 0;
};

/// Position on a segment, 0 … 1, of the first contact with the closed box of a cell; above 1
/// without contact.
double box_entered(const Grid& grid, std::int32_t column, std::int32_t row, double x0, double y0,
                   double x, double y) {
  double first = 0;
  double last = 1;
  const auto clip = [&](double from, double to, double centre, double spacing) {
    const double low = centre - spacing / 2;
    const double high = centre + spacing / 2;
    if (from == to) {
      if (from < low || from > high) first = 2;
      return;
    }
    const double a = (low - from) / (to - from);
    const double b = (high - from) / (to - from);
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  };
  clip(x0, x, grid.x(column), grid.dx);
  clip(y0, y, grid.y(row), grid.dy);
  return first <= last ? first : 2;
}

struct PartResult {
  StepOutcome outcome = StepOutcome::under_way;
  double at = 1;  ///< fraction of the part
};

/// Follows one straight part of a step that began in (start_column, start_row).
PartResult follow(const Step& step, std::int32_t start_column, std::int32_t start_row, double x0,
                  double y0, double x, double y, bool is_last) {
  const Grid& grid = step.info.grid;
  const TargetDisc& disc = step.mission.disc;
  const std::int32_t column = grid.column_at(x);
  const std::int32_t row = grid.row_at(y);
  double blocked_at = 2;
  double reached_at = 2;
  const std::int32_t from_column = grid.column_at(x0);
  const std::int32_t from_row = grid.row_at(y0);
  for (std::int32_t j = std::min(from_row, row) - 1; j <= std::max(from_row, row) + 1; ++j) {
    for (std::int32_t i = std::min(from_column, column) - 1; i <= std::max(from_column, column) + 1;
         ++i) {
      if (!step.contains(i, j) || (i == from_column && j == from_row)) continue;
      const double at = box_entered(grid, i, j, x0, y0, x, y);
      const bool is_start = i == start_column && j == start_row;
      if (step.closed(i, j) && !is_start) blocked_at = std::min(blocked_at, at);
      if (step.mission.target[step.index(i, j)] == 1) reached_at = std::min(reached_at, at);
    }
  }
  const bool ends_in_start = column == start_column && row == start_row;
  if (is_last && ends_in_start && step.closed(column, row)) blocked_at = 1;
  if (disc.radius > 0) {
    reached_at = 2;
    for (std::int32_t n = 0; n < disc.circle_count; ++n) {
      const double from_x = x0 - grid.x(0) - disc.circle[n].column * grid.dx;
      const double from_y = y0 - grid.y(0) - disc.circle[n].row * grid.dy;
      reached_at = std::min(reached_at, disc_entered(from_x, from_y, x - x0, y - y0, disc.radius));
    }
    if (reached_at <= 1 && reached_at < blocked_at) return {StepOutcome::arrived, reached_at};
  } else if (reached_at <= 1 && reached_at < blocked_at) {
    return {StepOutcome::arrived, reached_at};
  }
  if (blocked_at <= 1) return {StepOutcome::obstacle, blocked_at};
  if (!step.contains(column, row)) return {StepOutcome::out_of_domain, 1};
  if (!is_last) return {};
  if (step.mission.target[step.index(column, row)] == 1) return {StepOutcome::arrived, 1};
  return {step.last ? StepOutcome::out_of_time : StepOutcome::under_way, 1};
}

TrajectoryOutcome end_of(StepOutcome outcome) {
  switch (outcome) {
    case StepOutcome::arrived:
      return TrajectoryOutcome::arrived;
    case StepOutcome::obstacle:
      return TrajectoryOutcome::obstacle;
    case StepOutcome::out_of_domain:
      return TrajectoryOutcome::out_of_domain;
    case StepOutcome::without_action:
      return TrajectoryOutcome::without_action;
    default:
      return TrajectoryOutcome::out_of_time;
  }
}

// Common part of flights in both modes, with totals, legs and the held action.
class Flight {
 public:
  Flight(const EnvironmentReader& environment, const PlanningProblem& problem,
         const PolicySource& policy)
      : environment_(environment), problem_(problem), policy_(policy) {}
  virtual ~Flight() = default;

  Trajectory fly() {
    const Mission& mission = problem_.mission;
    const Grid& grid = environment_.info().grid;
    x = mission.start_x;
    y = mission.start_y;
    begin();
    Trajectory trajectory;
    trajectory.begun = mission.begun;
    trajectory.points.push_back({x, y});
    Levels levels(environment_, mission.last);
    const std::vector<Mission> legs = legs_of(mission);
    StepOutcome outcome = outcome_of_start(environment_, mission);
    std::int16_t held = no_action;
    std::size_t leg = 0;
    Totals sum;
    if (outcome == StepOutcome::obstacle) sum.reward = mission.failure.obstacle;
    for (std::int32_t k = mission.departure.value;
         k < mission.last.value && outcome == StepOutcome::under_way; ++k) {
      levels.go_to(k);
      const std::int32_t cell = grid.cell(grid.column_at(x), grid.row_at(y)).value;
      const std::size_t entered = leg_in(mission, cell, leg);
      for (; leg < entered; ++leg) trajectory.passed.push_back(k - mission.departure.value);
      if (!is_held(mission, k)) {
        held = actions_at(policy_, mission, leg, k,
                          static_cast<std::size_t>(grid.cell_count()))[std::size_t(cell)];
      }
      if (held == no_action) {
        const bool is_closed = levels.now.masked[static_cast<std::size_t>(cell)] != 0;
        outcome = is_closed ? StepOutcome::obstacle : StepOutcome::without_action;
        sum.reward += mission.failure.obstacle;
        break;
      }
      const double begun = k == mission.departure.value ? mission.begun : 0;
      outcome = advance(levels.step(legs[leg]), levels.now.view(environment_.info()),
                        problem_.actions[static_cast<std::size_t>(held)], begun, sum,
                        trajectory.last_step);
      trajectory.points.push_back(
          {x, y, 0, 0, static_cast<float>(sum.spent), static_cast<float>(sum.harvested)});
    }
    trajectory.outcome = end_of(outcome);
    trajectory.total_reward = sum.reward;
    return trajectory;
  }

 protected:
  virtual void begin() {}
  /// Moves the vehicle to the end of the step.
  virtual StepOutcome advance(const Step& step, const LevelView& level, const Action& action,
                              double begun, Totals& sum, double& last_step) = 0;
  static void add(const Totals& added, Totals& sum) {
    sum.spent += added.spent;
    sum.harvested += added.harvested;
    sum.reward += added.reward;
  }

  const EnvironmentReader& environment_;
  const PlanningProblem& problem_;
  const PolicySource& policy_;
  double x = 0;
  double y = 0;
};

class ContinuousFlight final : public Flight {
 public:
  ContinuousFlight(const EnvironmentReader& environment, const PlanningProblem& problem,
                   const PolicySource& policy, std::int32_t realization)
      : Flight(environment, problem, policy), realization_(realization) {}

 private:
  StepOutcome advance(const Step& step, const LevelView& level, const Action& action, double begun,
                      Totals& sum, double& last_step) override {
    const Grid& grid = step.info.grid;
    const double time = step.info.time.step;
    const double u = action.speed * std::cos(action.heading);
    const double v = action.speed * std::sin(action.heading);
    const std::int32_t start_column = grid.column_at(x);
    const std::int32_t start_row = grid.row_at(y);
    const LevelView profile_level = level.profile(action.profile);
    const float scalar_from = scalar_at(profile_level, level.scalar, x, y);
    Flow flow(profile_level, realization_);
    const auto velocity_at = [&](double px, double py) {
      const auto [flow_u, flow_v] = flow.at(px, py);
      return std::pair(flow_u + u, flow_v + v);
    };
    double done = begun;
    PartResult end;
    for (;;) {
      (void)flow.at(x, y);  // sets the point of max_cells()
      const double remaining = 1 - done;
      const double parts =
          std::clamp(std::ceil(remaining * flow.max_cells(u, v, time)), 1.0, 4096.0);
      const double h = remaining / parts * time;
      const bool is_last = parts == 1;
      const auto [u1, v1] = velocity_at(x, y);
      const auto [u2, v2] = velocity_at(x + u1 * h / 2, y + v1 * h / 2);
      const auto [u3, v3] = velocity_at(x + u2 * h / 2, y + v2 * h / 2);
      const auto [u4, v4] = velocity_at(x + u3 * h, y + v3 * h);
      const double to_x = x + (u1 + 2 * u2 + 2 * u3 + u4) / 6 * h;
      const double to_y = y + (v1 + 2 * v2 + 2 * v3 + v4) / 6 * h;
      end = follow(step, start_column, start_row, x, y, to_x, to_y, is_last);
      x += end.at * (to_x - x);
      y += end.at * (to_y - y);
      done += end.at * remaining / parts;
      if (is_last || end.outcome != StepOutcome::under_way) break;
    }
    const bool arrives = end.outcome == StepOutcome::arrived;
    const double made = (arrives ? done : 1) - begun;
    last_step = arrives ? done : 1;
    LevelView next = step.next.view(step.info).profile(action.profile);
    const float scalar_to = scalar_at(next, step.next.view(step.info).scalar, x, y);
    const float late_value = late(grid, step.mission, grid.column_at(x), grid.row_at(y));
    add(totals_of(step, action, end.outcome, made, late_value, {scalar_from, scalar_to}), sum);
    return end.outcome;
  }
  static float scalar_at(const LevelView& level, View<const float> scalar, double px, double py) {
    if (scalar.empty()) return 0;
    // The scalar field is interpolated with the weights of the flow.
    LevelView as_flow = level;
    as_flow.u_mean = as_flow.v_mean = scalar;
    as_flow.mode_count = 0;
    return static_cast<float>(Flow(as_flow, 0).at(px, py).first);
  }

  std::int32_t realization_;
};

class ModelFlight final : public Flight {
 public:
  ModelFlight(const EnvironmentReader& environment, const PlanningProblem& problem,
              const PolicySource& policy, const std::vector<ModelDraw>& draws)
      : Flight(environment, problem, policy), draws_(draws) {}

 private:
  void begin() override {
    const Grid& grid = environment_.info().grid;
    x = grid.x(grid.column(problem_.mission.start));
    y = grid.y(grid.row(problem_.mission.start));
  }
  StepOutcome advance(const Step& step, const LevelView& level, const Action& action,
                      double /*begun*/, Totals& sum, double& last_step) override {
    const Grid& grid = step.info.grid;
    const PositionRule& rule = problem_.rule;
    const std::int32_t column = grid.column_at(x);
    const std::int32_t row = grid.row_at(y);
    const Cloud flow =
        cloud_of(level.profile(action.profile), step.info.time, rule, step.index(column, row));
    const ModelDraw& draw = draws_.at(steps_++);
    const auto [p, q] =
        position_in(flow, action.displacement, rule, static_cast<std::size_t>(draw.realization));
    const auto cells = [&](std::int32_t position, std::int32_t threshold) {
      if (rule.landing == LandingBy::cell) return int(std::floor((position + 128) / 256.0));
      const int first = int(std::floor(position / 256.0));
      return threshold < position - 256 * first ? first + 1 : first;
    };
    const int dx = cells(p, draw.x);
    const int dy = cells(q, draw.y);
    const Landing landing = land(step, column, row, dx, dy);
    const bool arrives = landing.outcome == StepOutcome::arrived;
    const double made = arrives ? landing.made : 1;
    x = made < 1 ? grid.x(column) + made * dx * grid.dx : grid.x(column + dx);
    y = made < 1 ? grid.y(row) + made * dy * grid.dy : grid.y(row + dy);
    last_step = made;
    add(totals_of(step, action, landing.outcome, made,
                  late(grid, step.mission, column + dx, row + dy),
                  scalars(step, column, row, dx, dy)),
        sum);
    return landing.outcome;
  }

  const std::vector<ModelDraw>& draws_;
  std::size_t steps_ = 0;
};

}  // namespace

Trajectory fly_reference(const EnvironmentReader& environment, const PlanningProblem& problem,
                         const PolicySource& policy, std::int32_t realization) {
  return ContinuousFlight(environment, problem, policy, realization).fly();
}

Trajectory fly_model_reference(const EnvironmentReader& environment, const PlanningProblem& problem,
                               const PolicySource& policy, const std::vector<ModelDraw>& draws) {
  return ModelFlight(environment, problem, policy, draws).fly();
}

}  // namespace tidewise::test
