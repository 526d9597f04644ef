#include "mdp/stop/convergence_monitor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "base/error.h"

namespace tidewise::mdp {
namespace {

SolveOptions to_change(double tolerance) {
  SolveOptions options;
  options.tolerance = tolerance;
  options.stop = StoppingRule::change;
  return options;
}

/// Sweeps until the monitor stops, stores its verdict in `verdict`, and returns the number of
/// sweeps. change(n) is the change of sweep n.
template <class Change>
std::int64_t sweeps_until(ConvergenceMonitor& monitor, Verdict& verdict, const Change& change) {
  do {
    verdict = monitor.after(change(monitor.sweeps() + 1));
  } while (verdict == Verdict::go_on);
  return monitor.sweeps();
}

TEST(ConvergenceMonitor, StopsByTheStoppingRule) {
  ConvergenceMonitor monitor(10, 0.5, to_change(0.1), SweepKind::jacobi);
  EXPECT_EQ(monitor.after({-.2, .3}), Verdict::go_on);
  EXPECT_EQ(monitor.after({-.05, .1}), Verdict::go_on);
  EXPECT_EQ(monitor.after({-.05, .09}), Verdict::converged);
  EXPECT_EQ(monitor.sweeps(), 3);
}

TEST(ConvergenceMonitor, NeedsOnlyTheSpanForCentring) {
  SolveOptions options;
  options.tolerance = 0.1;
  EXPECT_EQ(ConvergenceMonitor(10, 0.9, options, SweepKind::jacobi).after({1, 1.02}),
            Verdict::converged);
  EXPECT_EQ(ConvergenceMonitor(10, 0.9, options, SweepKind::in_place).after({1, 1.02}),
            Verdict::go_on);
}

/// For any changes, only the last of the sure sweeps may give up or look closely.
TEST(ConvergenceMonitor, DecidesNothingDuringSureSweeps) {
  std::mt19937 random(5);
  for (const double discount : {0.9, 0.9999, 1.0}) {
    for (int round = 0; round < 60; ++round) {
      SolveOptions options = to_change(1e-9);
      options.max_sweeps = round % 3 == 0 ? 1700 : 1'000'000;
      ConvergenceMonitor monitor(10, discount, options, SweepKind::jacobi);
      const double rate = round % 4 == 0 ? 1 : 1 - 0.1 * std::pow(0.5, double(random() % 12));
      const auto constant_from = static_cast<std::int64_t>(1 + random() % 3000);
      double size = 1;
      std::int64_t last_sure = 0;
      Verdict verdict = Verdict::go_on;
      while (verdict == Verdict::go_on && monitor.sweeps() < 60'000) {
        last_sure = std::max(last_sure, monitor.sweeps() + monitor.sure_sweeps());
        ASSERT_GT(last_sure, monitor.sweeps());
        if (monitor.sweeps() < constant_from) size = std::max(1e-6, size * rate);
        verdict = monitor.after({-size, size / double(1 + random() % 3)});
        const bool decides = verdict == Verdict::given_up || monitor.looks_closely();
        ASSERT_FALSE(decides && monitor.sweeps() < last_sure) << "sweep " << monitor.sweeps();
      }
      EXPECT_EQ(verdict, Verdict::given_up);
      EXPECT_EQ(monitor.sweeps(), last_sure);
    }
  }
}

/// The number of sure sweeps is the largest possible: 1000 sweeps without a decrease, or up to the
/// next close look.
TEST(ConvergenceMonitor, AllowsAsManySureSweepsAsPossible) {
  ConvergenceMonitor discounted(10, 0.9, to_change(1e-9), SweepKind::jacobi);
  EXPECT_EQ(discounted.sure_sweeps(), 1000);
  (void)discounted.after({0, 2});
  (void)discounted.after({0, 2});
  EXPECT_EQ(discounted.sure_sweeps(), 999);
  (void)discounted.after({0, 1});
  EXPECT_EQ(discounted.sure_sweeps(), 1000);
  ConvergenceMonitor endless(10, 1, to_change(1e-9), SweepKind::jacobi);
  EXPECT_EQ(endless.sure_sweeps(), 64);
  while (endless.sweeps() < 64) (void)endless.after({0, 1});
  EXPECT_EQ(endless.sure_sweeps(), 64);
}

TEST(ConvergenceMonitor, EndsAtMaxSweeps) {
  SolveOptions options = to_change(1e-4);
  options.max_sweeps = 7;
  ConvergenceMonitor monitor(10, 1, options, SweepKind::jacobi);
  Verdict verdict{};
  EXPECT_EQ(sweeps_until(monitor, verdict, [](auto) { return ValueChange{-1, 0}; }), 7);
  EXPECT_EQ(verdict, Verdict::given_up);
}

TEST(ConvergenceMonitor, GivesUpOnAGainingLoop) {
  ConvergenceMonitor monitor(10, 1, to_change(1e-4), SweepKind::jacobi);
  Verdict verdict{};
  EXPECT_EQ(sweeps_until(monitor, verdict, [](auto) { return ValueChange{0, 1}; }), 1001);
  EXPECT_EQ(verdict, Verdict::given_up);
}

TEST(ConvergenceMonitor, WaitsForALongChain) {
  ConvergenceMonitor monitor(5000, 1, to_change(1e-4), SweepKind::jacobi);
  Verdict verdict{};
  const auto change = [](std::int64_t sweep) { return ValueChange{0, sweep <= 5000 ? 1.0 : 0.0}; };
  EXPECT_EQ(sweeps_until(monitor, verdict, change), 5001);
  EXPECT_EQ(verdict, Verdict::converged);
}

TEST(ConvergenceMonitor, WaitsForASlowLeak) {
  ConvergenceMonitor monitor(2, 1, to_change(1e-4), SweepKind::jacobi);
  Verdict verdict{};
  const auto change = [](std::int64_t sweep) {
    return ValueChange{0, std::pow(1 - 2e-5, static_cast<double>(sweep))};
  };
  EXPECT_GT(sweeps_until(monitor, verdict, change), 400'000);
  EXPECT_EQ(verdict, Verdict::converged);
}

TEST(ConvergenceMonitor, WaitsForDecreasingValues) {
  ConvergenceMonitor monitor(2, 1, to_change(1e-4), SweepKind::jacobi);
  Verdict verdict{};
  // Decreases by a thousandth per sweep, with occasional rises by rounding.
  const auto change = [](std::int64_t sweep) {
    return sweep < 50'000 ? ValueChange{-1e-3, 1e-10} : ValueChange{0, 0};
  };
  EXPECT_EQ(sweeps_until(monitor, verdict, change), 50'000);
  EXPECT_EQ(verdict, Verdict::converged);
}

TEST(ConvergenceMonitor, GivesUpOnAlternatingRounding) {
  ConvergenceMonitor monitor(2, 0.999, to_change(1e-12), SweepKind::jacobi);
  Verdict verdict{};
  const auto change = [](std::int64_t sweep) {
    const double residual = std::max(1e-9, std::pow(.999, static_cast<double>(sweep)));
    return ValueChange{-residual, residual};
  };
  EXPECT_LT(sweeps_until(monitor, verdict, change), 30'000);
  EXPECT_EQ(verdict, Verdict::given_up);
}

TEST(ConvergenceMonitor, LooksCloselyAtFewSweeps) {
  ConvergenceMonitor rising(10, 1, to_change(1e-4), SweepKind::jacobi);
  ConvergenceMonitor sinking(10, 1, to_change(1e-4), SweepKind::jacobi);
  ConvergenceMonitor discounted(10, .99, to_change(1e-4), SweepKind::jacobi);
  std::vector<std::int64_t> looks;
  for (int sweep = 1; sweep <= 300; ++sweep) {
    rising.after({0, 1});
    if (rising.looks_closely()) looks.push_back(sweep);
    sinking.after({-1, 0});
    discounted.after({0, 1});
    EXPECT_FALSE(sinking.looks_closely() || discounted.looks_closely());
  }
  EXPECT_EQ(looks, (std::vector<std::int64_t>{64, 128, 256}));
}

TEST(ConvergenceMonitor, ThrowsForInfiniteValues) {
  ConvergenceMonitor monitor(2, 1, to_change(1e-4), SweepKind::jacobi);
  EXPECT_THROW(monitor.after({0, INFINITY}), RunError);
  EXPECT_THROW(monitor.after({NAN, NAN}), RunError);
}

TEST(ChangeSlot, FindsMinimumAndMaximumInAnyOrder) {
  const double numbers[] = {-1e300, -2, -1e-310, -0.0, 0.0, 3e-320, 1, 7e200};
  for (const double min : numbers) {
    for (const double max : numbers) {
      if (max < min) continue;
      ChangeSlot<double> slot;
      slot.include(max);
      ChangeSlot<double> other;
      other.include(min);
      slot.include(other);
      EXPECT_EQ(slot.change().min, min);
      EXPECT_EQ(slot.change().max, max);
    }
  }
}

TEST(ChangeSlot, KeepsNan) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), -std::nan(""), infinity, -infinity}) {
    ChangeSlot<double> slot;
    slot.include(1);
    slot.include(bad);
    slot.include(-1);
    EXPECT_THROW(finite_change(slot, "a method", 3), RunError);
  }
}

/// Returns a rise of `times` the tolerance.
ValueChange change_of(double times) { return {0, 1e-4 * times}; }

TEST(ConvergenceMonitor, PredictsFromTwoLooks) {
  ConvergenceMonitor monitor(2, 1, to_change(1e-4), SweepKind::batches);
  EXPECT_EQ(monitor.sweeps_until_look(), 1);
  EXPECT_EQ(monitor.after(change_of(1 << 20), 100), Verdict::go_on);
  EXPECT_EQ(monitor.sweeps_until_look(), 1);  // one look is not enough
  monitor.after(change_of(1 << 10), 10);      // halved per sweep: 10 more sweeps
  EXPECT_EQ(monitor.sweeps_until_look(), 9);
  monitor.after(change_of(1 << 12));
  EXPECT_EQ(monitor.sweeps_until_look(), 1);  // the change grew
  monitor.after(change_of(4095), 17);         // a small decrease: an eighth of the sweeps done
  EXPECT_EQ(monitor.sweeps_until_look(), 128 / 8);
}

TEST(ConvergenceMonitor, GivesUpWithoutADecreaseForLong) {
  const SolveOptions options = to_change(1e-4);
  ConvergenceMonitor monitor(2, .9, options, SweepKind::batches);
  EXPECT_EQ(monitor.after(change_of(5), 10), Verdict::go_on);
  EXPECT_EQ(monitor.after(change_of(5), 1000), Verdict::go_on);
  EXPECT_EQ(monitor.after(change_of(6), 1), Verdict::given_up);
  EXPECT_EQ(monitor.after(change_of(4), 1), Verdict::go_on);
  ConvergenceMonitor undiscounted(1'000'000, 1, options, SweepKind::batches);
  EXPECT_EQ(undiscounted.after(change_of(5), 1), Verdict::go_on);
  EXPECT_EQ(undiscounted.after(change_of(5), 900'000), Verdict::go_on);
}

TEST(ConvergenceMonitor, ConfirmsPromisingLaunchesByASweep) {
  ConvergenceMonitor monitor(2, .9, to_change(1e-4), SweepKind::launches);
  monitor.after_launches(change_of(8), 1);
  EXPECT_FALSE(monitor.is_sweep_due());
  monitor.after_launches(change_of(.8), 1);
  EXPECT_TRUE(monitor.is_sweep_due());
  // Twice the limit: the next attempt waits for less than half of the launches' change.
  EXPECT_EQ(monitor.after(change_of(2)), Verdict::go_on);
  EXPECT_FALSE(monitor.is_sweep_due());
  monitor.after_launches(change_of(.4), 1);
  EXPECT_FALSE(monitor.is_sweep_due());
  monitor.after_launches(change_of(.35), 1);
  EXPECT_TRUE(monitor.is_sweep_due());
  EXPECT_EQ(monitor.after(change_of(.9)), Verdict::converged);
  EXPECT_EQ(monitor.sweeps(), 6);
}

TEST(ConvergenceMonitor, ConfirmsUninformativeLaunchesLessAndLessOften) {
  ConvergenceMonitor monitor(2, .9, to_change(1e-4), SweepKind::launches);
  std::vector<std::int64_t> confirmed;
  Verdict verdict = Verdict::go_on;
  while (verdict == Verdict::go_on) {
    while (!monitor.is_sweep_due()) monitor.after_launches(change_of(5), 1);
    verdict = monitor.after(change_of(5));
    confirmed.push_back(monitor.sweeps());
  }
  // The last confirmation follows launches without a decrease for more than a thousand sweeps.
  EXPECT_EQ(confirmed, (std::vector<std::int64_t>{65, 195, 455, 975, 1003}));
  EXPECT_EQ(verdict, Verdict::given_up);
}

TEST(ConvergenceMonitor, GivesUpImprovementsSoonerAtRounding) {
  const auto improvements = [](double rounding) {
    ConvergenceMonitor monitor(2, .9, to_change(1e-9), SweepKind::improvements);
    while (monitor.after({-1e-3, 1e-3}, 10, rounding) == Verdict::go_on) {
    }
    EXPECT_EQ(monitor.is_rounding(), rounding > 0);
    return monitor.sweeps() / 10;
  };
  EXPECT_EQ(improvements(0), 10'001);
  EXPECT_EQ(improvements(2e-3), 101);
}

TEST(ConvergenceMonitor, DetectsStalledEvaluations) {
  ConvergenceMonitor monitor(2, .99, to_change(1e-9), SweepKind::batches);
  const auto is_stalled_after = [&](const ValueChange& change) {
    monitor.after(change, 1, 64 * 1e-7 * 10);
    return monitor.is_stalled();
  };
  // Far from rounding a change may stay constant, for example for a moving front.
  for (int n = 0; n < 99; ++n) EXPECT_FALSE(is_stalled_after({-1, 1}));
  for (int n = 0; n < 8; ++n) EXPECT_FALSE(is_stalled_after({-3e-6, 1e-6})) << n;
  // The change decreases slowly, with ups and downs.
  for (int n = 0; n < 8; ++n) {
    EXPECT_FALSE(is_stalled_after({n % 2 * 1e-6 - 2e-6, 1e-6})) << n;
  }
  EXPECT_TRUE(is_stalled_after({-2e-6, 1e-6}));
  EXPECT_TRUE(is_stalled_after({-1, 1}));
}

}  // namespace
}  // namespace tidewise::mdp
