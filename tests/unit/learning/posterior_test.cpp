// Posterior environments: their agreement with the smoother, and their files.
#include "learning/file/posterior.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "base/error.h"
#include "coastal_forecast.h"
#include "env/file/extras.h"
#include "learning/track/leg_distance.h"
#include "support/damaged_dataset.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class Posterior : public testing::Test {
 protected:
  Posterior() { test::CoastalForecast{}.write(folder_ / "sea.h5"); }

  /// A leg of one hour along x with the observed flow (u, v).
  static ObservedLeg leg(double hour, double u, double v, double x = 5000, double error = 0.05) {
    return {{{{x, 4000}, {x + 2000, 4000}}, {3600 * hour, 3600 * (hour + 1)}},
            u,
            v,
            0,
            0,
            error,
            error,
            2};
  }
  static std::vector<ObservedTrack> track(std::vector<ObservedLeg> legs) {
    ObservedTrack observed;
    observed.path = "glider.csv";
    observed.legs = std::move(legs);
    return {observed};
  }
  PosteriorReport observe(std::vector<ObservedLeg> legs, const PosteriorOptions& options = {},
                          const std::string& from = "sea.h5",
                          const std::string& to = "post.h5") const {
    SilentProgress silent;
    return write_posterior(EnvironmentReader(folder_ / from), track(std::move(legs)), options,
                           {folder_ / to, "tidewise observe"}, silent);
  }
  LevelFields<> level(const std::string& name, std::int32_t k) const {
    const EnvironmentReader reader(folder_ / name);
    LevelFields<> fields(reader.info());
    reader.read_level(TimeLevel(k), fields);
    return fields;
  }

  const test::TemporaryFolder folder_;
};

TEST_F(Posterior, HasTheSmoothersMeanInTheMeanFlow) {
  const auto report = observe({leg(2, 0.35, 0.05)});
  // The expected result in memory: along the leg mode 0 is 1 along x, mode 1 is 0.6 along y.
  const LevelFields<> before = level("sea.h5", 2);
  std::vector<float> coefficients;
  for (int k = 0; k < 13; ++k)
    coefficients.insert(coefficients.end(), before.coefficient.begin(), before.coefficient.end());
  const auto learned =
      learn({{0.35, 0.05, 0.1, 2.5, {{2, {1, 0}}}}, {0.05, 0.05, 0, 2.5, {{2, {0, 0.6}}}}},
            {coefficients.data(), 13, 2, 5});
  EXPECT_NEAR(report.consistency.chi_square, learned.consistency.chi_square, 1e-5);
  for (const std::int32_t k : {0, 2, 12}) {
    const LevelFields<> after = level("post.h5", k);
    const std::size_t cells = after.masked.size();
    for (const std::size_t n : {0u, 5u + 24 * 7, 20u + 24 * 19}) {
      // Each realization's flow is the smoother's.
      for (std::size_t r = 0; r < 5; ++r) {
        const auto flow = [&](const LevelFields<>& fields, const float* coefficient) {
          return fields.u_mean[n] + coefficient[r] * fields.u_mode[n] +
                 coefficient[5 + r] * fields.u_mode[cells + n];
        };
        EXPECT_NEAR(flow(after, after.coefficient.data()),
                    flow(before, learned.coefficient.data() + 10 * k), 1e-6);
      }
    }
    // Coefficients have mean 0, and land stays land.
    for (std::size_t m = 0; m < 2; ++m) {
      EXPECT_NEAR(std::accumulate(after.coefficient.begin() + 5 * m,
                                  after.coefficient.begin() + 5 * (m + 1), 0.0F),
                  0, 1e-6);
    }
    EXPECT_EQ(after.dry[23], 1);
    EXPECT_EQ(after.masked[23], 1);
    EXPECT_EQ(after.scalar[7], 7);
  }
  EXPECT_NEAR(report.legs[0].u.posterior, 0.1 + learned.mean[4], 1e-6);
}

