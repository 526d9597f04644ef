// The fused method gives the bits of plain sweeps with every layout, kernel, number of threads and
// backend.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/memory/thread_copy.h"
#include "base/progress.h"
#include "mdp/backup/bellman.h"
#include "mdp/fused/lanes.h"
#include "mdp/fused/model_sample.h"
#include "mdp/fused/sell_process.h"
#include "mdp/fused/slice_tasks.h"
#include "mdp/fused/sweeps.h"
#include "mdp/methods/functions.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/criterion.h"
#include "support/mdp/process_cases.h"
#include "support/simd_targets.h"
#include "unit/mdp/fused_cases.h"

namespace tidewise::mdp {
namespace {

/// The result of plain Jacobi sweeps, computed with bellman.h only.
template <class Real>
struct PlainResult {
  std::vector<Real> before;  ///< values before the last sweep
  std::vector<Real> value;
  std::vector<std::int32_t> action;
  ValueChange change;
  std::int64_t sweeps = 0;
  bool converged = false;
};
template <class Real>
PlainResult<Real> plain_result(const DecisionProcess<Real>& process, const SolveOptions& options) {
  PlainResult<Real> result;
  result.value = first_values(process);
  result.action.resize(result.value.size());
  const ProcessView<Real> view = view_of(process);
  while (!result.converged && result.sweeps < options.max_sweeps) {
    result.before = result.value;
    result.change = {};
    for (std::int32_t s = 0; s < process.state_count; ++s) {
      const BestAction<Real> best = best_action(view, result.before.data(), s);
      result.value[std::size_t(s)] = best.value;
      result.action[std::size_t(s)] = best.action;
      result.change.include(double(best.value) - double(result.before[std::size_t(s)]));
    }
    ++result.sweeps;
    result.converged = may_stop(result.change, process.discount, options, true);
  }
  return result;
}

template <class Real>
PlainResult<Real> after_five_sweeps(const DecisionProcess<Real>& process) {
  SolveOptions options;
  options.tolerance = 0;
  options.max_sweeps = 5;
  return plain_result(process, options);
}

class EveryLayout : public testing::TestWithParam<FusedCase> {};

/// Compares values, sweeps and policy of a solution with those of plain sweeps.
template <class Real>
void expect_equal(const ProcessSolution<Real>& solution, const PlainResult<Real>& plain) {
  EXPECT_EQ(solution.sweeps, plain.sweeps);
  EXPECT_EQ(solution.converged, plain.converged);
  EXPECT_TRUE(same_bits(solution.value, plain.value));
  EXPECT_TRUE(same_bits(solution.action, plain.action));
}

template <class Real>
void check_layouts(const DecisionProcess<Real>& process) {
  SolveOptions options;
  options.stop = StoppingRule::change;
  for (const std::int64_t max : {1000, 7}) {
    options.max_sweeps = max;
    const PlainResult<Real> plain = plain_result(process, options);
    for (const FusedLayout layout : host_layouts) {
      for (const std::int32_t threads : {1, 2, 3}) {
        SCOPED_TRACE(testing::Message() << "layout " << int(layout) << ", threads " << threads
                                        << ", at most " << max << " sweeps");
        options.layout = layout;
        options.threads = threads;
        SilentProgress silent;
        const auto solution = iterate_fused<Real>(process, options, silent);
        expect_equal(solution, plain);
        EXPECT_GT(solution.model_bytes, 0);
        EXPECT_GE(solution.seconds, solution.sweep_seconds);
      }
    }
  }
}
TEST_P(EveryLayout, HasTheBitsOfPlainSweeps) {
  check_layouts(GetParam().make());
  check_layouts(convert<float>(GetParam().make()));
}

template <class Real>
void check_kernels(const DecisionProcess<Real>& process) {
  const PlainResult<Real> plain = after_five_sweeps(process);
  for (const std::int64_t target : test::simd_targets()) {
    const test::OnTarget on_target(target);
    for (const FusedLayout layout : host_layouts) {
      SCOPED_TRACE(testing::Message() << hwy::TargetName(target) << ", layout " << int(layout));
      const FusedSweeps<Real> sweeps(process, layout, 2);
      const SliceValues<Real> before(plain.before);
      SliceValues<Real> value(process.state_count);
      const ValueChange change = sweeps.sweep(before, value);
      EXPECT_TRUE(same_bits(value.to_vector(), plain.value));
      EXPECT_EQ(Real(change.min), Real(plain.change.min));
      EXPECT_EQ(Real(change.max), Real(plain.change.max));
      const ValueChange exact = sweeps.exact_change(before, value);
      EXPECT_EQ(exact.min, plain.change.min);
      EXPECT_EQ(exact.max, plain.change.max);
      std::vector<std::int32_t> action;
      SliceValues<Real> second_value(process.state_count);
      sweeps.sweep_with_actions(before, second_value, action);
      EXPECT_TRUE(same_bits(second_value.to_vector(), plain.value));
      EXPECT_TRUE(same_bits(action, plain.action));
    }
  }
}
TEST_P(EveryLayout, HasTheSameBitsWithEveryKernel) {
  check_kernels(GetParam().make());
  check_kernels(convert<float>(GetParam().make()));
}

/// Does the work of a device's threads on the host.
template <class Lane, class Real>
void check_lane(const Lane& lane, const PlainResult<Real>& plain) {
  for (const std::int64_t warps : {1, 3, 1000}) {
    SCOPED_TRACE(testing::Message() << warps << " warps");
    std::vector<int> visits(plain.value.size());
    for (std::int64_t warp = 0; warp < warps; ++warp) {
      const WarpShare share = WarpShare::of(warp, warps, lane.warp_works());
      for (std::int32_t l = 0; l < slice_states; ++l) {
        int waits = 0;
        lane.sweep_share(
            plain.before.data(), share, l, [&] { ++waits; },
            [&](std::int32_t state, Real value_before, const BestAction<Real>& best) {
              const auto s = std::size_t(state);
              EXPECT_EQ(waits, 1);
              ++visits.at(s);
              EXPECT_EQ(state % slice_states, l);
              EXPECT_EQ(std::memcmp(&value_before, &plain.before[s], sizeof(Real)), 0) << s;
              EXPECT_EQ(std::memcmp(&best.value, &plain.value[s], sizeof(Real)), 0) << s;
              EXPECT_EQ(best.action, plain.action[s]) << s;
              return true;
            });
        EXPECT_EQ(waits, 1);
      }
    }
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int times) { return times == 1; }));
  }
}
template <class Real>
void check_lanes(const DecisionProcess<Real>& process) {
  const PlainResult<Real> plain = after_five_sweeps(process);
  const SellProcess<Real> sell(process, 2);
  const PackedProcess<Real> packed(process, 2);
  const std::vector<SliceTask> tasks = make_slice_tasks(packed, 2);
  check_lane(RowsLane<Real>{view_of(process)}, plain);
  check_lane(SellLane<Real>(sell.slices()), plain);
  check_lane(PackedLane<Real>(packed.slices(), tasks.data(), std::int64_t(tasks.size())), plain);
}
TEST_P(EveryLayout, HasTheSameBitsStateByState) {
  check_lanes(GetParam().make());
  check_lanes(convert<float>(GetParam().make()));
}

