#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "coastal_forecast.h"
#include "env/file/reader.h"
#include "env/forecast_error/error_coefficients.h"
#include "learning/forecast_error/fit.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

constexpr double hour = 3600;

/// A random velocity field whose covariance is known: a stream function of plane waves with
/// wavenumbers from the spectrum of exp(-r^2 / (2 L^2)), and coefficients of a slow and a fast
/// process, hour by hour.
class ErrorField {
 public:
  ErrorField(const ForecastErrorModel& model, std::size_t waves, unsigned seed)
      : model_(model), random_(seed) {
    for (std::size_t n = 0; n < waves; ++n) {
      Wave wave;
      wave.kx = normal() / model.length;
      wave.ky = normal() / model.length;
      wave.slow = {normal(), normal()};
      wave.fast[0] = {normal(), normal()};
      wave.fast[1] = {normal(), normal()};
      waves_.push_back(wave);
    }
  }

  void advance() {
    const double slow = std::exp(-hour / model_.slow_time);
    const double noise = std::sqrt(1 - slow * slow);
    const std::complex<double> fast = model_.fast_time > 0
                                          ? std::polar(std::exp(-hour / model_.fast_time),
                                                       2 * std::numbers::pi * hour / model_.period)
                                          : std::complex<double>();
    const double fast_noise = std::sqrt(1 - std::norm(fast));
    for (Wave& wave : waves_) {
      wave.slow = slow * wave.slow + noise * std::complex<double>(normal(), normal());
      for (auto& process : wave.fast) {
        process = fast * process + fast_noise * std::complex<double>(normal(), normal());
      }
    }
  }

  /// Returns the velocity in units of the rms.
  std::pair<double, double> at(PlanePoint position) const {
    double u = 0;
    double v = 0;
    const double slow = std::sqrt(model_.slow_share);
    const double fast = std::sqrt(1 - model_.slow_share);
    for (const Wave& wave : waves_) {
      const double phase = wave.kx * position.x + wave.ky * position.y;
      const double cosine = slow * wave.slow.real() + fast * wave.fast[0].real();
      const double sine = slow * wave.slow.imag() + fast * wave.fast[1].real();
      const double slope = sine * std::cos(phase) - cosine * std::sin(phase);
      u -= wave.ky * slope;
      v += wave.kx * slope;
    }
    const double scale = model_.length / std::sqrt(static_cast<double>(waves_.size()));
    return {u * scale, v * scale};
  }

  double normal() { return normal_(random_); }
  double uniform() { return std::uniform_real_distribution<double>()(random_); }

 private:
  struct Wave {
    double kx;
    double ky;
    std::complex<double> slow;     // real, imaginary: amplitudes of cosine and sine
    std::complex<double> fast[2];  // real parts: amplitudes of cosine and sine
  };
  ForecastErrorModel model_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::vector<Wave> waves_;
};

struct Campaign {
  int fields = 1;    // independent of each other, far apart
  int tracks = 100;  // drifters in each field
  int hours = 120;
  double side = 200e3;  // side of the square in which drifters start [m]
  double noise = 0.05;  // standard deviation of an observation [m/s]
  double flow = 0.1;    // velocity of a uniform forecast, which also carries the drifters [m/s]
  unsigned seed = 1;
};

/// Returns the errors that drifters observe while the forecast and its error carry them.
std::vector<ErrorSeries> drift(const ForecastErrorModel& model, const Campaign& campaign) {
  std::vector<ErrorSeries> observed;
  for (int n = 0; n < campaign.fields; ++n) {
    constexpr std::size_t waves = 300;
    constexpr double distance = 1e7;  // [m]
    ErrorField field(model, waves, campaign.seed + 1000 * static_cast<unsigned>(n));
    std::vector<PlanePoint> positions;
    positions.reserve(static_cast<std::size_t>(campaign.tracks));
    for (int track = 0; track < campaign.tracks; ++track) {
      positions.push_back(
          {distance * n + campaign.side * field.uniform(), campaign.side * field.uniform()});
    }
    std::vector<ErrorSeries> series(positions.size());
    for (int k = 0; k < campaign.hours; ++k) {
      const double lead = (k + 0.5) * hour;
      const double rms = rms_at(model, lead);
      for (std::size_t track = 0; track < positions.size(); ++track) {
        PlanePoint& position = positions[track];
        const auto [u, v] = field.at(position);
        series[track].samples.push_back(
            {lead, hour, position, rms * u + campaign.noise * field.normal(),
             rms * v + campaign.noise * field.normal(), campaign.noise * campaign.noise});
        position.x += hour * (campaign.flow + rms * u);
        position.y += hour * rms * v;
      }
      field.advance();
    }
    observed.insert(observed.end(), series.begin(), series.end());
  }
  return observed;
}