TEST_F(Posterior, CopiesTheForecastAndRecordsItsLegs) {
  EnvironmentInfo info = test::CoastalForecast::info();
  info.realization_weight = {1u << 22, 1u << 22, 1u << 22, 1u << 21, 3u << 21};
  info.realization_weight[4] = weight_total - 3 * (1u << 22) - (1u << 21);
  info.uncertainty = ForecastUncertainty::error_model;
  test::CoastalForecast{}.write(folder_ / "sea.h5", info);
  const auto report = observe({leg(2, 0.35, 0.05), leg(3, 0.3, 0.02)});
  const EnvironmentReader reader(folder_ / "post.h5");
  EXPECT_EQ(reader.info().realization_weight, info.realization_weight);
  EXPECT_EQ(reader.info().uncertainty, ForecastUncertainty::error_model);
  EXPECT_EQ(reader.info().time_units, info.time_units);
  EXPECT_EQ(reader.info().projection, info.projection);
  EXPECT_EQ(reader.info().scalar_units, info.scalar_units);
  EXPECT_EQ(reader.info().history, "made\ntidewise observe");
  EXPECT_THAT(reader.info().comment, HasSubstr("Corrected by 2 observed legs of glider.csv"));
  EXPECT_EQ(reader.read_longitude(), EnvironmentReader(folder_ / "sea.h5").read_longitude());
  const auto extras = read_environment_extras(reader);
  EXPECT_FALSE(extras.grid_mapping.empty());
  EXPECT_EQ(extras.variance_kept, std::vector<double>(13, 0.9));
  EXPECT_THAT(extras.series, testing::SizeIs(3));
  EXPECT_EQ(reader.file().read_all<double>("spread_before"), report.spread_before);
  EXPECT_EQ(reader.file().read_all<double>("spread_after"), report.spread_after);
  EXPECT_THAT(reader.file().read_all<double>("observed_u"), ElementsAre(0.35, 0.3));
  EXPECT_THAT(reader.file().read_all<double>("observed_until"), ElementsAre(3 * 3600, 4 * 3600));
  EXPECT_EQ(reader.file().number_attribute("/", "observations_chi_square"),
            report.consistency.chi_square);
  EXPECT_EQ(report.first_observed, 2);
  EXPECT_EQ(report.last_observed, 3);
  for (std::size_t k = 0; k < 13; ++k) {
    EXPECT_GT(report.spread_after[k], 0);
    EXPECT_LT(report.spread_after[k], report.spread_before[k]);
    EXPECT_GT(report.mean_shift[k], 0);
  }
}

TEST_F(Posterior, UpdatesAPosteriorWithNewLegs) {
  const auto first = observe({leg(2, 0.35, 0.05)});
  const auto second = observe({leg(2, 0.35, 0.05), leg(4, 0.3, 0.04)}, {}, "post.h5", "next.h5");
  EXPECT_THAT(second.notes, ElementsAre(HasSubstr("post.h5 has learned already from 1 of 2 legs")));
  ASSERT_EQ(second.legs.size(), 1u);
  const EnvironmentReader next(folder_ / "next.h5");
  EXPECT_THAT(next.file().read_all<double>("observed_u"), ElementsAre(0.35, 0.3));  // both legs
  EXPECT_EQ(next.info().history, "made\ntidewise observe\ntidewise observe");
  // Two updates equal one with both legs, because they are linear in the sample's covariance.
  (void)observe({leg(2, 0.35, 0.05), leg(4, 0.3, 0.04)}, {}, "sea.h5", "both.h5");
  const LevelFields<> a = level("next.h5", 8);
  const LevelFields<> b = level("both.h5", 8);
  for (std::size_t n = 0; n < a.u_mean.size(); ++n) {
    EXPECT_NEAR(a.u_mean[n], b.u_mean[n], 1e-6);
    EXPECT_NEAR(a.v_mean[n], b.v_mean[n], 1e-6);
  }
  EXPECT_THAT([&] { observe({leg(2, 0.35, 0.05)}, {}, "post.h5", "again.h5"); },
              ThrowsMessage<InputError>(
                  test::has_code("observations_learned_already", "has learned already")));
  EXPECT_FALSE(fs::exists(folder_ / "again.h5"));
}

