// The forward evaluation as a device makes it: windows of counts, each cell gathering its mass in
// batches, sums over groups. On the CPU, against the one that scatters mass from a list.

#include "solver/evaluate/probability_gather.h"

#include <deque>

#include "model_builder/engines.h"
#include "solver/evaluate/expectation_accumulator.h"
#include "solver/evaluate/sum_groups.h"
#include "solver/step/planning_problem.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/random_case.h"
#include "unit/solver/flight_on_gyre.h"

namespace tidewise::test {
namespace {

/// Keeps the policy's action of each cell in a window wider than it need be.
class Windows final : public CountSink {
 public:
  Windows(View<const std::int16_t> policy, std::vector<LandingStencil>& window)
      : policy_(policy), window_(window) {}

  void accept(std::int32_t, CellIndex cell, const CellTransitions& counts) override {
    const auto at = static_cast<std::size_t>(cell.value);
    const std::int32_t action = policy_[at] - counts.first_action;
    if (action < 0 || action >= counts.action_count) return;
    const std::int32_t stride = counts.width + 3;
    auto& count = counts_.emplace_back(static_cast<std::size_t>(stride * counts.height), 999u);
    window_[at] = {counts.origin[action], counts.width, counts.height, stride, count.data()};
    for (std::int32_t row = 0; row < counts.height; ++row) {
      for (std::int32_t column = 0; column < counts.width; ++column) {
        window_[at].at(column, row) = counts.row(action, row)[column];
      }
    }
  }

 private:
  View<const std::int16_t> policy_;
  std::vector<LandingStencil>& window_;
  std::deque<std::vector<std::uint32_t>> counts_;
};

StepTotals sum_by_groups(std::vector<StepTotals> totals) {
  while (totals.size() > 1) {
    std::vector<StepTotals> sums(SumGroups::groups_of(totals.size()));
    const SumGroups sum{totals.data(), totals.size(), sums.data()};
    for (std::size_t n = 0; n < sum.calls(); ++n) sum(n);
    totals = std::move(sums);
  }
  return totals.front();
}

ExpectedOutcome evaluate_by_windows(const EnvironmentReader& reader, const PlanningProblem& problem,
                                    const PolicySource& source, std::int32_t batch) {
  const EnvironmentInfo& info = reader.info();
  const std::int32_t cells = info.grid.cell_count();
  const auto size = static_cast<std::size_t>(cells);
  const auto engine =
      make_cpu_engine(Engine::direct, problem.rule, info.grid, info.time, problem.actions, 1);
  const auto weights = counting_weights(info, problem.rule);
  const auto effects = action_effects(problem, info.time.step);
  std::vector<std::int16_t> policy(size);
  std::vector<Probability> probability(size);
  std::vector<Probability> probability_next(size);
  std::vector<StepTotals> totals(size);
  probability[static_cast<std::size_t>(problem.mission.start.value)].probability = 1;
  LevelFields<> now(info);
  LevelFields<> next(info);
  ExpectationAccumulator accumulator;
  for (TimeLevel k = problem.mission.departure; k < problem.mission.last; ++k.value) {
    reader.read_level(k, now);
    reader.read_level(TimeLevel(k.value + 1), next);
    read_policy(source, k, problem.actions.size(), {policy.data(), size});
    std::vector<CellIndex> active;
    for (std::int32_t cell = 0; cell < cells; ++cell) {
      if (probability[static_cast<std::size_t>(cell)].probability > 0) active.emplace_back(cell);
    }
    std::vector<LandingStencil> window(size);
    Windows sink({policy.data(), size}, window);
    engine->count_level(now.view(info), weights, active, sink);
    const PropagationStep step{
        make_step_context(info, problem.mission, k, now.view(info), next.view(info),
                          {{problem.mission.target.data(), size}, {policy.data(), size}, effects}),
        static_cast<double>(row_total(info, problem.rule))};
    const SubGrid reach =
        subgrid_of(bound_displacements(now.view(info), DisplacementScale(info.grid, info.time),
                                       problem.rule, active, problem.actions, 1),
                   problem.actions, problem.rule);
    const View<const Probability> here{probability.data(), size};
    const View<const LandingStencil> windows{window.data(), size};
    for (std::int32_t first = 0; first < cells; first += batch) {
      const std::int32_t end = std::min(first + batch, cells);
      const EndProbability finish{
          step, here, windows, {totals.data(), size}, static_cast<std::size_t>(first)};
      for (std::int32_t n = 0; n < end - first; ++n) finish(static_cast<std::size_t>(n));
      const GatherProbability gather{step,  here,  windows, {probability_next.data(), size},
                                     reach, first, end};
      for (std::size_t n = size; n-- > 0;) gather(n);  // in any order
    }
    std::swap(probability, probability_next);
    accumulator.enter(sum_by_groups(totals),
                      (k.value + 1 - problem.mission.departure.value) * info.time.step,
                      info.time.step);
  }
  return accumulator.close();
}

using ProbabilityByStencils = FlightOnGyre;

TEST_F(ProbabilityByStencils, HasTheSameBits) {
  for (const Objective objective : {Objective::time, Objective::net_energy}) {
    solve(objective);
    const ExpectedOutcome expected = evaluate();
    for (const std::int32_t batch : {480, 100, 7}) {
      EXPECT_TRUE(same_bits(
          evaluate_by_windows(reader(), {actions_, mission_, test::by_cell}, policy_, batch),
          expected));
    }
  }
}

TEST(MassByWindowsOfRandomNumbers, HasTheSameBits) {
  const TemporaryFolder folder;
  auto info = plain_info(25, 21, 8, 2, 30);
  info.realization_weight = random_weights(30);
  write_random_environment(folder / "env.h5", info, 3);
  const EnvironmentReader reader(folder / "env.h5");
  const auto actions = make_actions({0, 1.5}, 5, info.grid, info.time);
  const Mission mission = random_mission(info);
  const RandomPolicy policy(actions.size(), 3);
  const ExpectedOutcome expected =
      evaluate_on(Backend::cpu, reader, {actions, mission, test::by_cell}, policy);
  EXPECT_GT(expected.arrival_probability, 0);
  EXPECT_GT(expected.obstacle_probability, 0);
  EXPECT_GT(expected.out_of_domain_probability, 0);
  EXPECT_GT(expected.out_of_time_probability, 0);
  for (const std::int32_t batch : {525, 133, 1}) {
    EXPECT_TRUE(same_bits(
        evaluate_by_windows(reader, {actions, mission, test::by_cell}, policy, batch), expected));
  }
}

TEST(SumOverCells, TakesNeighboursTogether) {
  // 1 is lost beside 2^53, and 32 of them are not.
  const auto value = [](double v) {
    StepTotals totals;
    totals.value = v;
    return totals;
  };
  std::vector<CellTotals> cells{{CellIndex(0), value(0x1p53)}};
  for (std::int32_t n = 1; n < 64; ++n) cells.push_back({CellIndex(n), value(1)});
  EXPECT_EQ(sum_over_cells(cells).value, 0x1p53 + 32);
  std::vector<CellTotals> none;
  EXPECT_EQ(sum_over_cells(none).value, 0);
}

}  // namespace
}  // namespace tidewise::test
