#include "solver/published/model.h"

#include <algorithm>
#include <cmath>

#include "base/parallel/first_error.h"
#include "model_builder/paper/kernels.h"
#include "solver/error/codes.h"
#include "solver/step/reward.h"

namespace tidewise {
namespace {

template <class T>
void append(std::vector<T>& target, const std::vector<T>& part) {
  target.insert(target.end(), part.begin(), part.end());
}

double greatest_magnitude(View<const float> field) {
  double max = 0;
  for (const float value : field) max = std::max(max, std::abs(double{value}));
  return max;
}

}  // namespace

PublishedProblem::PublishedProblem(const EnvironmentInfo& info, const PlanningProblem& problem,
                                   std::int32_t subgrid_radius)
    : info_(info),
      mission_(problem.mission),
      planning_actions_(problem.actions),
      rule_(problem.rule),
      subgrid_radius_(subgrid_radius),
      weights_(counting_weights(info, problem.rule)),
      total_(counting_total(info, problem.rule)) {
  if (rule_.landing != LandingBy::cell) throw input_error(errors::published_landing_by_area);
  for (const Action& action : planning_actions_) {
    actions_.push_back({static_cast<float>(action.speed * std::cos(action.heading)),
                        static_cast<float>(action.speed * std::sin(action.heading)),
                        action_reward(mission_.objective, mission_.energy_on(action.profile),
                                      action.speed, info.time.step),
                        action.profile});
  }
}

PublishedLevel PublishedProblem::level(TimeLevel k, const LevelView& now,
                                       View<const std::uint8_t> masked_next,
                                       View<const float> scalar_next, std::int32_t threads) const {
  PublishedLevel level;
  level.level = now;
  level.weights = weights_;
  level.outcome = outcome_rule(info_, mission_, k, mission_.target,
                               {now.masked, masked_next, now.scalar, scalar_next, {}});
  bound(now, scalar_next, threads, level);
  return level;
}

PublishedLevel PublishedProblem::in_memory_of(PublishedLevel level, const LevelView& now,
                                              View<const std::uint8_t> masked_next,
                                              View<const float> scalar_next,
                                              View<const std::uint8_t> target,
                                              View<const std::uint32_t> weights) {
  level.level = now;
  level.weights = weights;
  level.outcome.landing.masked_now = now.masked;
  level.outcome.landing.masked_next = masked_next;
  level.outcome.landing.target = target;
  level.outcome.scalar_now = now.scalar;
  level.outcome.scalar_next = scalar_next;
  return level;
}

void PublishedProblem::bound(const LevelView& now, View<const float> scalar_next,
                             std::int32_t threads, PublishedLevel& level) const {
  std::vector<CellIndex> all_cells;
  for (std::int32_t c = 0; c < info_.grid.cell_count(); ++c) all_cells.emplace_back(c);
  const SubGrid exact = subgrid_of(now, info_.time, rule_, all_cells, planning_actions_, threads);
  // In single precision positions may round across an edge between cells.
  const SubGrid rounded{exact.dx_min - 1, exact.dx_max + 1, exact.dy_min - 1, exact.dy_max + 1};
  level.subgrid =
      join(rounded, {-subgrid_radius_, subgrid_radius_, -subgrid_radius_, subgrid_radius_});

  double step = 0;  // maximum reward of a step without its end
  for (const PublishedAction& action : actions_) {
    step = std::max(step, std::abs(double{action.reward}));
  }
  const double harvest = harvest_factor(mission_.objective, mission_.energy, info_.time.step);
  if (harvest != 0) {
    step += std::abs(harvest) * (greatest_magnitude(now.scalar) + greatest_magnitude(scalar_next));
  }
  const FailurePenalties& failure = mission_.failure;
  const Grid& grid = info_.grid;
  const double late = std::abs(double{failure.late}) +
                      failure.late_per_length * std::hypot(grid.nx * grid.dx, grid.ny * grid.dy);
  const double max =
      std::max({step + std::abs(double{mission_.arrival_reward}), late,
                std::abs(double{failure.obstacle}), std::abs(double{failure.outside}), 1e-20});
  constexpr int bits = 61;  // bits of a sum of 63 bits and a sign, with margin for rounding
  level.reward_scale = std::ldexp(1.0F, std::clamp(bits - std::ilogb(max * total_) - 1, -100, 100));
}

PublishedTransition PublishedProblem::transition(const PublishedLevel& level, ActionIndex action,
                                                 std::int32_t first_cell, std::uint32_t* s2_count,
                                                 unsigned long long* sum_r) const {
  const PublishedAction& published_action = actions_[static_cast<std::size_t>(action.value)];
  return {{level.level.profile(published_action.profile), level.outcome, published_action,
           static_cast<float>(info_.time.step), static_cast<float>(info_.grid.dx),
           static_cast<float>(info_.grid.dy)},
          level.weights,
          level.subgrid,
          level.reward_scale,
          first_cell,
          s2_count,
          sum_r};
}

PublishedMean PublishedProblem::mean(const PublishedLevel& level, const unsigned long long* sum_r,
                                     float* reward) const {
  return {sum_r, reward, 1 / (double{level.reward_scale} * total_)};
}

PublishedCoo PublishedProblem::coo(const PublishedLevel& level, ActionIndex action,
                                   std::int32_t first_cell, std::int32_t* row, std::int32_t* column,
                                   float* probability) const {
  return {info_.grid,
          level.subgrid,
          first_cell,
          action.value * info_.grid.cell_count() + first_cell,
          static_cast<float>(1 / total_),
          row,
          column,
          probability};
}

void PublishedProblem::append_row(const PublishedLevel& level, ActionIndex action, CellIndex cell,
                                  PublishedMatrices& matrices) const {
  thread_local std::vector<std::uint32_t> s2_count;
  s2_count.assign(static_cast<std::size_t>(level.subgrid.size()), 0);
  unsigned long long sum_r = 0;
  const PublishedTransition transition =
      this->transition(level, action, cell.value, s2_count.data(), &sum_r);
  const auto realizations = static_cast<std::size_t>(level.level.realization_count);
  for (std::size_t r = 0; r < realizations; ++r) transition(0, r);
  mean(level, &sum_r, &matrices.reward.emplace_back())(0);

  const auto first = static_cast<std::int32_t>(matrices.row.size());
  const auto entries =
      matrices.row.size() + static_cast<std::size_t>(std::count_if(s2_count.begin(), s2_count.end(),
                                                                   [](auto n) { return n != 0; }));
  matrices.row.resize(entries);
  matrices.column.resize(entries);
  matrices.probability.resize(entries);
  PaperReduceToCoo<PublishedCoo>{s2_count.data(), &first, level.subgrid.size(),
                                 coo(level, action, cell.value, matrices.row.data(),
                                     matrices.column.data(), matrices.probability.data())}(0);
}

PublishedMatrices PublishedProblem::build(const PublishedLevel& level, std::int32_t threads) const {
  PublishedMatrices joined;
  std::vector<PublishedMatrices> parts(static_cast<std::size_t>(threads));
  const auto cells = static_cast<std::int64_t>(this->cells());
  for (ActionIndex a(0); a.value < action_count(); ++a.value) {
    FirstError error;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (std::int32_t part = 0; part < threads; ++part) {
      error.run([&] {
        PublishedMatrices& matrices = parts[static_cast<std::size_t>(part)];
        matrices = {};
        for (std::int64_t c = part * cells / threads; c < (part + 1) * cells / threads; ++c) {
          append_row(level, a, CellIndex(static_cast<std::int32_t>(c)), matrices);
        }
      });
    }
    error.rethrow();
    for (const PublishedMatrices& part : parts) {
      append(joined.row, part.row);
      append(joined.column, part.column);
      append(joined.probability, part.probability);
      append(joined.reward, part.reward);
    }
  }
  return joined;
}

void PublishedProblem::back_up(const PublishedMatrices& matrices, const OutcomeRule& outcome,
                               View<const float> value_next, View<float> expected,
                               View<float> value, View<std::int16_t> action) const {
  std::copy(matrices.reward.begin(), matrices.reward.end(), expected.begin());
  for (std::size_t n = 0; n < matrices.row.size(); ++n) {
    float& sum = expected[static_cast<std::size_t>(matrices.row[n])];
    sum = std::fma(matrices.probability[n],
                   value_next[static_cast<std::size_t>(matrices.column[n])], sum);
  }
  const PublishedChoice choose{outcome.landing, outcome.failure, action_count(),
                               expected,        value,           action};
  for (std::size_t cell = 0; cell < cells(); ++cell) choose(cell);
}

}  // namespace tidewise
