#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "division_checks.h"
#include "mdp/divided/block_launch.h"
#include "mdp/divided/block_neighbours.h"
#include "mdp/divided/host_executor.h"
#include "mdp/methods/functions.h"
#include "support/error_code.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;

constexpr BlockVariant variants[] = {BlockVariant::plain, BlockVariant::buffering,
                                     BlockVariant::prioritising, BlockVariant::both};

template <class Real>
ProcessSolution<Real> solve_block_divided(const DecisionProcess<Real>& process,
                                          const SolveOptions& options) {
  SilentProgress silence;
  return iterate_block_divided(process, options, silence);
}

template <class Real>
class BlockDivided : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(BlockDivided, Precisions);

TYPED_TEST(BlockDivided, FindsTheOptimumInEveryVariant) {
  for (const auto& [name, process] : cases::division_cases<TypeParam>()) {
    for (const BlockVariant variant : variants) {
      for (const std::int32_t block_states : {0, 1, 7, 100, 2048}) {
        SCOPED_TRACE(testing::Message()
                     << name << ", variant " << int(variant) << ", blocks of " << block_states);
        SolveOptions options = cases::division_options(process);
        options.blocks.variant = variant;
        options.blocks.states = block_states;
        cases::expect_optimal(process, solve_block_divided(process, options));
      }
    }
  }
}

TYPED_TEST(BlockDivided, FindsTheOptimumWithAnyStatesPerThread) {
  for (const auto& [name, process] : cases::division_cases<TypeParam>()) {
    for (const BlockVariant variant : {BlockVariant::prioritising, BlockVariant::both}) {
      for (const auto& [states, changed] : {std::pair{1, 1}, {2, 5}, {16, 1}, {300, 3}}) {
        SCOPED_TRACE(testing::Message() << name << ", " << changed << " of " << states);
        SolveOptions options = cases::division_options(process);
        options.blocks = {.variant = variant,
                          .states = 100,
                          .states_per_thread = states,
                          .changed_states = changed};
        cases::expect_optimal(process, solve_block_divided(process, options));
      }
    }
  }
}

TYPED_TEST(BlockDivided, UpdatesOnlyChangedStates) {
  // One launch of a block of one thread, with four states of which none is terminal.
  const auto process =
      test::make_process<TypeParam>({.seed = 14, .states = 5, .terminal_share = 0});
  for (const std::int32_t changed : {1, 2, 7}) {
    std::vector<TypeParam> before(5, 0);
    std::vector<TypeParam> after(5, 0);
    std::vector<TypeParam> change(4, 0);
    std::vector<std::int32_t> updates(4, 1);
    const PrioritisingBlocks<TypeParam, false> blocks{
        {view_of(process), {4, 4}, 3, before.data(), after.data()},
        4,
        changed,
        1,
        change.data(),
        updates.data()};
    std::vector<double> scratch(blocks.scratch_bytes() / sizeof(double) + 1);
    blocks(OneByOne{}, 0, scratch.data());
    EXPECT_EQ(std::accumulate(updates.begin(), updates.end(), 0), 4 + 3 * changed);
  }
}

TYPED_TEST(BlockDivided, GivesTheSameBitsWithABuffer) {
  // The last process is too wide for scratch memory in double precision.
  for (const auto& settings : {test::RandomProcess{.seed = 7, .states = 900},
                               test::RandomProcess{.seed = 8, .local = true},
                               test::RandomProcess{.seed = 9, .states = 6000, .actions = 3}}) {
    const auto process = test::make_process<TypeParam>(settings);
    for (const std::int32_t block_states : {3, 256, 2048}) {
      SolveOptions options = cases::division_options(process);
      options.blocks.states = block_states;
      for (const auto& [in_place, buffered] :
           {std::pair{BlockVariant::plain, BlockVariant::buffering},
            {BlockVariant::prioritising, BlockVariant::both}}) {
        options.blocks.variant = in_place;
        const auto plain = solve_block_divided(process, options);
        options.blocks.variant = buffered;
        cases::expect_same_bits(solve_block_divided(process, options), plain);
      }
    }
  }
}

TYPED_TEST(BlockDivided, GivesTheSameBitsWithAnyNumberOfThreads) {
  const auto process = test::make_process<TypeParam>({.seed = 10, .states = 500});
  for (const BlockVariant variant : variants) {
    SolveOptions options = cases::division_options(process);
    options.blocks.variant = variant;
    options.blocks.states = 30;
    const auto single_thread = solve_block_divided(process, options);
    options.threads = 4;
    cases::expect_same_bits(solve_block_divided(process, options), single_thread);
  }
}