TEST_P(EveryLayout, FindsTheOptimum) {
  const auto process = GetParam().make();
  if (process.state_count > 10'000) GTEST_SKIP() << "the reference is slow";
  const std::vector<double> optimum = test::reference_values(process);
  for (const FusedLayout layout : host_layouts) {
    SolveOptions options;
    options.layout = layout;
    options.tolerance = 1e-7;
    SilentProgress silent;
    const auto solution = iterate_fused<double>(process, options, silent);
    EXPECT_TRUE(solution.converged);
    for (std::size_t s = 0; s < optimum.size(); ++s) {
      ASSERT_NEAR(solution.value[s], optimum[s], 1.001e-7) << "state " << s;
    }
    EXPECT_TRUE(test::is_greedy(process, optimum, solution.action));
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryLayout, testing::ValuesIn(fused_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(FusedMethod, MatchesAHandCalculation) {
  SilentProgress silent;
  SolveOptions options;
  options.tolerance = 1e-9;
  const auto solution = iterate_fused<double>(test::four_cell_world<double>(), options, silent);
  test::expect_four_cells_solved(solution, 1e-9);
}

TEST(FusedMethod, AcceptsZeroSweeps) {
  SilentProgress silent;
  SolveOptions options;
  options.max_sweeps = 0;
  auto process = test::four_cell_world<double>();
  process.initial_value = {8, 10, 10, 0};
  const auto solution = iterate_fused<double>(process, options, silent);
  EXPECT_FALSE(solution.converged);
  EXPECT_EQ(solution.value, process.initial_value);
  EXPECT_EQ(solution.action, (std::vector<std::int32_t>{0, 1, 0, -1}));
}

TEST(FusedMethod, StopsAfterOneSweepIfAllStatesGainEqually) {
  // Every state gains 1 and stays: V* = 10 everywhere, which the bounds prove after one sweep.
  const auto process = process_of<double>(
      100, 1,
      [](std::int32_t s, auto) {
        return Row{{s, 1, 0}};
      },
      [](auto, auto) { return 1.0; });
  SilentProgress silent;
  const auto solution = iterate_fused<double>(process, {}, silent);
  EXPECT_EQ(solution.sweeps, 1);
  for (const double v : solution.value) EXPECT_NEAR(v, 10, 1e-12);
}

TEST(PackedLayout, IsVerySmallInsideAGrid) {
  const auto process = square_slip_world<float>(256, 0);
  const PackedProcess<float> packed(process, 2);
  EXPECT_LT(packed.model_bytes(), process.entry_count() * 8 / 50);
}

/// Returns a process of equal slices, of which one has a difference (−1: none).
DecisionProcess<double> almost_regular_process(int difference) {
  constexpr std::int32_t states = 32 * 40;
  constexpr std::int32_t changed_state = 32 * 20 + 7;
  return process_of<double>(
      states, 2,
      [&](std::int32_t s, std::int32_t a) -> Row {
        const auto after = [&](std::int32_t d) { return (s + d) % states; };
        if (a == 1) return {{after(a), 1, 0}};
        if (s == changed_state && difference == 1) return {{after(1), .25, 0}, {after(3), .75, 0}};
        if (s == changed_state && difference == 2) return {{after(1), .5, 0}, {after(4), .5, 0}};
        if (difference == 3) {  // with the same total number of entries
          if (s == changed_state) return {{after(1), 1, 0}};
          if (s == changed_state + 1)
            return {{after(1), .5, 0}, {after(2), .25, 0}, {after(3), .25, 0}};
        }
        return {{after(1), .5, 0}, {after(3), .5, 0}};
      },
      [&](std::int32_t s, std::int32_t) {
        return s == changed_state && difference == 0 ? 2.0 : s == states - 1 ? 1.0 : 0.0;
      });
}

TEST(PackedLayout, DistinguishesSlicesThatDifferInOnePlace) {
  for (int difference = 0; difference < 4; ++difference) {
    SCOPED_TRACE(testing::Message() << "difference " << difference);
    const auto process = almost_regular_process(difference);
    check_kernels(process);
    check_lanes(process);
    check_lanes(convert<float>(process));
    EXPECT_GT(PackedProcess<double>(process, 1).units().size(),
              PackedProcess<double>(almost_regular_process(-1), 1).units().size());
  }
}

TEST(PackedLayout, IsChosenForADeviceIfSlicesSharePrograms) {
  EXPECT_TRUE(is_packing_faster(square_slip_world<float>(256, 0)));
  EXPECT_TRUE(is_packing_faster(square_slip_world<double>(256, 0)));
  EXPECT_FALSE(is_packing_faster(square_slip_world<float>(256, 0.3)));
  EXPECT_FALSE(is_packing_faster(test::make_process<double>({.seed = 3, .states = 1000})));
  for (const FusedCase& fused_case : fused_cases)
    (void)is_packing_faster(fused_case.make());  // small and unusual processes
}

TEST(ThreadCopy, CopiesEveryByte) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{300'001}}) {
    std::vector<unsigned char> from(size);
    for (std::size_t n = 0; n < size; ++n) from[n] = static_cast<unsigned char>(n * 37 >> 4u);
    for (const std::int32_t threads : {1, 3}) {
      std::vector<unsigned char> to(size);
      copy_by_threads(to.data(), from.data(), size, threads);
      EXPECT_EQ(to, from);
    }
  }
}

TEST(PackedLayout, IsSmallerThanTheSlicedLayout) {
  const auto process = fused_cases[13].make();
  const SellProcess<double> sell(process, 1);
  const PackedProcess<double> packed(process, 1);
  EXPECT_LT(packed.model_bytes() * 10, sell.model_bytes() * 6);  // one byte per probability
}

TEST(StopCriterion, NeverMissesTheLastSweep) {
  std::mt19937 random(5);
  const auto number = [&] {
    return std::ldexp(double(random()) * 0x1p-32 - 0.5, int(random() % 20) - 10);
  };
  for (int n = 0; n < 100'000; ++n) {
    ValueChange change;
    change.include(number());
    change.include(number());
    SolveOptions options;
    options.stop = n % 2 == 0 ? StoppingRule::error : StoppingRule::change;
    // The tolerance is at the limit or near it.
    const ErrorBounds bounds = bounds_after(change, 0.9);
    options.tolerance = options.stop == StoppingRule::change
                            ? std::nextafter(change.residual(), 1e9)
                            : bounds.centred_error();
    if (n % 3 == 0) options.tolerance *= 1 + 1e-7 * number();
    if (!may_stop(change, 0.9, options, true)) continue;
    EXPECT_TRUE(StopCriterion<float>::of(0.9, options)
                    .may_be_last(double(float(change.min)), double(float(change.max))));
    EXPECT_TRUE(StopCriterion<double>::of(0.9, options).may_be_last(change.min, change.max));
  }
  EXPECT_FALSE(StopCriterion<float>::of(0.9, {}).may_be_last(-1, 1));
}

}  // namespace
}  // namespace tidewise::mdp
