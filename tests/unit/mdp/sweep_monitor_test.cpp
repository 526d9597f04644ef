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
std::int64_t sweeps_until(SweepWatch& watch, SweepVerdict& verdict, const Change& change) {
  do {
    verdict = watch.judge(change(watch.sweeps() + 1));
  } while (verdict == SweepVerdict::go_on);
  return watch.sweeps();
}

TEST(SweepWatch, StopsWhereTheRuleSays) {
  SweepWatch watch(10, 0.5, to_change(0.1), false);
  EXPECT_EQ(watch.judge({-.2, .3}), SweepVerdict::go_on);
  EXPECT_EQ(watch.judge({-.05, .1}), SweepVerdict::go_on);
  EXPECT_EQ(watch.judge({-.05, .09}), SweepVerdict::converged);
  EXPECT_EQ(watch.sweeps(), 3);
}

TEST(SweepWatch, CentringNeedsTheSpanAlone) {
  SolveOptions options;
  options.tolerance = 0.1;
  EXPECT_EQ(SweepWatch(10, 0.9, options, true).judge({1, 1.02}), SweepVerdict::converged);
  EXPECT_EQ(SweepWatch(10, 0.9, options, false).judge({1, 1.02}), SweepVerdict::go_on);
}

TEST(SweepWatch, EndsAtMostSweeps) {
  SolveOptions options = to_change(1e-4);
  options.most_sweeps = 7;
  SweepWatch watch(10, 1, options, false);
  SweepVerdict verdict{};
  EXPECT_EQ(sweeps_until(watch, verdict, [](auto) { return ValueChange{-1, 0}; }), 7);
  EXPECT_EQ(verdict, SweepVerdict::given_up);
}

TEST(SweepWatch, ALoopThatGainsIsGivenUp) {
  SweepWatch watch(10, 1, to_change(1e-4), false);
  SweepVerdict verdict{};
  EXPECT_EQ(sweeps_until(watch, verdict, [](auto) { return ValueChange{0, 1}; }), 1001);
  EXPECT_EQ(verdict, SweepVerdict::given_up);
}

TEST(SweepWatch, ALongChainIsWaitedFor) {
  SweepWatch watch(5000, 1, to_change(1e-4), false);
  SweepVerdict verdict{};
  const auto change = [](std::int64_t sweep) { return ValueChange{0, sweep <= 5000 ? 1.0 : 0.0}; };
  EXPECT_EQ(sweeps_until(watch, verdict, change), 5001);
  EXPECT_EQ(verdict, SweepVerdict::converged);
}

TEST(SweepWatch, ASlowLeakIsWaitedFor) {
  SweepWatch watch(2, 1, to_change(1e-4), false);
  SweepVerdict verdict{};
  const auto change = [](std::int64_t sweep) {
    return ValueChange{0, std::pow(1 - 2e-5, static_cast<double>(sweep))};
  };
  EXPECT_GT(sweeps_until(watch, verdict, change), 400'000);
  EXPECT_EQ(verdict, SweepVerdict::converged);
}

TEST(SweepWatch, ValuesThatSinkAreWaitedFor) {
  SweepWatch watch(2, 1, to_change(1e-4), false);
  SweepVerdict verdict{};
  // A thousandth a sweep, with rounding that lifts another value now and then.
  const auto change = [](std::int64_t sweep) {
    return sweep < 50'000 ? ValueChange{-1e-3, 1e-10} : ValueChange{0, 0};
  };
  EXPECT_EQ(sweeps_until(watch, verdict, change), 50'000);
  EXPECT_EQ(verdict, SweepVerdict::converged);
}

TEST(SweepWatch, RoundingThatSwingsIsGivenUp) {
  SweepWatch watch(2, 0.999, to_change(1e-12), false);
  SweepVerdict verdict{};
  const auto change = [](std::int64_t sweep) {
    const double residual = std::max(1e-9, std::pow(.999, static_cast<double>(sweep)));
    return ValueChange{-residual, residual};
  };
  EXPECT_LT(sweeps_until(watch, verdict, change), 30'000);
  EXPECT_EQ(verdict, SweepVerdict::given_up);
}

TEST(SweepWatch, LooksCloselyAtFewSweeps) {
  SweepWatch rising(10, 1, to_change(1e-4), false);
  SweepWatch sinking(10, 1, to_change(1e-4), false);
  SweepWatch discounted(10, .99, to_change(1e-4), false);
  std::vector<std::int64_t> looks;
  for (int sweep = 1; sweep <= 300; ++sweep) {
    rising.judge({0, 1});
    if (rising.look_closely()) looks.push_back(sweep);
    sinking.judge({-1, 0});
    discounted.judge({0, 1});
    EXPECT_FALSE(sinking.look_closely() || discounted.look_closely());
  }
  EXPECT_EQ(looks, (std::vector<std::int64_t>{64, 128, 256}));
}

TEST(SweepWatch, ValuesWithoutBoundAreAnError) {
  SweepWatch watch(2, 1, to_change(1e-4), false);
  EXPECT_THROW(watch.judge({0, INFINITY}), RunError);
  EXPECT_THROW(watch.judge({NAN, NAN}), RunError);
}

}  // namespace
}  // namespace tidewise::mdp