TYPED_TEST(BlockDivided, IsAJacobiSweepForBlocksOfOneState) {
  // With blocks of one state without self-transitions, and one inner sweep, it is value iteration.
  const auto process = cases::slip_world<TypeParam>(11, 6, .9);
  SolveOptions options;
  options.blocks.states = 1;
  options.blocks.sweeps = 1;
  options.max_sweeps = 9;
  options.tolerance = 1e-12;
  const auto solution = solve_block_divided(process, options);
  EXPECT_EQ(solution.sweeps, 9);
  EXPECT_FALSE(solution.converged);
  std::vector<TypeParam> value = process.initial_value;
  std::vector<std::int32_t> action(value.size());
  for (int sweep = 0; sweep < 9; ++sweep) {
    std::vector<TypeParam> next(value.size());
    for (std::size_t s = 0; s < value.size(); ++s) {
      const auto best = best_action(view_of(process), value.data(), std::int32_t(s));
      next[s] = best.value;
      action[s] = best.action;
    }
    value = next;
  }
  EXPECT_EQ(solution.value, value);
  EXPECT_EQ(solution.action, action);
}

TYPED_TEST(BlockDivided, NeedsFewerLaunchesThanSweepsForALocalProcess) {
  const auto process = cases::slip_world<TypeParam>(400, 2, .99, 0);  // without rewards values rise
  SolveOptions options;
  options.stop = StoppingRule::change;
  options.tolerance = 1e-3;
  const std::int64_t sweeps = cases::plain_sweeps(process, options.tolerance);
  for (const BlockVariant variant : variants) {
    options.blocks.variant = variant;
    options.blocks.states = 400;
    options.blocks.sweeps = 8;
    const auto solution = solve_block_divided(process, options);
    EXPECT_TRUE(solution.converged);
    EXPECT_LT(2 * solution.sweeps, sweeps) << "variant " << int(variant);
  }
}

/// Runs each stage from last to first, because a device's threads have no order within a stage.
struct LastToFirst {
  template <class Body>
  TIDEWISE_HOST_DEVICE void for_each(std::int32_t count, const Body& body) const {
    for (std::int32_t n = count; n-- > 0;) body(n);
  }
};

/// Expects the same values from a launch in either order. `reset` restores the other data that a
/// launch changes.
template <class Blocks>
void expect_any_order(
    const Blocks& blocks, const std::function<void()>& reset = [] {}) {
  std::vector<double> scratch(blocks.scratch_bytes() / sizeof(double) + 1);
  const std::size_t states = static_cast<std::size_t>(blocks.task.division.state_count);
  const auto after_one_launch = [&](const auto& team) {
    reset();
    for (std::int32_t block = 0; block < blocks.task.division.block_count(); ++block) {
      blocks(team, block, scratch.data());
    }
    return std::vector(blocks.task.after, blocks.task.after + states);
  };
  const auto forward = after_one_launch(OneByOne{});
  std::fill(scratch.begin(), scratch.end(), NAN);  // detects reads of unwritten memory
  std::fill_n(blocks.task.after, states, NAN);
  EXPECT_EQ(after_one_launch(LastToFirst{}), forward);
}

TYPED_TEST(BlockDivided, GivesTheSameBitsInAnyOrderWithinAStage) {
  using Real = TypeParam;
  auto process = test::make_process<Real>({.seed = 12, .states = 203, .local = true});
  const auto states = static_cast<std::size_t>(process.state_count);
  std::vector<Real> before(states);
  for (std::size_t s = 0; s < states; ++s) before[s] = static_cast<Real>(std::sin(double(s)));
  std::vector<Real> after(states);
  const BlockDivision division{process.state_count, 50};
  const BlockTask<Real> task{view_of(process), division, 5, before.data(), after.data()};
  expect_any_order(PlainBlocks<Real>{task});

  std::vector<Real> change(states, 0);
  std::vector<std::int32_t> updates(states, 1);
  const PrioritisingBlocks<Real, false> prioritising{task, 4, 4, 1, change.data(), updates.data()};
  const auto reset = [&] {
    change.assign(states, 0);
    updates.assign(states, 1);
  };
  expect_any_order(prioritising, reset);

  const BlockNeighbours neighbours = find_neighbours(process, division, 1);
  BufferingBlocks<Real> buffering{
      task,
      {neighbours.begin, neighbours.state, static_cast<std::int32_t>(neighbours.max), nullptr}};
  buffering.task.process.successor = neighbours.place;
  PrioritisingBlocks<Real, true> both{buffering.task,  4, 4, 1, change.data(), updates.data(),
                                      buffering.buffer};
  expect_any_order(buffering);
  expect_any_order(both, reset);
  std::vector<Real> cache(neighbours.state.size());
  buffering.buffer.cache = both.buffer.cache = cache.data();
  expect_any_order(buffering);
  expect_any_order(both, reset);
}

TYPED_TEST(BlockDivided, ThrowsForInfiniteValues) {
  cases::expect_overflow_error<TypeParam>(solve_block_divided<TypeParam>, "block-divided");
}

TYPED_TEST(BlockDivided, GivesUpWhenOnlyRoundingIsLeft) {
  cases::expect_end_at_rounding<TypeParam>(solve_block_divided<TypeParam>);
}

TYPED_TEST(BlockDivided, GivesUpAtTheSweepLimit) {
  const auto process = test::make_process<TypeParam>({.seed = 11, .discount = .99});
  for (const std::int64_t max : {1, 2, 5}) {
    SolveOptions options;
    options.max_sweeps = max;
    const auto solution = solve_block_divided(process, options);
    EXPECT_EQ(solution.sweeps, max);
    EXPECT_FALSE(solution.converged);
    EXPECT_EQ(solution.action.size(), process.row_begin.size() / 4);
  }
}