TEST_F(Posterior, IsRejectedWithADamagedRecord) {
  (void)observe({leg(2, 0.35, 0.05), leg(3, 0.3, 0.02)});
  const auto expect_rejected = [&](const char* column, test::Damage damage, double value = 0) {
    fs::copy_file(folder_ / "post.h5", folder_ / "damaged.h5",
                  fs::copy_options::overwrite_existing);
    ASSERT_TRUE(test::damage_dataset(folder_ / "damaged.h5", column, damage, value));
    EXPECT_THAT(
        [&] { observe({leg(5, 0.3, 0.04)}, {}, "damaged.h5", "next.h5"); },
        ThrowsMessage<InputError>(testing::AllOf(
            HasSubstr(std::string("damaged.h5: variable ") + column + ": "),
            testing::ContainsRegex(" \\[(hdf5_variable|variable|vector)_[a-z]+(_[a-z]+)*\\]$"))))
        << test::to_string(damage) << ' ' << value;
    EXPECT_FALSE(fs::exists(folder_ / "next.h5"));
  };
  for (const char* column : {"observed_x", "observed_u_spread", "observed_from_y"}) {
    for (const auto damage : {test::Damage::one_dimension_more, test::Damage::shorter,
                              test::Damage::other_type, test::Damage::text}) {
      expect_rejected(column, damage);
    }
    for (const double value : {1e12, 1e300}) expect_rejected(column, test::Damage::value, value);
  }
  expect_rejected("observed_until", test::Damage::value, std::nan(""));
  expect_rejected("observed_until", test::Damage::one_dimension_more);
}

TEST_F(Posterior, RejectsOnlyLegsInItsRecord) {
  const auto by = [](ObservedBy observer, std::vector<ObservedLeg> legs) {
    auto tracks = track(std::move(legs));
    tracks[0].by = observer;
    return tracks;
  };
  const auto learn_from = [&](const std::vector<ObservedTrack>& tracks, const char* from,
                              const char* to) {
    SilentProgress silent;
    return write_posterior(EnvironmentReader(folder_ / from), tracks, {},
                           {folder_ / to, "tidewise observe"}, silent)
        .legs.size();
  };
  // A drifter from 2 to 6 h, 4 km from the glider.
  EXPECT_EQ(learn_from(by(ObservedBy::drifter, {leg(2, 0.2, 0, 11000), leg(3, 0.2, 0, 13000),
                                                leg(4, 0.2, 0, 15000), leg(5, 0.2, 0, 17000)}),
                       "sea.h5", "drifter.h5"),
            4u);
  const auto glider = by(ObservedBy::vehicle, {leg(2, 0.21, 0), leg(3, 0.22, 0, 7000)});
  EXPECT_EQ(learn_from(glider, "drifter.h5", "glider.h5"), 2u);
  // The next file repeats these legs with other fixes, and has one more. A second drifter is new.
  ObservedLeg joint_leg = leg(2, 0.215, 0);
  joint_leg.leg = {{{5000, 4000}, {9000, 4000}}, {7200, 14400}};
  const auto later = by(ObservedBy::vehicle, {joint_leg, leg(4, 0.23, 0, 9000)});
  EXPECT_EQ(learn_from(later, "glider.h5", "later.h5"), 1u);
  EXPECT_EQ(learn_from(by(ObservedBy::drifter, {leg(2, 0.1, 0, 1000)}), "later.h5", "other.h5"),
            1u);
  // Boxes of a radar are large, so another reading of the same radar may place them elsewhere.
  const auto radar = [&](double x) {
    ObservedLeg box = leg(2, 0.2, 0, x);
    box.leg.points[1] = box.leg.points[0];
    return by(ObservedBy::radar, {box});
  };
  EXPECT_EQ(learn_from(radar(11000), "other.h5", "radar.h5"), 1u);
  EXPECT_THAT(
      [&] { learn_from(radar(13000), "radar.h5", "again.h5"); },
      ThrowsMessage<InputError>(test::has_code("observations_learned_already",
                                               "radar.h5 has learned already from 1 of 1 legs")));
  EXPECT_EQ(learn_from(radar(3000), "radar.h5", "coast.h5"), 1u);
  // The updates had 4 + 2 + 1 + 1 + 1 + 1 new legs.
  EXPECT_THAT(EnvironmentReader(folder_ / "coast.h5").file().read_all<double>("observed_by"),
              ElementsAre(1, 1, 1, 1, 0, 0, 0, 1, 2, 2));
}

