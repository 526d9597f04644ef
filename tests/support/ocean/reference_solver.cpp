#include "support/ocean/reference_solver.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "env/level_fields.h"
#include "solver/step/reward.h"
#include "support/ocean/reference_step.h"

namespace tidewise::test {
namespace {

/// Returns the value of a step to the cell at an offset (docs/model.md, 3.1).
float landing_value(const Step& step, const std::vector<float>& value_next, std::int32_t column,
                    std::int32_t row, std::int32_t dx, std::int32_t dy, float action_part) {
  const Landing landing = land(step, column, row, dx, dy);
  const float earned = reward(step, scalars(step, column, row, dx, dy), action_part);
  switch (landing.outcome) {
    case StepOutcome::obstacle:
      return step.mission.failure.obstacle;
    case StepOutcome::out_of_domain:
      return step.mission.failure.outside;
    case StepOutcome::arrived:
      if (landing.made == 1) return earned + step.mission.arrival_reward;
      return std::fma(static_cast<float>(landing.made), earned, step.mission.arrival_reward);
    case StepOutcome::out_of_time:
      if (!step.mission.kept) return late(step.info.grid, step.mission, column + dx, row + dy);
      break;
    default:
      break;
  }
  return earned + value_next[step.index(column + dx, row + dy)];
}

float action_value(const RowCounts& counts, const Step& step, const std::vector<float>& value_next,
                   std::int32_t column, std::int32_t row, float action_part, float share) {
  float sum = 0;
  for (auto entry = counts.begin(); entry != counts.end();) {
    const std::int32_t dy = entry->first.first;
    float row_sum = 0;
    for (; entry != counts.end() && entry->first.first == dy; ++entry) {
      const float value =
          landing_value(step, value_next, column, row, entry->first.second, dy, action_part);
      row_sum = std::fma(static_cast<float>(entry->second), value, row_sum);
    }
    sum += row_sum;
  }
  return sum * share;
}

// One leg of the mission at the current level and at the next one.
struct Leg {
  Leg(const Mission& leg_mission, std::size_t cells, std::size_t actions)
      : mission(leg_mission),
        action(cells, no_action),
        value(cells),
        value_next(cells),
        held(actions, std::vector<float>(cells, 0.0F)),
        held_next(held) {}

  void advance() {
    std::swap(value, value_next);
    std::swap(held, held_next);
  }

  const Mission mission;
  std::vector<std::int16_t> action;  // π, (y, x)
  std::vector<float> value;          // v, (y, x)
  std::vector<float> value_next;
  std::vector<std::vector<float>> held;  // W_a (docs/model.md, 3.9), (action)(y, x)
  std::vector<std::vector<float>> held_next;
};

// Copies the next leg's results in the cells where a leg ends (docs/model.md, 3.7 and 3.9).
void copy_next_leg(const ViaPlace& place, const Leg& next, bool level_decides, Leg& leg) {
  for (const std::int32_t cell : place.cells) {
    const auto s = static_cast<std::size_t>(cell);
    leg.action[s] = next.action[s];
    leg.value[s] = next.value[s];
    if (level_decides) continue;
    for (std::size_t a = 0; a < leg.held.size(); ++a) leg.held[a][s] = next.held[a][s];
  }
}

}  // namespace

void solve_reference(const EnvironmentReader& environment, const PlanningProblem& problem,
                     PolicySink& sink) {
  const EnvironmentInfo& info = environment.info();
  const Grid& grid = info.grid;
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  const Mission& mission = problem.mission;
  const PositionRule& rule = problem.rule;
  const auto share = static_cast<float>(1.0 / row_total(info, rule));
  const auto weights = counting_weights(info, rule);
  std::vector<Leg> legs;
  for (const Mission& leg : legs_of(mission)) legs.emplace_back(leg, cells, problem.actions.size());
  const auto pass_to_sink = [&](std::int32_t k) {
    for (std::size_t m = legs.size(); m-- > 0;) {
      sink.accept(m, TimeLevel(k), {legs[m].action.data(), cells}, {legs[m].value.data(), cells});
    }
  };

  LevelFields<> now(info);
  LevelFields<> next(info);
  environment.read_level(mission.last, now);
  for (Leg& leg : legs) {
    for (std::size_t s = 0; s < cells; ++s) {
      const CellIndex cell(static_cast<std::int32_t>(s));
      const bool arrived = leg.mission.target[s] != 0;
      leg.value[s] = now.masked[s] != 0 ? leg.mission.failure.obstacle
                     : arrived          ? 0.0F
                               : late(grid, leg.mission, grid.column(cell), grid.row(cell));
    }
  }
  pass_to_sink(mission.last.value);

  for (std::int32_t k = mission.last.value - 1; k >= 0; --k) {
    std::swap(now, next);
    environment.read_level(TimeLevel(k), now);
    const bool last = k + 1 == mission.last.value;
    for (Leg& leg : legs) leg.advance();
    for (std::size_t s = 0; s < cells; ++s) {
      const CellIndex cell(static_cast<std::int32_t>(s));
      const std::int32_t column = grid.column(cell);
      const std::int32_t row = grid.row(cell);
      for (Leg& leg : legs) {
        leg.action[s] = no_action;
        leg.value[s] = now.masked[s] != 0 ? leg.mission.failure.obstacle : 0.0F;
      }
      if (now.masked[s] != 0) continue;
      for (std::size_t a = 0; a < problem.actions.size(); ++a) {
        const Action& action = problem.actions[a];
        const Cloud flow = cloud_of(now.view(info).profile(action.profile), info.time, rule, s);
        const RowCounts counts = count(flow, action.displacement, rule, weights);
        const float action_part = action_reward(
            mission.objective, mission.energy_on(action.profile), action.speed, info.time.step);
        for (Leg& leg : legs) {
          if (leg.mission.target[s] != 0) continue;
          const Step step{info, leg.mission, now, next, last};
          const std::vector<float>& successor_value =
              decides(mission, k + 1) ? leg.value_next : leg.held_next[a];
          const float candidate =
              action_value(counts, step, successor_value, column, row, action_part, share);
          leg.held[a][s] = candidate;
          if (leg.action[s] == no_action || candidate > leg.value[s]) {
            leg.action[s] = static_cast<std::int16_t>(a);
            leg.value[s] = candidate;
          }
        }
      }
      for (Leg& leg : legs) {
        if (leg.mission.target[s] != 0) continue;
        const float penalty = nearness({info, leg.mission, now, next, last}, column, row);
        leg.value[s] += penalty;
        for (std::vector<float>& held_value : leg.held) held_value[s] += penalty;
      }
    }
    for (std::size_t m = legs.size() - 1; m-- > 0;) {
      copy_next_leg(mission.via[m], legs[m + 1], decides(mission, k), legs[m]);
    }
    pass_to_sink(k);
  }
}

}  // namespace tidewise::test
