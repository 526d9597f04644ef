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
std::vector<float> random_coefficients(std::uint64_t seed, std::int32_t count, double scale = 1) {
  const Philox random(seed);
  std::vector<float> values;
  const auto row = static_cast<std::size_t>(modes * count);
  for (std::int32_t k = 0; k < levels; ++k) {
    for (std::int32_t m = 0; m < modes; ++m) {
      for (std::int32_t r = 0; r < count; ++r) {
        const double fresh = scale * standard_normal(random, static_cast<std::uint32_t>(r),
                                                     static_cast<std::uint32_t>(modes * k + m));
        constexpr double memory = 0.9;
        values.push_back(static_cast<float>(k == 0 ? fresh
                                                   : memory * values[values.size() - row] +
                                                         std::sqrt(1 - memory * memory) * fresh));
      }
    }
  }
  return values;
}

class AdaptiveInflation : public testing::Test {
 protected:
  static constexpr double error = 0.2;

  CoefficientView view() const { return {forecast_.data(), levels, modes, members}; }
  /// Observes both modes at the first levels of truth `t` of `count` truths.
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

  const std::vector<float> forecast_ = random_coefficients(1, members);
};

TEST_F(AdaptiveInflation, BringsChiSquareToItsDegreesOfFreedom) {
  const std::vector<float> truths = random_coefficients(2, 20, 2.5);
  int inflated = 0;
  for (std::int32_t t = 0; t < 20; ++t) {
    const auto observations = observe(truths, 20, t);
    const LearnedCoefficients adaptive = learn(observations, view());
    if (adaptive.consistency.inflation == 1 || adaptive.consistency.contradicted) continue;
    if (adaptive.consistency.inflation == max_adaptive_inflation) continue;
    ++inflated;
    EXPECT_LT(adaptive.consistency.probability, improbable_chi_square);
    SmootherOptions fixed;
    fixed.inflation = adaptive.consistency.inflation;
    const LearnedCoefficients expected = learn(observations, view(), {}, fixed);
    EXPECT_NEAR(expected.consistency.chi_square, expected.consistency.degrees_of_freedom, 1e-6);
    for (std::size_t n = 0; n < expected.coefficient.size(); ++n) {
      ASSERT_NEAR(adaptive.coefficient[n], expected.coefficient[n], 1e-5);
    }
  }
  EXPECT_GT(inflated, 8);
}

TEST_F(AdaptiveInflation, KeepsAConsistentEnsemble) {
  const std::vector<float> truths = random_coefficients(3, 20);
  SmootherOptions fixed;
  fixed.inflation = 1;
  int consistent = 0;
  for (std::int32_t t = 0; t < 20; ++t) {
    const auto observations = observe(truths, 20, t);
    const LearnedCoefficients adaptive = learn(observations, view());
    if (adaptive.consistency.probability < improbable_chi_square) continue;
    ++consistent;
    EXPECT_EQ(adaptive.consistency.inflation, 1);
    EXPECT_FALSE(adaptive.consistency.contradicted);
    EXPECT_EQ(adaptive.coefficient, learn(observations, view(), {}, fixed).coefficient);
  }
  EXPECT_GT(consistent, 15);
}

TEST_F(AdaptiveInflation, KeepsAContradictedEnsemble) {
  const auto observations = observe(random_coefficients(3, 1), 1, 0, 20);
  const LearnedCoefficients adaptive = learn(observations, view());
  EXPECT_EQ(adaptive.consistency.inflation, 1);
  EXPECT_TRUE(adaptive.consistency.contradicted);
  SmootherOptions fixed;
  fixed.inflation = 1;
  EXPECT_EQ(adaptive.coefficient, learn(observations, view(), {}, fixed).coefficient);
}

TEST_F(AdaptiveInflation, KeepsAGivenFactor) {
  const auto observations = observe(random_coefficients(3, 1), 1, 0, 20);
  SmootherOptions fixed;
  for (const double factor : {1.0, 2.0, 50.0}) {
    fixed.inflation = factor;
    const LearnedCoefficients learned = learn(observations, view(), {}, fixed);
    EXPECT_EQ(learned.consistency.inflation, factor);
    EXPECT_EQ(learned.consistency.contradicted, factor < 50);
  }
}

TEST_F(AdaptiveInflation, InflatesTheForecastWhenManyLegsAreRejected) {
  const std::vector<float> truths = random_coefficients(3, 1);
  SmootherOptions options;
  options.reject_beyond = 4;
  auto with_outlier = observe(truths, 1, 0);
  for (const std::size_t n : {2u, 3u}) with_outlier[n].value += 30;  // both components of a leg
  const LearnedCoefficients cleaned = learn(with_outlier, view(), {}, options);
  EXPECT_EQ(cleaned.consistency.degrees_of_freedom, 8);
  EXPECT_EQ(cleaned.consistency.inflation, 1);
  const LearnedCoefficients inflated = learn(observe(truths, 1, 0, 4.7), view(), {}, options);
  EXPECT_EQ(inflated.consistency.degrees_of_freedom, 10);
  EXPECT_GT(inflated.consistency.inflation, 1.5);
  options.inflation = 1;
  EXPECT_EQ(learn(observe(truths, 1, 0, 4.7), view(), {}, options).consistency.degrees_of_freedom,
            0);
}

// Truths vary twice as much as the ensemble: 90 % intervals of the state after the last observation
// contain few of them without inflation, and more with it. The factor is only estimated, from ten
// correlated components.
TEST_F(AdaptiveInflation, WidensIntervalsThatAreTooNarrow) {
  constexpr std::int32_t count = 400;
  const std::vector<float> truths = random_coefficients(5, count, 2);
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
  SmootherOptions fixed;
  fixed.inflation = 1;
  const double uninflated = coverage(fixed);
  EXPECT_LT(uninflated, 0.65);
  EXPECT_GT(coverage({}), uninflated + 0.12);
}

}  // namespace
}  // namespace tidewise