TEST_F(Posterior, WarnsOfObservationsOutsideTheEnsemble) {
  PosteriorOptions options;
  options.smoother.reject_beyond = 0;
  auto report = observe({leg(2, 3.0, 0)}, options);
  EXPECT_TRUE(report.legs[0].u.outside);
  EXPECT_FALSE(report.legs[0].v.outside);
  EXPECT_THAT(
      report.warnings,
      testing::IsSupersetOf({HasSubstr("1 of 1 legs observed a flow far from all realizations, the "
                                       "first that to row 2 of glider.csv"),
                             HasSubstr("Observations contradict the forecast")}));
  EXPECT_EQ(EnvironmentReader(folder_ / "post.h5").file().read_all<double>("observed_outside")[0],
            1);
}

TEST_F(Posterior, StatesAContradictedForecast) {
  const auto wrong = observe({leg(2, 2.5, 0), leg(3, -2.5, 0)});
  EXPECT_TRUE(wrong.consistency.contradicted);
  EXPECT_THAT(wrong.warnings.front(),
              HasSubstr("Observations contradict the forecast (chi-square"));
  const EnvironmentReader reader(folder_ / "post.h5");
  EXPECT_EQ(reader.info().uncertainty, ForecastUncertainty::contradicted);
  EXPECT_EQ(reader.file().number_attribute("/", "observations_inflation"), 1);
  // A later update does not remove it.
  (void)observe({leg(6, 0.1, 0)}, {}, "post.h5", "next.h5");
  EXPECT_EQ(EnvironmentReader(folder_ / "next.h5").info().uncertainty,
            ForecastUncertainty::contradicted);
  (void)observe({leg(2, 0.2, 0)}, {}, "sea.h5", "right.h5");
  EXPECT_EQ(EnvironmentReader(folder_ / "right.h5").info().uncertainty,
            ForecastUncertainty::ensemble);
}

TEST_F(Posterior, RejectsByTheReportedDistanceOfALeg) {
  const EnvironmentReader sea(folder_ / "sea.h5");
  for (const ObservedLeg& tested : {leg(2, 0.9, 0), leg(2.5, 0.2, 0.4), leg(7, -0.3, -0.2, 9000)}) {
    for (const double inflation : {1.0, 1.7}) {
      const auto distance = distance_from_forecast(tested, sea, inflation);
      ASSERT_TRUE(distance);
      EXPECT_GT(*distance, 0.1);
      PosteriorOptions options;
      options.smoother.inflation = inflation;
      options.smoother.reject_beyond = *distance * (1 + 1e-5);
      EXPECT_FALSE(observe({tested, leg(4, 0.1, 0)}, options).legs[0].rejected());
      options.smoother.reject_beyond = *distance * (1 - 1e-5);
      EXPECT_TRUE(observe({tested, leg(4, 0.1, 0)}, options).legs[0].rejected());
    }
  }
  EXPECT_FALSE(distance_from_forecast(leg(2, 0.1, 0, 21600), sea, 1)) << "on land";
}

TEST_F(Posterior, LeavesOutAWholeLegThatIsFarFromTheForecast) {
  // By default a wrong fix must not change the flow.
  const auto report = observe({leg(2, 3.0, 0), leg(3, 0.2, 0)}, {}, "sea.h5", "post.h5");
  EXPECT_TRUE(report.legs[0].u.rejected);
  EXPECT_TRUE(report.legs[0].v.rejected) << "the other component is of the same wrong fix";
  EXPECT_FALSE(report.legs[1].rejected());
  EXPECT_EQ(report.consistency.degrees_of_freedom, 2);
  EXPECT_THAT(report.warnings,
              testing::Contains(HasSubstr("1 of 2 legs are more than 4 standard deviations")));
  (void)observe({leg(3, 0.2, 0)}, {}, "sea.h5", "without.h5");
  const LevelFields<> a = level("post.h5", 8);
  const LevelFields<> b = level("without.h5", 8);
  for (std::size_t n = 0; n < a.u_mean.size(); ++n) EXPECT_NEAR(a.u_mean[n], b.u_mean[n], 1e-6);
}

