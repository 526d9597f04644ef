#include "mdp/stop/sweep_monitor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

/// Sweeps until the verdict, the change of sweep n being change(n); the verdict in `verdict`.
template <class Change>
std::int64_t sweeps_until(SweepMonitor& monitor, SweepVerdict& verdict, const Change& change) {
  do {
    verdict = monitor.validate(change(monitor.sweeps() + 1));
  } while (verdict == SweepVerdict::go_on);
  return monitor.sweeps();
}

TEST(SweepMonitor, StopsWhereTheRuleSays) {
  SweepMonitor monitor(10, 0.5, to_change(0.1), false);
  EXPECT_EQ(monitor.validate({-.2, .3}), SweepVerdict::go_on);
  EXPECT_EQ(monitor.validate({-.05, .1}), SweepVerdict::go_on);
  EXPECT_EQ(monitor.validate({-.05, .09}), SweepVerdict::converged);
  EXPECT_EQ(monitor.sweeps(), 3);
}

TEST(SweepMonitor, CentringNeedsTheSpanAlone) {
  SolveOptions options;
  options.tolerance = 0.1;
  EXPECT_EQ(SweepMonitor(10, 0.9, options, true).validate({1, 1.02}), SweepVerdict::converged);
  EXPECT_EQ(SweepMonitor(10, 0.9, options, false).validate({1, 1.02}), SweepVerdict::go_on);
}

TEST(SweepMonitor, EndsAtMostSweeps) {
  SolveOptions options = to_change(1e-4);
  options.most_sweeps = 7;
  SweepMonitor monitor(10, 1, options, false);
  SweepVerdict verdict{};
  EXPECT_EQ(sweeps_until(monitor, verdict, [](auto) { return ValueChange{-1, 0}; }), 7);
  EXPECT_EQ(verdict, SweepVerdict::given_up);
}

TEST(SweepMonitor, ALoopThatGainsIsGivenUp) {
  SweepMonitor monitor(10, 1, to_change(1e-4), false);
  SweepVerdict verdict{};
  EXPECT_EQ(sweeps_until(monitor, verdict, [](auto) { return ValueChange{0, 1}; }), 1001);
  EXPECT_EQ(verdict, SweepVerdict::given_up);
}

TEST(SweepMonitor, ALongChainIsWaitedFor) {
  SweepMonitor monitor(5000, 1, to_change(1e-4), false);
  SweepVerdict verdict{};
  const auto change = [](std::int64_t sweep) { return ValueChange{0, sweep <= 5000 ? 1.0 : 0.0}; };
  EXPECT_EQ(sweeps_until(monitor, verdict, change), 5001);
  EXPECT_EQ(verdict, SweepVerdict::converged);
}

TEST(SweepMonitor, ASlowLeakIsWaitedFor) {
  SweepMonitor monitor(2, 1, to_change(1e-4), false);
  SweepVerdict verdict{};
  const auto change = [](std::int64_t sweep) {
    return ValueChange{0, std::pow(1 - 2e-5, static_cast<double>(sweep))};
  };
  EXPECT_GT(sweeps_until(monitor, verdict, change), 400'000);
  EXPECT_EQ(verdict, SweepVerdict::converged);
}

TEST(SweepMonitor, ValuesThatSinkAreWaitedFor) {
  SweepMonitor monitor(2, 1, to_change(1e-4), false);
  SweepVerdict verdict{};
  // A thousandth a sweep, with rounding that lifts another value now and then.
  const auto change = [](std::int64_t sweep) {
    return sweep < 50'000 ? ValueChange{-1e-3, 1e-10} : ValueChange{0, 0};
  };
  EXPECT_EQ(sweeps_until(monitor, verdict, change), 50'000);
  EXPECT_EQ(verdict, SweepVerdict::converged);
}

TEST(SweepMonitor, RoundingThatSwingsIsGivenUp) {
  SweepMonitor monitor(2, 0.999, to_change(1e-12), false);
  SweepVerdict verdict{};
  const auto change = [](std::int64_t sweep) {
    const double residual = std::max(1e-9, std::pow(.999, static_cast<double>(sweep)));
    return ValueChange{-residual, residual};
  };
  EXPECT_LT(sweeps_until(monitor, verdict, change), 30'000);
  EXPECT_EQ(verdict, SweepVerdict::given_up);
}

TEST(SweepMonitor, LooksCloselyAtFewSweeps) {
  SweepMonitor rising(10, 1, to_change(1e-4), false);
  SweepMonitor sinking(10, 1, to_change(1e-4), false);
  SweepMonitor discounted(10, .99, to_change(1e-4), false);
  std::vector<std::int64_t> looks;
  for (int sweep = 1; sweep <= 300; ++sweep) {
    rising.validate({0, 1});
    if (rising.look_closely()) looks.push_back(sweep);
    sinking.validate({-1, 0});
    discounted.validate({0, 1});
    EXPECT_FALSE(sinking.look_closely() || discounted.look_closely());
  }
  EXPECT_EQ(looks, (std::vector<std::int64_t>{64, 128, 256}));
}

TEST(SweepMonitor, ValuesWithoutBoundAreAnError) {
  SweepMonitor monitor(2, 1, to_change(1e-4), false);
  EXPECT_THROW(monitor.validate({0, INFINITY}), RunError);
  EXPECT_THROW(monitor.validate({NAN, NAN}), RunError);
}

}  // namespace
}  // namespace tidewise::mdp