ForecastErrorModel slow_and_fast() {
  ForecastErrorModel model;
  model.rms = {{0, 0.25}, {120 * hour, 0.35}};
  model.length = 20e3;
  model.slow_share = 0.6;
  model.slow_time = 40 * hour;
  model.fast_time = 12 * hour;
  model.period = 12.42 * hour;
  return model;
}

constexpr double cell = 2e3;  // [m]

void expect_near(double found, double truth, double tolerance, const char* name) {
  EXPECT_NEAR(found, truth, tolerance * truth) << name;
}

void expect_within(const ForecastErrorIntervals::Interval& interval, double value) {
  ASSERT_TRUE(interval);
  EXPECT_LE(interval->first, value);
  EXPECT_GE(interval->second, value);
}

TEST(ForecastErrorFit, RecoversModelFromDriftersMovedByItsError) {
  const ForecastErrorModel truth = slow_and_fast();
  const ForecastErrorFit fit = fit_forecast_error(drift(truth, {.fields = 6}), cell);
  ASSERT_TRUE(fit.is_complete());
  EXPECT_EQ(fit.all.data, 6u * 100 * 120);
  EXPECT_EQ(fit.all.series, 600u);
  ASSERT_EQ(fit.model.rms.size(), 7u);  // 18 h each
  for (const auto& [lead, rms] : fit.model.rms) {
    expect_near(rms, rms_at(truth, lead), 0.1, "rms");
  }
  expect_near(fit.model.length, truth.length, 0.1, "length");
  expect_near(fit.model.slow_share, truth.slow_share, 0.1, "slow_share");
  expect_near(fit.model.slow_time, truth.slow_time, 0.1, "slow_time");
  expect_near(fit.model.fast_time, truth.fast_time, 0.1, "fast_time");
  expect_near(fit.model.period, truth.period, 0.1, "period");
  expect_within(fit.intervals.slow_share, truth.slow_share);
  expect_within(fit.intervals.slow_time, truth.slow_time);
  expect_within(fit.intervals.fast_time, truth.fast_time);
  expect_within(fit.intervals.period, truth.period);
  // Drifters leave an error behind, so their own legs are less correlated.
  const auto at_24h = [](const std::vector<LagCorrelation>& bins) {
    return std::find_if(
               bins.begin(), bins.end(),
               [](const LagCorrelation& bin) { return std::abs(bin.lag - 24 * hour) < 0.5 * hour; })
        ->correlation;
  };
  EXPECT_LT(at_24h(fit.along_tracks), at_24h(fit.at_fixed_place) - 0.1);
}

TEST(ForecastErrorFit, FindsNoFastProcessWhereThereIsNone) {
  ForecastErrorModel truth = slow_and_fast();
  truth.slow_share = 1;
  const ForecastErrorFit fit = fit_forecast_error(drift(truth, {.fields = 2, .seed = 2}), cell);
  ASSERT_TRUE(fit.is_complete());
  EXPECT_EQ(fit.model.slow_share, 1);
  EXPECT_EQ(fit.model.fast_time, 0);
  EXPECT_EQ(fit.model.period, 0);
  EXPECT_FALSE(fit.intervals.fast_time);
  expect_within(fit.intervals.slow_time, truth.slow_time);
}

TEST(ForecastErrorFit, UsesFixedBoxesForCorrelationInTime) {
  const ForecastErrorModel truth = slow_and_fast();
  ErrorField field(truth, 300, 5);
  std::vector<ErrorSeries> boxes;
  for (int row = 0; row < 12; ++row) {
    for (int column = 0; column < 12; ++column) {
      boxes.push_back({.samples = {}, .is_fixed = true});
      boxes.back().samples.emplace_back().at = {40e3 * column, 40e3 * row};
    }
  }
  for (int k = 0; k < 240; ++k) {
    for (ErrorSeries& box : boxes) {
      ErrorSample sample{.lead = k * hour, .duration = hour, .at = box.samples.front().at};
      std::tie(sample.u, sample.v) = field.at(sample.at);
      if (k == 0) box.samples.clear();
      box.samples.push_back(sample);
    }
    field.advance();
  }
  ForecastErrorFitOptions options;
  options.length = truth.length;  // the boxes are farther apart
  options.period = truth.period;
  const ForecastErrorFit fit = fit_forecast_error(boxes, cell, options);
  ASSERT_TRUE(fit.is_complete());
  EXPECT_EQ(fit.model.length, truth.length);
  expect_near(fit.model.slow_share, truth.slow_share, 0.2, "slow_share");
  expect_near(fit.model.slow_time, truth.slow_time, 0.2, "slow_time");
  expect_near(fit.model.fast_time, truth.fast_time, 0.2, "fast_time");
  EXPECT_EQ(fit.model.period, truth.period);
  EXPECT_FALSE(fit.intervals.period);
}