TEST_F(Posterior, DisregardsLand) {
  // Columns from 21 on are land: x ≥ 20500.
  const auto report = observe({leg(2, 0.2, 0, 18800), leg(3, 0.2, 0)});
  EXPECT_EQ(report.legs.size(), 2u);
  EXPECT_THAT(report.warnings, testing::Contains(HasSubstr("1 leg leads through cells that the "
                                                           "environment closes, the first of them "
                                                           "to row 2 of glider.csv")));
  const auto reduced = observe({leg(2, 0.2, 0, 21500), leg(3, 0.2, 0)});
  EXPECT_EQ(reduced.legs.size(), 1u);
  EXPECT_THAT(reduced.warnings, testing::Contains(HasSubstr("1 of them without water nearby")));
  fs::remove(folder_ / "post.h5");
  EXPECT_THAT([&] { observe({leg(2, 0.2, 0, 21500)}); },
              ThrowsMessage<InputError>(test::has_code("track_on_land")));
  EXPECT_FALSE(fs::exists(folder_ / "post.h5"));
}

TEST_F(Posterior, AddsAModeForTheUnexplainedFlow) {
  // Near x = 0, mode 1 vanishes, so no mode explains a flow along y.
  const std::vector<ObservedLeg> legs{leg(2, 0.1, 0.4, 0, 0.03), leg(3, 0.1, 0.4, 0, 0.03)};
  const auto without_mode = observe(legs);
  EXPECT_LT(std::abs(without_mode.legs[1].v.posterior), 0.2);
  PosteriorOptions options;
  options.added_mode_length = 3000;
  const auto with_mode = observe(legs, options);
  EXPECT_TRUE(with_mode.mode_added);
  EXPECT_THAT(with_mode.notes, ElementsAre(HasSubstr("mode 3 is made of that")));
  EXPECT_NEAR(with_mode.legs[1].v.posterior, 0.4, 0.08);
  const EnvironmentReader reader(folder_ / "post.h5");
  EXPECT_EQ(reader.info().mode_count, 3);
  // The mode acts near the observation, but not far away or on land. Realizations differ in it.
  const LevelFields<> after = level("post.h5", 6);
  EXPECT_NEAR(after.v_mean[1 + 24 * 4], 0.4, 0.08);
  EXPECT_NEAR(after.v_mean[18 + 24 * 18], level("sea.h5", 6).v_mean[18 + 24 * 18], 0.15);
  EXPECT_EQ(after.dry[23], 1);
  double spread = 0;
  for (std::size_t r = 10; r < 15; ++r) spread += std::abs(after.coefficient[r]);
  EXPECT_GT(spread, 0);
  // Its divergence, by central differences, is small relative to its greatest gradient.
  const std::size_t cells = after.masked.size();
  const float* u = after.u_mode.data() + 2 * cells;
  const float* v = after.v_mode.data() + 2 * cells;
  double divergence = 0;
  double gradient = 0;
  for (std::size_t j = 1; j < 19; ++j) {
    for (std::size_t i = 1; i < 18; ++i) {
      const std::size_t n = i + 24 * j;
      divergence =
          std::max<double>(divergence, std::abs(u[n + 1] - u[n - 1] + v[n + 24] - v[n - 24]));
      gradient = std::max<double>(gradient, std::abs(v[n + 1] - v[n - 1]));
    }
  }
  EXPECT_LT(divergence, 0.05 * gradient);
  // If the modes explain the observations, no mode is added.
  const auto explained = observe({leg(2, 0.2, 0.05)}, options);
  EXPECT_FALSE(explained.mode_added);
  EXPECT_EQ(EnvironmentReader(folder_ / "post.h5").info().mode_count, 2);
}

