// The ensemble smoother compared with results by hand, and with the Kalman posterior.
#include "learning/ensemble_smoother.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "base/error.h"
#include "base/standard_normal.h"
#include "learning/chi_square.h"
#include "support/error_code.h"

namespace tidewise {
namespace {

using ::testing::ThrowsMessage;

FlowObservation observation(double value, double error, std::int32_t level,
                            std::vector<double> sensitivity, double mean = 0) {
  return {value, error, mean, level + 0.5, {{level, std::move(sensitivity)}}};
}

/// Random coefficients with correlation in time, (level, mode, realization).
struct RandomEnsemble {
  std::int32_t levels;
  std::int32_t modes;
  std::int32_t realizations;
  std::vector<float> coefficient = {};

  RandomEnsemble(std::int32_t level_count, std::int32_t mode_count, std::int32_t count,
                 std::uint64_t seed = 3)
      : levels(level_count), modes(mode_count), realizations(count) {
    const Philox random(seed);
    for (std::int32_t k = 0; k < levels; ++k) {
      for (std::int32_t m = 0; m < modes; ++m) {
        for (std::int32_t r = 0; r < count; ++r) {
          const double fresh = standard_normal(random, static_cast<std::uint32_t>(k * modes + m),
                                               static_cast<std::uint32_t>(r));
          const double before = k == 0 ? fresh : at(k - 1, m, r);
          coefficient.push_back(static_cast<float>(0.9 * before + 0.44 * fresh + 0.1 * m));
        }
      }
    }
  }
  float at(std::int32_t k, std::int32_t m, std::int32_t r) const {
    const std::int32_t index = (k * modes + m) * realizations + r;
    return coefficient[static_cast<std::size_t>(index)];
  }
  CoefficientView view() const { return {coefficient.data(), levels, modes, realizations}; }
};

/// Mean and covariance of a state, which has the coefficients of all levels and modes in order.
struct Gaussian {
  std::vector<double> mean;
  std::vector<std::vector<double>> covariance;
};

Gaussian moments_of_all(const std::vector<float>& coefficient, std::size_t states,
                        const std::vector<double>& weight) {
  const std::size_t members = weight.size();
  double squares = 0;
  for (const double w : weight) squares += w * w;
  Gaussian moments{std::vector<double>(states, 0.0),
                   std::vector<std::vector<double>>(states, std::vector<double>(states, 0.0))};
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t r = 0; r < members; ++r) {
      moments.mean[s] += weight[r] * static_cast<double>(coefficient[s * members + r]);
    }
  }
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t t = 0; t < states; ++t) {
      for (std::size_t r = 0; r < members; ++r) {
        moments.covariance[s][t] +=
            weight[r] * (static_cast<double>(coefficient[s * members + r]) - moments.mean[s]) *
            (static_cast<double>(coefficient[t * members + r]) - moments.mean[t]) / (1 - squares);
      }
    }
  }
  return moments;
}

/// The closed-form posterior, by Kalman updates with one observation after the other.
Gaussian kalman(Gaussian state, const std::vector<FlowObservation>& observations,
                std::size_t modes) {
  const std::size_t states = state.mean.size();
  for (const FlowObservation& observation : observations) {
    std::vector<double> h(states, 0.0);
    for (const auto& part : observation.parts) {
      for (std::size_t m = 0; m < modes; ++m) {
        h[static_cast<std::size_t>(part.level) * modes + m] = part.sensitivity[m];
      }
    }
    std::vector<double> ph(states, 0.0);
    double forecast = observation.mean;
    double variance = observation.error * observation.error;
    for (std::size_t s = 0; s < states; ++s) {
      for (std::size_t t = 0; t < states; ++t) ph[s] += state.covariance[s][t] * h[t];
      forecast += h[s] * state.mean[s];
    }
    for (std::size_t s = 0; s < states; ++s) variance += h[s] * ph[s];
    for (std::size_t s = 0; s < states; ++s) {
      state.mean[s] += ph[s] / variance * (observation.value - forecast);
      for (std::size_t t = 0; t < states; ++t) {
        state.covariance[s][t] -= ph[s] * ph[t] / variance;
      }
    }
  }
  return state;
}

void expect_near(const Gaussian& found, const Gaussian& expected, double tolerance) {
  for (std::size_t s = 0; s < expected.mean.size(); ++s) {
    EXPECT_NEAR(found.mean[s], expected.mean[s], tolerance) << "state " << s;
    for (std::size_t t = 0; t < expected.mean.size(); ++t) {
      EXPECT_NEAR(found.covariance[s][t], expected.covariance[s][t], tolerance) << s << ", " << t;
    }
  }
}

