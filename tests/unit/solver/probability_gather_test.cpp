// The forward evaluation in the form for devices, run on the CPU: windows of counts, probability
// that each cell gathers in batches, sums over groups. It is compared with the evaluation that
// scatters probability from a list.

#include "solver/evaluate/probability_gather.h"

#include <deque>

#include "model_builder/engines.h"
#include "solver/evaluate/expectation_accumulator.h"
#include "solver/evaluate/front_moves.h"
#include "solver/step/planning_problem.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/random_case.h"
#include "unit/solver/flight/flight_on_gyre.h"

namespace tidewise::test {
namespace {

// Stores the counts of each cell's action by the policy, in wider windows than necessary.
class Windows final : public CountSink {
 public:
  Windows(View<const std::int16_t> policy, std::vector<LandingStencil>& window)
      : policy_(policy), window_(window) {}

  void accept(std::int32_t, CellIndex cell, const CellTransitions& counts) override {
    const auto index = static_cast<std::size_t>(cell.value);
    const std::int32_t action = policy_[index] - counts.first_action;
    if (action < 0 || action >= counts.action_count) return;
    const std::int32_t stride = counts.width + 3;
    auto& count = counts_.emplace_back(static_cast<std::size_t>(stride * counts.height), 999u);
    window_[index] = {counts.origin[action], counts.width, counts.height, stride, count.data()};
    for (std::int32_t row = 0; row < counts.height; ++row) {
      for (std::int32_t column = 0; column < counts.width; ++column) {
        window_[index].at(column, row) = counts.row(action, row)[column];
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

// The state of one of several missions, or of one front of a mission with action hold.
struct MemberState {
  MemberState(const PlanningProblem& planned, const EnvironmentInfo& info)
      : problem(planned),
        effects(action_effects(planned, info.time.step)),
        probability(static_cast<std::size_t>(info.grid.cell_count())),
        next(probability.size()),
        policy(probability.size()),
        window(probability.size()),
        box(probability.size()),
        totals(probability.size()) {
    probability[static_cast<std::size_t>(planned.mission.start.value)].probability = 1;
  }

  PlanningProblem problem;
  std::vector<ActionEffect> effects;
  std::vector<Probability> probability;
  std::vector<Probability> next;
  std::vector<std::int16_t> policy;
  std::vector<LandingStencil> window;
  std::vector<LandingBox> box;
  std::vector<StepTotals> totals;
  ExpectationAccumulator accumulator;
};

// The fronts of a mission with action hold: one without action, and one for each action.
std::deque<MemberState> make_fronts(const PlanningProblem& problem, const EnvironmentInfo& info) {
  std::deque<MemberState> fronts;
  for (std::size_t n = 0; n <= problem.actions.size(); ++n) fronts.emplace_back(problem, info);
  for (std::size_t a = 0; a < problem.actions.size(); ++a) {
    std::fill(fronts[a + 1].probability.begin(), fronts[a + 1].probability.end(), Probability{});
    std::fill(fronts[a + 1].policy.begin(), fronts[a + 1].policy.end(),
              static_cast<std::int16_t>(a));
  }
  return fronts;
}
void assign_actions(std::deque<MemberState>& fronts, TimeLevel k) {
  std::vector<Probability*> by_action;
  for (std::size_t n = 1; n < fronts.size(); ++n) by_action.push_back(fronts[n].probability.data());
  const AssignActions assign{fronts[0].policy, std::as_const(by_action),
                             fronts[0].probability.data(), !holds_at(fronts[0].problem.mission, k)};
  for (std::size_t cell = fronts[0].policy.size(); cell-- > 0;) assign(cell);  // in any order
}

// Evaluates missions with equal departure and last level, or one mission with action hold, in
// batches of `batch` cells of the missions.
std::vector<ExpectedOutcome> evaluate_by_windows(const EnvironmentReader& reader,
                                                 const std::vector<PlanningProblem>& problems,
                                                 const PolicySource& source, std::size_t batch) {
  const EnvironmentInfo& info = reader.info();
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  const PlanningProblem& first_problem = problems.front();
  const auto engine = make_cpu_engine(Engine::direct, first_problem.rule, info.grid, info.time,
                                      first_problem.actions, 1);
  const auto weights = counting_weights(info, first_problem.rule);
  const bool has_hold = first_problem.mission.decisions.hold();
  std::deque<MemberState> members;
  if (has_hold) {
    members = make_fronts(first_problem, info);
  } else {
    for (const PlanningProblem& problem : problems) members.emplace_back(problem, info);
  }
  LevelFields<> now(info);
  LevelFields<> next(info);
  for (TimeLevel k = first_problem.mission.departure; k < first_problem.mission.last; ++k.value) {
    reader.read_level(k, now);
    reader.read_level(TimeLevel(k.value + 1), next);
    std::vector<CellIndex> all_cells;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      all_cells.emplace_back(static_cast<std::int32_t>(cell));
    }
    std::deque<Windows> sinks;
    std::vector<MemberStep> steps;
    for (MemberState& member : members) {
      if (!has_hold || &member == &members.front()) {
        read_policy(source, k, member.problem.actions.size(), member.policy);
      }
      if (has_hold && &member == &members.front()) assign_actions(members, k);
      std::vector<CellIndex> active;
      for (const CellIndex cell : all_cells) {
        if (member.probability[static_cast<std::size_t>(cell.value)].probability > 0) {
          active.push_back(cell);
        }
      }
      std::fill(member.window.begin(), member.window.end(), LandingStencil{});
      engine->count_level(now.view(info), weights, active,
                          sinks.emplace_back(member.policy, member.window));
      const StepContext context =
          make_step_context(info, member.problem.mission, k, now.view(info), next.view(info),
                            {member.problem.mission.target, member.policy, member.effects});
      steps.push_back({{context, static_cast<double>(row_total(info, member.problem.rule))},
                       member.probability,
                       member.next,
                       member.window,
                       member.box,
                       member.totals});
    }
    const SubGrid reach =
        subgrid_of(bound_displacements(now.view(info), DisplacementScale(info.grid, info.time),
                                       first_problem.rule, all_cells, first_problem.actions, 1),
                   first_problem.actions, first_problem.rule);
    const std::size_t cell_count = cells * members.size();
    for (std::size_t first = 0; first < cell_count; first += batch) {
      const std::size_t end = std::min(first + batch, cell_count);
      const EndProbability finish{steps, first};
      for (std::size_t n = 0; n < end - first; ++n) finish(n);
      const GatherProbability gather{steps, reach, first, end};
      for (std::size_t n = GatherProbability::calls(first, end, cells); n-- > 0;) {
        gather(n);  // in any order
      }
    }
    for (MemberState& member : members) {
      std::swap(member.probability, member.next);
      member.accumulator.enter(
          sum_by_groups(member.totals),
          (k.value + 1 - member.problem.mission.departure.value) * info.time.step, info.time.step);
    }
  }
  std::vector<ExpectedOutcome> outcomes;
  ExpectationAccumulator total;
  for (const MemberState& member : members) {
    total += member.accumulator;
    outcomes.push_back(member.accumulator.close());
  }
  if (has_hold) outcomes.assign(1, total.close());
  return outcomes;
}

using ProbabilityByStencils = FlightOnGyre;

TEST_F(ProbabilityByStencils, MatchesForwardPropagation) {
  for (const Objective objective : {Objective::time, Objective::net_energy}) {
    solve(objective);
    const ExpectedOutcome expected = evaluate();
    for (const std::size_t batch : {480, 100, 7}) {
      const auto found =
          evaluate_by_windows(reader(), {{actions_, mission_, by_cell}}, policy_, batch);
      EXPECT_TRUE(same_bits(found.front(), expected));
    }
  }
}

TEST(ProbabilityByRandomStencils, MatchesForwardPropagation) {
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
  for (const std::size_t batch : {525, 133, 1}) {
    const auto found = evaluate_by_windows(reader, {{actions, mission, by_cell}}, policy, batch);
    EXPECT_TRUE(same_bits(found.front(), expected));
  }
}

TEST(ProbabilityByRandomStencils, MatchesForwardPropagationWithActionHold) {
  const TemporaryFolder folder;
  const auto info = plain_info(25, 21, 9, 2, 30);
  write_random_environment(folder / "env.h5", info, 3);
  const EnvironmentReader reader(folder / "env.h5");
  const auto actions = make_actions({0, 1.5}, 5, info.grid, info.time);
  Mission mission = random_mission(info);
  const RandomPolicy policy(actions.size(), 3);
  for (const std::int32_t every : {2, 3}) {
    mission.decisions = {every, mission.departure};
    const PlanningProblem problem{actions, mission, by_area};
    const ExpectedOutcome expected = evaluate_on(Backend::cpu, reader, problem, policy);
    for (const std::size_t batch : {7 * 525, 800, 100}) {
      EXPECT_TRUE(
          same_bits(evaluate_by_windows(reader, {problem}, policy, batch).front(), expected));
    }
  }
}

TEST(ProbabilityByRandomStencils, MatchesSingleMissions) {
  const TemporaryFolder folder;
  const auto info = plain_info(25, 21, 6, 2, 30);
  write_random_environment(folder / "env.h5", info, 2);
  const EnvironmentReader reader(folder / "env.h5");
  const auto actions = make_actions({0, 1.5}, 5, info.grid, info.time);
  std::vector<Mission> missions(3, random_mission(info));
  missions[1].start = info.grid.cell(3, 17);
  missions[2].objective = Objective::energy;
  missions[2].target.assign(missions[2].target.size(), 0);
  missions[2].target[200] = 1;
  std::vector<PlanningProblem> problems;
  for (const Mission& mission : missions) problems.push_back({actions, mission, by_area});
  const RandomPolicy policy(actions.size(), 3);
  for (const std::size_t batch : {3 * 525, 800, 525, 100}) {  // parts of missions, and several
    const auto found = evaluate_by_windows(reader, problems, policy, batch);
    for (std::size_t m = 0; m < problems.size(); ++m) {
      SCOPED_TRACE(std::to_string(batch) + " cells, member " + std::to_string(m));
      EXPECT_TRUE(same_bits(found[m], evaluate_on(Backend::cpu, reader, problems[m], policy)));
    }
  }
}

TEST(SumOverCells, SumsMembersSeparately) {
  std::vector<StepTotals> totals(80);  // two members of 40 cells
  for (std::size_t n = 0; n < totals.size(); ++n) totals[n].value = static_cast<double>(n);
  std::vector<StepTotals> sums(4);
  const SumGroups sum{totals.data(), 40, sums.data(), 2};
  ASSERT_EQ(sum.calls(), 4 * StepTotals::part_count);
  for (std::size_t n = 0; n < sum.calls(); ++n) sum(n);
  EXPECT_EQ(sums[0].value, 31 * 32 / 2);  // 0 … 31
  EXPECT_EQ(sums[1].value, 39 * 40 / 2 - 31 * 32 / 2);
  EXPECT_EQ(sums[2].value, 71 * 72 / 2 - 39 * 40 / 2);
  EXPECT_EQ(sums[3].value, 79 * 80 / 2 - 71 * 72 / 2);
}

TEST(SumOverCells, SumsNeighboursFirst) {
  // Added to 2^53, a single 1 is lost, but a sum of 32 is not.
  const auto value = [](double v) {
    StepTotals totals;
    totals.value = v;
    return totals;
  };
  std::vector<CellTotals> cells{{CellIndex(0), value(0x1p53)}};
  for (std::int32_t n = 1; n < 64; ++n) cells.push_back({CellIndex(n), value(1)});
  EXPECT_EQ(sum_over_cells(cells).value, 0x1p53 + 32);
  std::vector<CellTotals> no_cells;
  EXPECT_EQ(sum_over_cells(no_cells).value, 0);
}

}  // namespace
}  // namespace tidewise::test
