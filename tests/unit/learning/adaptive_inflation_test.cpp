// Inflation of an ensemble that observations contradict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/standard_normal.h"
#include "learning/ensemble_smoother.h"

namespace tidewise {
namespace {

constexpr std::int32_t levels = 8;
constexpr std::int32_t modes = 2;
constexpr std::int32_t members = 80;

/// Coefficients of AR(1) processes of variance 1, (level, mode, member).
std::vector<float> made_coefficients(std::uint64_t seed, std::int32_t count, double scale = 1) {
  const Philox random(seed);
  std::vector<float> all;
  const auto row = static_cast<std::size_t>(modes * count);
  for (std::int32_t k = 0; k < levels; ++k) {
    for (std::int32_t m = 0; m < modes; ++m) {
      for (std::int32_t r = 0; r < count; ++r) {
        const double fresh = scale * standard_normal(random, static_cast<std::uint32_t>(r),
                                                     static_cast<std::uint32_t>(modes * k + m));
        constexpr double memory = 0.9;
        all.push_back(static_cast<float>(k == 0 ? fresh
                                                : memory * all[all.size() - row] +
                                                      std::sqrt(1 - memory * memory) * fresh));
      }
    }
  }
  return all;
}

class AdaptiveInflation : public testing::Test {
 protected:
  static constexpr double error = 0.2;

  CoefficientView view() const { return {forecast_.data(), levels, modes, members}; }
  /// Both modes at the first levels of truth `t` of many.
  static std::vector<FlowObservation> observe(const std::vector<float>& truths, std::int32_t count,
                                              std::int32_t t, double offset = 0) {
    const Philox random(77);
    std::vector<FlowObservation> observations;
    for (std::int32_t k = 0; k < 5; ++k) {
      for (std::int32_t m = 0; m < modes; ++m) {
        std::vector<double> sensitivity(modes, 0.0);
        sensitivity[static_cast<std::size_t>(m)] = 1;
        const auto at = static_cast<std::size_t>((k * modes + m) * count + t);
        const double noise = error * standard_normal(random, static_cast<std::uint32_t>(t),
                                                     static_cast<std::uint32_t>(k * modes + m));
        observations.push_back({static_cast<double>(truths[at]) + noise + offset,
                                error,
                                0,
                                k + 0.5,
                                {{k, sensitivity}},
                                k});
      }
    }
    return observations;
  }