std::vector<double> equal(std::size_t count) {
  return std::vector<double>(count, 1.0 / static_cast<double>(count));
}

TEST(EnsembleSmoother, MatchesAHandCalculationForOneObservation) {
  // Coefficients −1, 0, 1 have variance 1. An observation of 1 with error 1 moves the mean halfway
  // and leaves half of the variance.
  const std::vector<float> coefficient{-1, 0, 1};
  const auto learned =
      learn({observation(1.0, 1.0, 0, {1.0})}, {coefficient.data(), 1, 1, 3}, {}, {});
  const float spread = std::sqrt(0.5F);
  EXPECT_THAT(learned.coefficient,
              ::testing::ElementsAre(::testing::FloatEq(0.5F - spread), ::testing::FloatEq(0.5F),
                                     ::testing::FloatEq(0.5F + spread)));
  EXPECT_DOUBLE_EQ(learned.mean[0], 0.5);
  EXPECT_DOUBLE_EQ(learned.spread_before[0], 1);
  EXPECT_NEAR(learned.spread_after[0], std::sqrt(0.5), 1e-12);
  const ObservationResult& result = learned.observations[0];
  EXPECT_DOUBLE_EQ(result.forecast, 0);
  EXPECT_DOUBLE_EQ(result.forecast_spread, 1);
  EXPECT_DOUBLE_EQ(result.innovation, 1);
  EXPECT_NEAR(result.normalized, std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(result.posterior, 0.5, 1e-15);
  EXPECT_NEAR(result.posterior_spread, std::sqrt(0.5), 1e-15);
  EXPECT_FALSE(result.outside);
  EXPECT_NEAR(learned.consistency.chi_square, 0.5, 1e-15);
  EXPECT_EQ(learned.consistency.degrees_of_freedom, 1);
  EXPECT_NEAR(learned.consistency.probability, 0.4795001, 1e-7);
}

TEST(EnsembleSmoother, MatchesTheKalmanPosteriorExactly) {
  const RandomEnsemble forecast(3, 2, 40);
  const std::vector<FlowObservation> observations{
      observation(0.8, 0.3, 0, {1.0, -0.5}, 0.2),
      observation(-0.4, 0.5, 1, {0.3, 1.2}),
      // an observation to which two levels contribute
      {0.6, 0.2, 0.1, 2.0, {{1, {0.5, 0.1}}, {2, {0.4, -0.2}}}}};
  const auto learned = learn(observations, forecast.view());
  const Gaussian expected =
      kalman(moments_of_all(forecast.coefficient, 6, equal(40)), observations, 2);
  expect_near(moments_of_all(learned.coefficient, 6, equal(40)), expected, 2e-6);  // float32
  for (std::size_t s = 0; s < 6; ++s) EXPECT_NEAR(learned.mean[s], expected.mean[s], 1e-12);
}

TEST(EnsembleSmoother, RespectsWeights) {
  const RandomEnsemble forecast(2, 2, 12);
  LearningEnsemble ensemble;
  std::vector<double> weight;
  for (std::uint32_t r = 0; r < 12; ++r) ensemble.weights.push_back(1 + r % 4);
  double sum = 0;
  for (const std::uint32_t w : ensemble.weights) sum += w;
  for (const std::uint32_t w : ensemble.weights) weight.push_back(w / sum);
  const std::vector<FlowObservation> observations{observation(1.2, 0.3, 0, {1.0, 0.5}),
                                                  observation(0.2, 0.4, 1, {0.5, -1.0})};
  const auto learned = learn(observations, forecast.view(), ensemble);
  expect_near(moments_of_all(learned.coefficient, 4, weight),
              kalman(moments_of_all(forecast.coefficient, 4, weight), observations, 2), 2e-6);
}

TEST(EnsembleSmoother, PerturbedObservationsAgreeWithSquareRoot) {
  const RandomEnsemble forecast(2, 2, 20000);
  const std::vector<FlowObservation> observations{observation(0.8, 0.4, 0, {1.0, -0.5}),
                                                  observation(-0.4, 0.5, 1, {0.3, 1.2})};
  SmootherOptions options;
  options.scheme = UpdateScheme::perturbed_observations;
  const auto learned = learn(observations, forecast.view(), {}, options);
  const Gaussian expected =
      kalman(moments_of_all(forecast.coefficient, 4, equal(20000)), observations, 2);
  // Means are exact; covariances have a sampling error of a few times 1/√20000.
  for (std::size_t s = 0; s < 4; ++s) EXPECT_NEAR(learned.mean[s], expected.mean[s], 1e-9);
  expect_near(moments_of_all(learned.coefficient, 4, equal(20000)), expected, 0.02);
  options.seed = 2;
  EXPECT_NE(learn(observations, forecast.view(), {}, options).coefficient, learned.coefficient);
}

TEST(EnsembleSmoother, CorrectsLaterAndEarlierLevelsByTheirCovariance) {
  const RandomEnsemble forecast(12, 1, 400);
  const auto learned = learn({observation(2.0, 0.1, 5, {1.0})}, forecast.view());
  const Gaussian expected = kalman(moments_of_all(forecast.coefficient, 12, equal(400)),
                                   {observation(2.0, 0.1, 5, {1.0})}, 1);
  for (std::size_t k = 0; k < 12; ++k) EXPECT_NEAR(learned.mean[k], expected.mean[k], 1e-10);
  // The spread decreases most at the observed level, and less at more distant levels.
  for (std::size_t k = 1; k < 12; ++k) {
    const double now = learned.spread_after[k] / learned.spread_before[k];
    const double previous = learned.spread_after[k - 1] / learned.spread_before[k - 1];
    EXPECT_EQ(now < previous, k <= 5) << k;
  }
}

TEST(EnsembleSmoother, ReachesTwiceItsLocalisation) {
  const RandomEnsemble forecast(12, 1, 50);
  SmootherOptions options;
  options.localisation = 2;
  const auto all = learn({observation(2.0, 0.3, 5, {1.0})}, forecast.view());
  const auto local = learn({observation(2.0, 0.3, 5, {1.0})}, forecast.view(), {}, options);
  for (std::int32_t k = 0; k < 12; ++k) {
    const auto level = static_cast<std::size_t>(k);
    const double shift =
        local.mean[level] - moments_of_all(forecast.coefficient, 12, equal(50)).mean[level];
    if (std::abs(k - 5) >= 4) {
      EXPECT_NEAR(shift, 0, 1e-15) << k;
      EXPECT_NEAR(local.spread_after[level], local.spread_before[level], 1e-15) << k;
    } else {
      EXPECT_NE(shift, 0) << k;
    }
  }
  EXPECT_NEAR(local.mean[5], all.mean[5], 1e-12);
  // Gaspari and Cohn's function at one half-width is 5/24.
  const double forecast_mean = moments_of_all(forecast.coefficient, 12, equal(50)).mean[7];
  EXPECT_NEAR(local.mean[7] - forecast_mean, 5.0 / 24 * (all.mean[7] - forecast_mean), 1e-12);
}

TEST(EnsembleSmoother, UpdatesOnlyTheGivenMembers) {
  const RandomEnsemble forecast(3, 2, 10);
  RandomEnsemble subset(3, 2, 9);
  subset.coefficient.clear();
  for (std::int32_t row = 0; row < 6; ++row) {
    for (const std::int32_t r : {9, 0, 1, 2, 4, 5, 6, 7, 8}) {
      subset.coefficient.push_back(forecast.at(row / 2, row % 2, r));
    }
  }
  const std::vector<FlowObservation> observations{observation(0.8, 0.4, 0, {1.0, -0.5})};
  const auto selected = learn(observations, forecast.view(), {{9, 0, 1, 2, 4, 5, 6, 7, 8}, {}}, {});
  const auto all = learn(observations, subset.view());
  EXPECT_EQ(selected.coefficient, all.coefficient);
  EXPECT_EQ(selected.mean, all.mean);
}

TEST(EnsembleSmoother, KeepsAMinimumSpread) {
  // Neither many nearly exact observations nor few realizations lead to a zero spread or to values
  // that are not finite.
  for (const std::int32_t realizations : {2, 3, 50}) {
    const RandomEnsemble forecast(4, 3, realizations);
    std::vector<FlowObservation> observations(500, observation(0.5, 1e-300, 1, {1, 0, 0}));
    observations.push_back(observation(1e6, 1e-12, 2, {0, 1, 0}));
    for (const auto scheme : {UpdateScheme::square_root, UpdateScheme::perturbed_observations}) {
      SmootherOptions options;
      options.scheme = scheme;
      const auto learned = learn(observations, forecast.view(), {}, options);
      for (const float value : learned.coefficient) EXPECT_TRUE(std::isfinite(value));
      for (std::size_t s = 0; s < learned.spread_after.size(); ++s) {
        EXPECT_GE(learned.spread_after[s], 0.999e-3 * learned.spread_before[s]);
      }
      EXPECT_TRUE(std::isfinite(learned.consistency.chi_square));
      EXPECT_TRUE(learned.observations.back().outside);
    }
  }
}

TEST(EnsembleSmoother, KeepsCoefficientsWithoutSpreadOrCorrelation) {
  std::vector<float> coefficient{1, 1, 1, 0.25F, -0.5F, 0.25F};  // (mode 2, realization 3)
  const CoefficientView forecast{coefficient.data(), 1, 2, 3};
  EXPECT_EQ(learn({}, forecast).coefficient, coefficient);
  const auto learned = learn({observation(3.0, 0.1, 0, {1.0, 0.0})}, forecast);
  EXPECT_EQ(learned.coefficient, coefficient);  // the observed mode has no spread
  EXPECT_EQ(learn({observation(3.0, 0.1, 0, {0.0, 0.0})}, forecast).coefficient, coefficient);
}

TEST(EnsembleSmoother, InflatesRelaxesAndRejects) {
  const std::vector<float> coefficient{-1, 0, 1};
  const CoefficientView forecast{coefficient.data(), 1, 1, 3};
  SmootherOptions options;
  options.inflation = 2;  // variance 4: K = 4/5, and a variance of 4/5 is left
  auto learned = learn({observation(1.0, 1.0, 0, {1.0})}, forecast, {}, options);
  EXPECT_NEAR(learned.mean[0], 0.8, 1e-12);
  EXPECT_NEAR(learned.spread_after[0], std::sqrt(0.8), 1e-7);
  options = {};
  options.relaxation = 0.5;
  learned = learn({observation(1.0, 1.0, 0, {1.0})}, forecast, {}, options);
  EXPECT_NEAR(learned.mean[0], 0.5, 1e-12);
  EXPECT_NEAR(learned.spread_after[0], 0.5 * (1 + std::sqrt(0.5)), 1e-7);
  options = {};
  options.reject_beyond = 4;
  learned = learn({observation(1.0, 1.0, 0, {1.0}), observation(9.0, 1.0, 0, {1.0})}, forecast, {},
                  options);
  EXPECT_TRUE(learned.observations[1].rejected);
  EXPECT_NEAR(learned.mean[0], 0.5, 1e-12);
  EXPECT_EQ(learned.consistency.degrees_of_freedom, 1);
}

TEST(EnsembleSmoother, GivesTheSameBitsOnAnyThread) {
  const RandomEnsemble forecast(6, 3, 60);
  std::vector<FlowObservation> observations;
  observations.reserve(6);
  for (int n = 0; n < 6; ++n) observations.push_back(observation(0.3 * n, 0.4, n, {1, 0.5, -0.5}));
  SmootherOptions options;
  options.scheme = UpdateScheme::perturbed_observations;
  const auto single = learn(observations, forecast.view(), {}, options);
  std::vector<LearnedCoefficients> parallel(3);
  std::vector<std::thread> threads;
  threads.reserve(parallel.size());
  for (auto& result : parallel) {
    threads.emplace_back([&] { result = learn(observations, forecast.view(), {}, options); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : parallel) {
    EXPECT_EQ(result.coefficient, single.coefficient);
    EXPECT_EQ(result.consistency.chi_square, single.consistency.chi_square);
  }
}

TEST(EnsembleSmoother, HasErrorsAsLargeAsItsSpread) {
  // Truths outside the ensemble are observed at six of twelve levels with the stated error. The
  // posterior is nearer to them, with errors as large as its spread.
  const RandomEnsemble forecast(12, 2, 1000);
  const RandomEnsemble truths(12, 2, 150, 9);
  const Philox random(31);
  double before = 0;
  double after = 0;
  double predicted = 0;
  for (std::int32_t t = 0; t < truths.realizations; ++t) {
    std::vector<FlowObservation> observations;
    for (std::int32_t k = 0; k < 6; ++k) {
      const double noise =
          standard_normal(random, static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(k));
      observations.push_back(observation(
          truths.at(k, 0, t) + 0.5 * truths.at(k, 1, t) + 0.3 * noise, 0.3, k, {1.0, 0.5}));
    }
    const auto learned = learn(observations, forecast.view());
    for (std::size_t s = 0; s < 24; ++s) {
      const double truth =
          truths.at(static_cast<std::int32_t>(s / 2), static_cast<std::int32_t>(s % 2), t);
      before += learned.spread_before[s] * learned.spread_before[s];
      after += (learned.mean[s] - truth) * (learned.mean[s] - truth);
      predicted += learned.spread_after[s] * learned.spread_after[s];
    }
  }
  EXPECT_LT(after, 0.7 * before);
  EXPECT_NEAR(after / predicted, 1, 0.15);
}

TEST(EnsembleSmoother, RanksAreUniform) {
  // Truths from the ensemble's distribution are observed with the stated error.
  const RandomEnsemble forecast(1, 1, 9);
  const RandomEnsemble truths(1, 1, 4000, 8);
  const Philox random(77);
  std::vector<int> histogram(10, 0);
  const RandomEnsemble forecasts(1, 1, 40000, 5);
  for (std::int32_t t = 0; t < 4000; ++t) {
    const double error = 0.5;
    const double value =
        truths.at(0, 0, t) + error * standard_normal(random, static_cast<std::uint32_t>(t), 0);
    SmootherOptions options;
    options.seed = static_cast<std::uint64_t>(t);
    const CoefficientView nine{forecasts.coefficient.data() + 9 * t, 1, 1, 9};
    const auto learned = learn({observation(value, error, 0, {1.0})}, nine, {}, options);
    ++histogram[static_cast<std::size_t>(learned.observations[0].rank)];
  }
  double chi_square = 0;
  for (const int count : histogram) chi_square += (count - 400.0) * (count - 400.0) / 400;
  EXPECT_GT(chi_square_tail(chi_square, 9), 1e-3);
}

TEST(EnsembleSmoother, RejectsInvalidInput) {
  const RandomEnsemble forecast(2, 1, 4);
  const auto expect_code = [&](FlowObservation invalid, const LearningEnsemble& ensemble,
                               const SmootherOptions& options, const char* code) {
    EXPECT_THAT([&] { (void)learn({invalid}, forecast.view(), ensemble, options); },
                ThrowsMessage<InputError>(test::has_code_of(code)));
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_code(observation(nan, 1, 0, {1}), {}, {}, "[observation_not_finite]");
  expect_code(observation(1, 0, 0, {1}), {}, {}, "[observation_error_invalid]");
  expect_code(observation(1, nan, 0, {1}), {}, {}, "[observation_error_invalid]");
  expect_code(observation(1, 1, 2, {1}), {}, {}, "1 [observation_outside_forecast]");
  expect_code(observation(1, 1, 0, {1, 1}), {}, {}, "1 [observation_outside_forecast]");
  expect_code(observation(1, 1, 0, {1}), {{2}, {}}, {}, "[learning_members_too_few]");
  expect_code(observation(1, 1, 0, {1}), {{1, 1}, {}}, {}, "[member_invalid]");
  expect_code(observation(1, 1, 0, {1}), {{0, 4}, {}}, {}, "[member_invalid]");
  expect_code(observation(1, 1, 0, {1}), {{}, {1, 2}}, {}, "[member_weight_count]");
  expect_code(observation(1, 1, 0, {1}), {{}, {0, 2, 0, 0}}, {}, "[learning_members_too_few]");
  SmootherOptions options;
  options.inflation = 0.5;
  expect_code(observation(1, 1, 0, {1}), {}, options, "inflation [smoother_option_invalid]");
  options = {};
  options.relaxation = 2;
  expect_code(observation(1, 1, 0, {1}), {}, options, "relaxation [smoother_option_invalid]");
  options = {};
  options.localisation = nan;
  expect_code(observation(1, 1, 0, {1}), {}, options, "localisation [smoother_option_invalid]");
}

TEST(ChiSquare, TailsMatchTables) {
  EXPECT_NEAR(chi_square_tail(3.841458820694124, 1), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_tail(5.991464547107979, 2), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_tail(18.307038053275146, 10), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_tail(124.34211340400407, 100), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_tail(100, 100), 0.48119168452796, 1e-12);
  EXPECT_NEAR(chi_square_tail(2, 2), std::exp(-1), 1e-15);
  // For an even number of degrees of freedom it is a finite sum.
  const double sum = 1 + 500.0 * (1 + 250.0 * (1 + 500.0 / 3 * (1 + 125)));
  EXPECT_NEAR(chi_square_tail(1000, 10) / (std::exp(-500) * sum), 1, 1e-10);
  EXPECT_EQ(chi_square_tail(0, 3), 1);
  EXPECT_EQ(chi_square_tail(3, 0), 1);
}

}  // namespace
}  // namespace tidewise
