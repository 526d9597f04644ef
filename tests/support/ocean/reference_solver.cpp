#include "support/ocean/reference_solver.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "env/level_fields.h"
#include "solver/policy/next_leg.h"
#include "solver/step/reward.h"
#include "support/ocean/reference_step.h"

namespace tidewise::test {
namespace {

/// The value of landing (docs/model.md, 3.1).
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

}  // namespace

void solve_reference(const EnvironmentReader& environment, const PlanningProblem& problem,
                     PolicySink& sink) {
  const EnvironmentInfo& info = environment.info();
  const Grid& grid = info.grid;
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  const PositionRule& rule = problem.rule;
  const auto share = static_cast<float>(1.0 / row_total(info, rule));
  const auto weights = counting_weights(info, rule);

  LevelFields<> now(info);
  LevelFields<> next(info);
  std::vector<float> value(cells);
  std::vector<float> value_next(cells);
  std::vector<std::int16_t> action(cells, no_action);
  // docs/model.md, 3.9: what each action is worth that is held, (action)(y, x).
  const std::vector<float> nothing(cells, 0.0F);
  std::vector<std::vector<float>> held(problem.actions.size(), nothing);
  std::vector<std::vector<float>> held_next = held;
  const auto decides = [&](std::int32_t k) {
    const Decisions& decisions = problem.mission.decisions;
    return std::abs(k - decisions.phase.value) % decisions.every == 0;
  };

  environment.read_level(problem.mission.last, next);
  for (std::size_t s = 0; s < cells; ++s) {
    const CellIndex cell(static_cast<std::int32_t>(s));
    const bool arrived = problem.mission.target[s] != 0;
    value_next[s] = next.masked[s] != 0 ? problem.mission.failure.obstacle
                    : arrived           ? 0.0F
                              : late(grid, problem.mission, grid.column(cell), grid.row(cell));
  }
  sink.accept(0, problem.mission.last, {action.data(), cells}, {value_next.data(), cells});

  for (std::int32_t k = problem.mission.last.value - 1; k >= 0; --k) {
    environment.read_level(TimeLevel(k), now);
    const bool last = k + 1 == problem.mission.last.value;
    for (std::size_t s = 0; s < cells; ++s) {
      action[s] = no_action;
      value[s] = now.masked[s] != 0 ? problem.mission.failure.obstacle : 0.0F;
      if (now.masked[s] != 0 || problem.mission.target[s] != 0) continue;
      const CellIndex cell(static_cast<std::int32_t>(s));
      for (std::size_t a = 0; a < problem.actions.size(); ++a) {
        const LevelView dived = now.view(info).profile(problem.actions[a].profile);
        const Cloud flow = cloud_of(dived, info.time, rule, s);
        const float action_part = action_reward(
            problem.mission.objective, problem.mission.energy_on(problem.actions[a].profile),
            problem.actions[a].speed, info.time.step);
        const Step step{info, problem.mission, now, next, last};
        const std::vector<float>& after = decides(k + 1) ? value_next : held_next[a];
        const RowCounts counts = count(flow, problem.actions[a].displacement, rule, weights);
        const float found = action_value(counts, step, after, grid.column(cell), grid.row(cell),
                                         action_part, share);
        held[a][s] = found;
        if (action[s] == no_action || found > value[s]) {
          action[s] = static_cast<std::int16_t>(a);
          value[s] = found;
        }
      }
      const Step step{info, problem.mission, now, next, last};
      const float near = nearness(step, grid.column(cell), grid.row(cell));
      value[s] += near;
      for (std::vector<float>& of_action : held) of_action[s] += near;
    }
    if (const NextLeg* leg = problem.mission.next.get()) {  // docs/model.md, 3.7
      for (std::size_t n = 0; n < leg->cells().size(); ++n) {
        const auto cell = static_cast<std::size_t>(leg->cells()[n]);
        const std::size_t at = static_cast<std::size_t>(k) * leg->cells().size() + n;
        action[cell] = leg->action()[at];
        value[cell] = leg->value()[at];
      }
    }
    sink.accept(0, TimeLevel(k), {action.data(), cells}, {value.data(), cells});
    std::swap(now, next);
    std::swap(value, value_next);
    std::swap(held, held_next);
  }
}

}  // namespace tidewise::test