TEST_F(Posterior, KeepsModesFixedInTime) {
  EnvironmentInfo info = test::CoastalForecast::info();
  info.has_fixed_modes = true;
  test::CoastalForecast{}.write(folder_ / "fixed.h5", info);
  PosteriorOptions options;
  for (const bool adds_mode : {false, true}) {
    if (adds_mode) options.added_mode_length = 3000;
    const std::vector<ObservedLeg> legs{leg(2, 0.1, 0.4, 0, 0.03), leg(3, 0.1, 0.4, 0, 0.03)};
    const PosteriorReport varying = observe(legs, options, "sea.h5", "own.h5");
    const PosteriorReport fixed = observe(legs, options, "fixed.h5", "post.h5");
    EXPECT_EQ(fixed.mode_added, adds_mode);
    EXPECT_EQ(fixed.consistency.chi_square, varying.consistency.chi_square);
    EXPECT_EQ(fixed.spread_before, varying.spread_before);
    EXPECT_EQ(fixed.spread_after, varying.spread_after);
    EXPECT_EQ(fixed.mean_shift, varying.mean_shift);
    const EnvironmentInfo written = EnvironmentReader(folder_ / "post.h5").info();
    EXPECT_TRUE(written.has_fixed_modes);
    EXPECT_EQ(written.mode_count, adds_mode ? 3 : 2);
    for (const std::int32_t k : {0, 3, 12}) {
      const LevelFields<> a = level("post.h5", k);
      const LevelFields<> b = level("own.h5", k);
      EXPECT_TRUE(std::equal(a.coefficient.begin(), a.coefficient.end(), b.coefficient.begin(),
                             b.coefficient.end()));
      const std::size_t cells = a.masked.size();
      for (std::size_t n = 0; n < a.u_modes().size; ++n) {
        const std::size_t cell = n % cells;
        ASSERT_EQ(a.dry[cell], b.dry[cell]);
        ASSERT_EQ(a.u_mean[cell], b.u_mean[cell]);
        ASSERT_EQ(a.v_mean[cell], b.v_mean[cell]);
        if (a.dry[cell] != 0) continue;
        ASSERT_EQ(a.u_modes()[n], b.u_modes()[n]);
        ASSERT_EQ(a.v_modes()[n], b.v_modes()[n]);
      }
    }
  }
}

TEST_F(Posterior, WritesNothingIfItFails) {
  SilentProgress silent;
  const EnvironmentReader reader(folder_ / "sea.h5");
  EXPECT_THAT(
      [&] {
        (void)write_posterior(reader, track({leg(2, 0.2, 0)}), {},
                              {folder_ / "sea.h5", "tidewise observe"}, silent);
      },
      ThrowsMessage<InputError>(test::has_code("output_is_input")));
  struct Interrupted final : Progress {
    void begin(std::string_view, std::int64_t, std::string_view) override {}
    void advance_to(std::int64_t done) override {
      if (done == 7) throw RunError("interrupted");
    }
    void end() override {}
  } interrupted;
  EXPECT_THROW((void)write_posterior(reader, track({leg(2, 0.2, 0)}), {},
                                     {folder_ / "post.h5", "tidewise observe"}, interrupted),
               RunError);
  std::vector<std::string> remaining;
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    remaining.push_back(entry.path().filename());
  }
  EXPECT_THAT(remaining, ElementsAre("sea.h5"));
  EXPECT_THAT([&] { observe(std::vector<ObservedLeg>(4001, leg(2, 0.2, 0))); },
              ThrowsMessage<InputError>(test::has_code("legs_too_many_together")));
  PosteriorOptions options;
  options.smoother.inflation = 0;
  EXPECT_THAT([&] { observe({leg(2, 0.2, 0)}, options); },
              ThrowsMessage<InputError>(test::has_code("smoother_option_invalid", "inflation")));
}

}  // namespace
}  // namespace tidewise