  const std::vector<float> forecast_ = made_coefficients(1, members);
};

TEST_F(AdaptiveInflation, BringsChiSquareToItsDegreesOfFreedom) {
  const std::vector<float> truths = made_coefficients(2, 20, 2.5);
  int inflated = 0;
  for (std::int32_t t = 0; t < 20; ++t) {
    const auto observations = observe(truths, 20, t);
    const LearnedCoefficients adaptive = learn(observations, view());
    if (adaptive.consistency.inflation == 1 || adaptive.consistency.contradicted) continue;
    if (adaptive.consistency.inflation == max_adaptive_inflation) continue;
    ++inflated;
    EXPECT_LT(adaptive.consistency.probability, improbable_chi_square);
    SmootherOptions given;
    given.inflation = adaptive.consistency.inflation;
    const LearnedCoefficients same = learn(observations, view(), {}, given);
    EXPECT_NEAR(same.consistency.chi_square, same.consistency.degrees_of_freedom, 1e-6);
    for (std::size_t n = 0; n < same.coefficient.size(); ++n) {
      ASSERT_NEAR(adaptive.coefficient[n], same.coefficient[n], 1e-5);
    }
  }
  EXPECT_GT(inflated, 8);
}

TEST_F(AdaptiveInflation, KeepsAConsistentEnsemble) {
  const std::vector<float> truths = made_coefficients(3, 20);
  SmootherOptions given;
  given.inflation = 1;
  int consistent = 0;
  for (std::int32_t t = 0; t < 20; ++t) {
    const auto observations = observe(truths, 20, t);
    const LearnedCoefficients adaptive = learn(observations, view());
    if (adaptive.consistency.probability < improbable_chi_square) continue;
    ++consistent;
    EXPECT_EQ(adaptive.consistency.inflation, 1);
    EXPECT_FALSE(adaptive.consistency.contradicted);
    EXPECT_EQ(adaptive.coefficient, learn(observations, view(), {}, given).coefficient);
  }
  EXPECT_GT(consistent, 15);
}

TEST_F(AdaptiveInflation, KeepsAContradictedEnsemble) {
  const auto observations = observe(made_coefficients(3, 1), 1, 0, 20);
  const LearnedCoefficients adaptive = learn(observations, view());
  EXPECT_EQ(adaptive.consistency.inflation, 1);
  EXPECT_TRUE(adaptive.consistency.contradicted);
  SmootherOptions given;
  given.inflation = 1;
  EXPECT_EQ(adaptive.coefficient, learn(observations, view(), {}, given).coefficient);
}

TEST_F(AdaptiveInflation, KeepsAGivenFactor) {
  const auto observations = observe(made_coefficients(3, 1), 1, 0, 20);
  SmootherOptions given;
  for (const double factor : {1.0, 2.0, 50.0}) {
    given.inflation = factor;
    const LearnedCoefficients learned = learn(observations, view(), {}, given);
    EXPECT_EQ(learned.consistency.inflation, factor);
    EXPECT_EQ(learned.consistency.contradicted, factor < 50);
  }
}

TEST_F(AdaptiveInflation, InflatesTheForecastWhenManyLegsAreRejected) {
  const std::vector<float> truths = made_coefficients(3, 1);
  SmootherOptions options;
  options.reject_beyond = 4;
  auto one_wrong = observe(truths, 1, 0);
  for (const std::size_t n : {2u, 3u}) one_wrong[n].value += 30;  // both components of a leg
  const LearnedCoefficients sorted = learn(one_wrong, view(), {}, options);
  EXPECT_EQ(sorted.consistency.degrees_of_freedom, 8);
  EXPECT_EQ(sorted.consistency.inflation, 1);
  const LearnedCoefficients inflated = learn(observe(truths, 1, 0, 4.7), view(), {}, options);
  EXPECT_EQ(inflated.consistency.degrees_of_freedom, 10);
  EXPECT_GT(inflated.consistency.inflation, 1.5);
  options.inflation = 1;
  EXPECT_EQ(learn(observe(truths, 1, 0, 4.7), view(), {}, options).consistency.degrees_of_freedom,
            0);
}

// Truths vary twice as much as the ensemble: 90 % intervals of the state after the last observation
// contain few of them without inflation, and more with it. It is no more than an estimate from ten
// correlated components.
TEST_F(AdaptiveInflation, WidensIntervalsThatAreTooNarrow) {
  constexpr std::int32_t count = 400;
  const std::vector<float> truths = made_coefficients(5, count, 2);
  const auto coverage = [&](const SmootherOptions& options) {
    int covered = 0;
    for (std::int32_t t = 0; t < count; ++t) {
      const LearnedCoefficients learned = learn(observe(truths, count, t), view(), {}, options);
      for (std::int32_t m = 0; m < modes; ++m) {
        const std::int32_t state = 7 * modes + m;
        const double truth = truths[static_cast<std::size_t>(state * count + t)];
        constexpr double quantile = 1.645;
        if (std::abs(truth - learned.mean[static_cast<std::size_t>(state)]) <
            quantile * learned.spread_after[static_cast<std::size_t>(state)]) {
          ++covered;
        }
      }
    }
    return covered / static_cast<double>(modes * count);
  };
  SmootherOptions given;
  given.inflation = 1;
  const double uninflated = coverage(given);
  EXPECT_LT(uninflated, 0.65);
  EXPECT_GT(coverage({}), uninflated + 0.12);
}

}  // namespace
}  // namespace tidewise