TEST(BlockDivision, CoversAllStatesOnce) {
  for (const std::int32_t states : {1, 2, 255, 256, 257, 1000}) {
    for (const std::int32_t requested : {0, 1, 3, 256, 2048}) {
      SolveOptions options;
      options.blocks.states = requested;
      const BlockDivision division = divide_states(states, options.blocks);
      std::int32_t next = 0;
      for (std::int32_t block = 0; block < division.block_count(); ++block) {
        const StateRange range = division.states_of(block);
        EXPECT_EQ(range.first, next);
        EXPECT_GE(range.count, 1);
        EXPECT_LE(range.count, division.block_states);
        next += range.count;
      }
      EXPECT_EQ(next, states);
    }
  }
  const BlockDivision max{std::numeric_limits<std::int32_t>::max(), 256};
  EXPECT_EQ(max.block_count(), 1 << 23);
  EXPECT_EQ(max.states_of(max.block_count() - 1).count, 255);
}

TEST(BlockDivision, RefusesInvalidBlockSizes) {
  const auto expect_refusal = [](const BlockOptions& options, const std::string& code) {
    EXPECT_THAT([&] { (void)divide_states(10'000, options); },
                testing::ThrowsMessage<InputError>(test::has_code(code)));
  };
  expect_refusal({.states = max_block_states + 1}, "block_states_invalid");
  expect_refusal({.states = -1}, "block_states_invalid");
  expect_refusal({.sweeps = 0}, "block_option_too_small");
  expect_refusal({.states_per_thread = 0}, "block_option_too_small");
  expect_refusal({.changed_states = -1}, "block_option_too_small");
  const BlockOptions wide{.states = max_block_states, .states_per_thread = 1};
  EXPECT_NO_THROW((void)divide_states(10'000, wide));
  for (const BlockVariant variant : {BlockVariant::prioritising, BlockVariant::both}) {
    BlockOptions options = wide;
    options.variant = variant;
    expect_refusal(options, "block_scratch_exceeded");
  }
}

TEST(BlockDivision, LargestBlocksFitScratchMemory) {
  BlockTask<double> task;
  task.division = {1'000'000, max_block_states};
  EXPECT_LE(PlainBlocks<double>{task}.scratch_bytes(), max_scratch_bytes);
  EXPECT_LE((PrioritisingBlocks<double, false>{task}.scratch_bytes()), max_scratch_bytes);
}

TEST(BlockNeighbours, MatchAHandCalculation) {
  // Blocks {0, 1} and {2}: rows 0→0,1 0→1 1→2 1→0,2 2→2 2→1.
  const auto neighbours = find_neighbours(test::three_state_process<double>(), {3, 2}, 1);
  EXPECT_THAT(neighbours.begin, ElementsAre(0, 1, 2));
  EXPECT_THAT(neighbours.state, ElementsAre(2, 1));
  EXPECT_THAT(neighbours.place, ElementsAre(0, 1, 1, 2, 0, 2, 0, 1));
  EXPECT_EQ(neighbours.max, 1);
}

TEST(PrioritisingBlocks, ChoosesByChangeAndByNeglect) {
  const PrioritisingBlocks<double, false> blocks;
  const double change[] = {0, 0, .5, 0, 0, 0, 0};
  const std::int32_t equal[] = {1, 1, 1, 1, 1, 1, 1};
  // Groups {0, 2, 4, 6} and {1, 3, 5}.
  EXPECT_EQ(blocks.choose(0, 2, 7, change, equal), 2);
  EXPECT_EQ(blocks.choose(1, 2, 7, change, equal), 1);
  const std::int32_t neglected[] = {2, 4, 2, 2, 2, 3, 1};
  EXPECT_EQ(blocks.choose(0, 2, 7, change, neglected), 2);  // .5 + 1/2 ties with 1/1
  EXPECT_EQ(blocks.choose(1, 2, 7, change, neglected), 3);
}

TEST(PrioritisingBlocks, UpdatesChangedStates) {
  // One block of the four cells, one sweep: four steps of its one group.
  const auto process = test::four_cell_world<double>();
  std::vector<double> before(4, 0);
  std::vector<double> after(4, 0);
  std::vector<double> last_change(4, 0);
  std::vector<std::int32_t> updates(4, 1);
  const BlockTask<double> task{view_of(process), {4, 4}, 1, before.data(), after.data()};
  const PrioritisingBlocks<double, false> blocks{task,          4, 4, 1.0, last_change.data(),
                                                 updates.data()};
  std::vector<double> scratch(blocks.scratch_bytes() / sizeof(double) + 1);
  blocks(OneByOne{}, 0, scratch.data());
  // All states tie. State 0 changes to -1, then has the priority 1 + 1/2 and is updated without a
  // change. State 1 then does the same, to 10.
  EXPECT_THAT(after, ElementsAre(-1, 10, 0, 0));
  EXPECT_THAT(updates, ElementsAre(3, 3, 1, 1));
}

}  // namespace
}  // namespace tidewise::mdp