TEST(ForecastErrorFit, LeavesOutParametersThatNeedMoreTracks) {
  const auto few = drift(slow_and_fast(), {.tracks = 3});
  const ForecastErrorFit fit_of_few = fit_forecast_error(few, cell);
  EXPECT_TRUE(fit_of_few.model.rms.empty());
  EXPECT_THAT(fit_of_few.missing,
              testing::ElementsAre(testing::HasSubstr("rms: needs 30 legs of 5"),
                                   testing::HasSubstr("length"), testing::HasSubstr("time")));

  const auto distant = drift(slow_and_fast(), {.tracks = 6, .side = 2e6});
  const ForecastErrorFit only_rms = fit_forecast_error(distant, cell);
  EXPECT_FALSE(only_rms.model.rms.empty());
  EXPECT_EQ(only_rms.model.length, 0);
  EXPECT_EQ(only_rms.missing.size(), 2u);
  const ForecastErrorFit with_options =
      fit_forecast_error(distant, cell, {.length = 20e3, .time = 24 * hour});
  EXPECT_TRUE(with_options.is_complete());
  EXPECT_EQ(with_options.model.length, 20e3);
  EXPECT_EQ(with_options.model.slow_time, 24 * hour);
  EXPECT_EQ(with_options.model.slow_share, 1);
  EXPECT_FALSE(with_options.intervals.length);

  auto noisy = drift(slow_and_fast(), {.tracks = 6});
  for (ErrorSeries& series : noisy) {
    for (ErrorSample& sample : series.samples) sample.variance = 1;
  }
  EXPECT_THAT(fit_forecast_error(noisy, cell).missing.front(),
              testing::HasSubstr("--representation"));
}

TEST(ForecastErrors, FormSeriesByVehicleDrifterAndBox) {
  const test::TemporaryFolder folder;
  test::CoastalForecast().write(folder / "forecast.h5");  // 0.1 m/s along x
  const EnvironmentReader forecast(folder / "forecast.h5", {});
  const auto leg = [](double x, double y, double begin, double u, double v) {
    ObservedLeg observed;
    observed.leg = {{{x, y}, {x + 200, y}}, {begin, begin + hour}};
    observed.u = u;
    observed.v = v;
    observed.error_u = 0.03;
    observed.error_v = 0.05;
    return observed;
  };
  const auto track = [](ObservedBy by, std::vector<ObservedLeg> legs) {
    ObservedTrack observed;
    observed.by = by;
    observed.legs = std::move(legs);
    return observed;
  };
  const double land = 22.5e3;
  const std::vector<ObservedTrack> tracks{
      track(ObservedBy::vehicle, {leg(4e3, 5e3, 3 * hour, 0.4, 0.2)}),
      track(ObservedBy::vehicle, {leg(3e3, 5e3, 1 * hour, 0.3, 0.1)}),
      track(ObservedBy::drifter, {leg(3e3, 5e3, 0, 0, 0), leg(land, 5e3, hour, 9, 9)}),
      track(ObservedBy::drifter, {leg(land, 5e3, 0, 9, 9)}),
      track(ObservedBy::radar,
            {leg(5e3, 5e3, 0, 0, 0), leg(9e3, 5e3, 0, 0, 0), leg(5.5e3, 5e3, 3 * hour, 0, 0)})};
  SilentProgress progress;
  const auto series = forecast_errors(forecast, tracks, progress);
  ASSERT_EQ(series.size(), 4u);
  const auto& vehicle = series[0].samples;
  ASSERT_EQ(vehicle.size(), 2u);
  EXPECT_FALSE(series[0].is_fixed);
  EXPECT_EQ(vehicle[0].lead, 1.5 * hour);
  EXPECT_EQ(vehicle[0].duration, hour);
  EXPECT_EQ(vehicle[0].at.x, 3.1e3);
  EXPECT_NEAR(vehicle[0].u, 0.2, 1e-6);
  EXPECT_NEAR(vehicle[0].v, 0.1, 1e-6);
  EXPECT_NEAR(vehicle[0].variance, 0.5 * (0.03 * 0.03 + 0.05 * 0.05), 1e-12);
  EXPECT_NEAR(vehicle[1].u, 0.3, 1e-6);
  EXPECT_EQ(series[1].samples.size(), 1u);
  EXPECT_TRUE(series[2].is_fixed);
  EXPECT_EQ(series[2].samples.size() + series[3].samples.size(), 3u);
}

}  // namespace
}  // namespace tidewise
