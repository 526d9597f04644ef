#include "mdp/horizon/induce_backward.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "mdp/backup/bellman.h"
#include "mdp/methods/functions.h"
#include "mdp/process/row_writer.h"
#include "mdp/worlds/gridworld.h"
#include "support/error_code.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;

SolveOptions with_horizon(std::int64_t horizon, std::int32_t threads = 1) {
  SolveOptions options;
  options.horizon = horizon;
  options.threads = threads;
  return options;
}

template <class Real>
ProcessSolution<Real> induce(const DecisionProcess<Real>& process, const SolveOptions& options) {
  SilentProgress progress;
  return induce_backward(process, options, progress);
}

TEST(InduceBackward, MatchesAHandCalculation) {
  auto process = test::four_cell_world<double>();
  process.discount = 1;
  // One step: state 0 pays 1, the neighbours of the goal reach it.
  auto solution = induce(process, with_horizon(1));
  EXPECT_THAT(solution.value, ElementsAre(-1, 10, 10, 0));
  EXPECT_THAT(solution.action, ElementsAre(0, 1, 0, -1));
  solution = induce(process, with_horizon(2));
  EXPECT_THAT(solution.value, ElementsAre(9, 10, 10, 0));
  EXPECT_EQ(solution.sweeps, 2);
  EXPECT_TRUE(solution.converged);
}

TEST(InduceBackward, UsesInitialValuesAtTheEnd) {
  auto process = test::four_cell_world<double>();
  process.discount = 1;
  process.initial_value = {50, 0, 0, 7};
  // Staying at state 0 (left, 2, or up, 3) keeps its 50 at a cost of 1.
  const auto solution = induce(process, with_horizon(1));
  EXPECT_THAT(solution.value, ElementsAre(49, 49, 49, 7));
  EXPECT_THAT(solution.action, ElementsAre(2, 2, 3, -1));
}

TEST(InduceBackward, PassesEachStepToTheSink) {
  const auto process = test::make_process<float>({.seed = 2, .states = 50, .discount = 1});
  std::vector<std::int64_t> steps;
  std::vector<std::vector<float>> values;
  std::vector<std::vector<std::int32_t>> actions;
  SilentProgress progress;
  const auto solution = induce_backward(
      process, with_horizon(4), progress,
      [&](std::int64_t step, View<const float> value, View<const std::int32_t> action) {
        steps.push_back(step);
        values.emplace_back(value.begin(), value.end());
        actions.emplace_back(action.begin(), action.end());
      });
  EXPECT_THAT(steps, ElementsAre(3, 2, 1, 0));
  EXPECT_EQ(values.back(), solution.value);
  EXPECT_EQ(actions.back(), solution.action);
  // Each step equals the result of a shorter horizon.
  for (std::int64_t horizon = 1; horizon <= 4; ++horizon) {
    const auto shorter = induce(process, with_horizon(horizon));
    EXPECT_EQ(values[std::size_t(horizon - 1)], shorter.value);
    EXPECT_EQ(actions[std::size_t(horizon - 1)], shorter.action);
  }
}

template <class Real>
void expect_bits_of_the_backup() {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto process = test::make_process<Real>(
        {.seed = seed, .states = 6000, .discount = seed % 2 == 0 ? 1 : 0.9, .local = seed > 4});
    std::vector<Real> value(6000, 0);
    std::vector<std::int32_t> action(6000);
    for (int step = 0; step < 7; ++step) {
      std::vector<Real> next(6000);
      for (std::int32_t s = 0; s < 6000; ++s) {
        const auto best = best_action(view_of(process), value.data(), s);
        next[std::size_t(s)] = best.value;
        action[std::size_t(s)] = best.action;
      }
      value = next;
    }
    for (const std::int32_t threads : {1, 2, 3}) {
      const auto solution = induce(process, with_horizon(7, threads));
      EXPECT_EQ(solution.value, value);
      EXPECT_EQ(solution.action, action);
    }
  }
}

TEST(InduceBackward, HasTheBitsOfTheBackupWithAnyThreads) {
  expect_bits_of_the_backup<float>();
  expect_bits_of_the_backup<double>();
}

TEST(InduceBackward, HasTheSameBitsInAnyLayout) {
  SilentProgress progress;
  const auto compare = [&](const auto& process) {
    SolveOptions options = with_horizon(20, 2);
    options.layout = FusedLayout::rows;
    const auto rows = induce_backward(process, options, progress);
    for (const auto layout : {FusedLayout::automatic, FusedLayout::packed}) {
      options.layout = layout;
      const auto other = induce_backward(process, options, progress);
      EXPECT_EQ(other.value, rows.value);
      EXPECT_EQ(other.action, rows.action);
      EXPECT_GT(other.model_bytes, 0);
      // The actions of all steps are computed if they are passed on.
      std::int64_t steps_passed = 0;
      options.horizon = 25;
      const auto later = induce_backward(
          process, options, progress, [&](std::int64_t step, auto value, auto action) {
            ++steps_passed;
            if (step != 5) return;
            EXPECT_TRUE(std::equal(value.begin(), value.end(), rows.value.begin()));
            EXPECT_TRUE(std::equal(action.begin(), action.end(), rows.action.begin()));
          });
      EXPECT_EQ(steps_passed, 25);
      EXPECT_EQ(later.sweeps, 25);
      options.horizon = 20;
    }
  };
  compare(test::make_process<float>({.seed = 3, .states = 5003, .discount = 1, .local = true}));
  compare(test::make_process<double>({.seed = 4, .states = 5003, .discount = 0.95}));
  compare(make_gridworld<float>(slip_world(40, 30, 0.1), 2));
}

TEST(InduceBackward, UsesRowsForFewSteps) {
  EXPECT_EQ(layout_of_steps(with_horizon(1)), FusedLayout::rows);
  EXPECT_EQ(layout_of_steps(with_horizon(100)), FusedLayout::automatic);
  SolveOptions options = with_horizon(1);
  options.layout = FusedLayout::packed;
  EXPECT_EQ(layout_of_steps(options), FusedLayout::packed);
}

TEST(InduceBackward, RefusesAMissingHorizon) {
  const auto process = test::four_cell_world<double>();
  try {
    induce(process, with_horizon(0));
    ADD_FAILURE() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code("horizon_invalid"));
  }
}

TEST(InduceBackward, ThrowsForInfiniteValues) {
  auto process = test::four_cell_world<float>();
  process.discount = 1;
  for (float& reward : process.reward) reward = std::numeric_limits<float>::max() / 2;
  EXPECT_NO_THROW(induce(process, with_horizon(2)));
  EXPECT_THROW(induce(process, with_horizon(3)), RunError);
  SolveOptions packed = with_horizon(3);
  packed.layout = FusedLayout::packed;
  EXPECT_THROW(induce(process, packed), RunError);
  // Largest and smallest values are finite, but their difference is not.
  RowWriter<float> writer(2, 1);
  std::vector<Transition> row{{0, 1, 0}};
  EXPECT_EQ(writer.add_row(row, 0.75 * std::numeric_limits<float>::max()), "");
  row = {{1, 1, 0}};
  EXPECT_EQ(writer.add_row(row, -0.75 * std::numeric_limits<float>::max()), "");
  auto extremes = writer.finish();
  extremes.discount = 0;
  extremes.initial_value = {-3e38F, 3e38F};
  EXPECT_NO_THROW(induce(extremes, packed));
}

}  // namespace
}  // namespace tidewise::mdp
