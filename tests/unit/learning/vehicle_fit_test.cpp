// Errors of a vehicle's motion, from its dives.
#include "learning/file/vehicle_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "base/standard_normal.h"

namespace tidewise {
namespace {

constexpr double degree = 57.29577951308232;

struct Errors {
  double speed = 0.03;            // [m/s]
  double speed_bias = 0.01;       // [m/s]
  double heading = 6;             // [degrees]
  double heading_bias = -2;       // [degrees]
  double forecast_spread = 0.02;  // of each component [m/s]; the forecast's error is drawn from it
};

/// Returns dives of six hours at 0.3 m/s through the water with random errors. With `has_current`,
/// the file contains the current, with an error of 0.01 m/s.
PosteriorReport make_dives(const Errors& errors, int count, bool has_current, std::uint64_t seed) {
  const Philox random(seed);
  PosteriorReport report;
  for (int n = 0; n < count; ++n) {
    std::uint32_t drawn = 0;
    const auto normal = [&] {
      return standard_normal(random, static_cast<std::uint32_t>(n), drawn++);
    };
    const double course = 0.7 * n;
    CommandedMotion commanded{0.3 * std::cos(course), 0.3 * std::sin(course), 0.003, 0.003};
    const double speed = 0.3 + errors.speed_bias + errors.speed * normal();
    const double heading = course + (errors.heading_bias + errors.heading * normal()) / degree;
    const double flow_u = 0.2 * normal();
    const double flow_v = 0.2 * normal();
    const double ground_u = speed * std::cos(heading) + flow_u + 0.003 * normal();
    const double ground_v = speed * std::sin(heading) + flow_v + 0.003 * normal();
    LegResult result;
    if (has_current) {
      result.leg.u = flow_u + 0.01 * normal();
      result.leg.v = flow_v + 0.01 * normal();
      result.leg.reported_u = result.leg.u;
      result.leg.reported_v = result.leg.v;
      commanded.error_u = commanded.error_v = std::hypot(0.003, 0.01);
    } else {
      result.leg.u = ground_u - commanded.u;
      result.leg.v = ground_v - commanded.v;
      result.u.forecast = flow_u + errors.forecast_spread * normal();
      result.v.forecast = flow_v + errors.forecast_spread * normal();
      result.u.forecast_spread = result.v.forecast_spread = errors.forecast_spread;
    }
    result.leg.own_u = ground_u - result.leg.u;
    result.leg.own_v = ground_v - result.leg.v;
    result.leg.commanded = commanded;
    report.legs.push_back(result);
  }
  return report;
}

TEST(VehicleFit, RecoversErrorsOfFourHundredDives) {
  for (const bool has_current : {false, true}) {
    const Errors errors;
    const auto residuals = motion_residuals(make_dives(errors, 400, has_current, 3));
    ASSERT_EQ(residuals.size(), 400u);
    const VehicleFit fit = fit_vehicle(residuals);
    EXPECT_NEAR(fit.speed.rms.value, errors.speed, 0.1 * errors.speed) << has_current;
    EXPECT_NEAR(fit.heading.rms.value, errors.heading, 0.1 * errors.heading) << has_current;
    EXPECT_NEAR(fit.speed.bias.value, errors.speed_bias, 0.005) << has_current;
    EXPECT_NEAR(fit.heading.bias.value, errors.heading_bias, 1) << has_current;
    EXPECT_TRUE(fit.speed.is_resolved());
    EXPECT_TRUE(fit.heading.is_resolved());
  }
}

TEST(VehicleFit, GivesIntervalsThatContainTheTruth) {
  const Errors errors;
  constexpr int repeats = 300;
  int speed = 0;
  int heading = 0;
  int bias = 0;
  for (int n = 0; n < repeats; ++n) {
    const VehicleFit fit =
        fit_vehicle(motion_residuals(make_dives(errors, 40, false, static_cast<std::uint64_t>(n))));
    const auto contains = [](const FittedFigure& figure, double truth) {
      return figure.low <= truth && truth <= figure.high;
    };
    speed += contains(fit.speed.rms, errors.speed) ? 1 : 0;
    heading += contains(fit.heading.rms, errors.heading) ? 1 : 0;
    bias += contains(fit.speed.bias, errors.speed_bias) ? 1 : 0;
  }
  EXPECT_NEAR(speed, 0.9 * repeats, 0.06 * repeats);
  EXPECT_NEAR(heading, 0.9 * repeats, 0.06 * repeats);
  EXPECT_NEAR(bias, 0.9 * repeats, 0.06 * repeats);
}

TEST(VehicleFit, DoesNotResolveErrorsBelowThoseOfTheFlow) {
  Errors errors;
  errors.speed = 0.001;
  errors.forecast_spread = 0.1;
  const VehicleFit fit = fit_vehicle(motion_residuals(make_dives(errors, 30, false, 8)));
  EXPECT_FALSE(fit.speed.is_resolved());
  EXPECT_GT(fit.speed.rms.high, errors.speed);
}

TEST(VehicleFit, LeavesOutLegsWithoutCommandedMotion) {
  PosteriorReport report = make_dives({}, 5, false, 3);
  report.legs[0].by = ObservedBy::drifter;
  report.legs[1].u.rejected = true;
  report.legs[2].leg.commanded.reset();
  report.legs[3].leg.commanded = CommandedMotion{};  // drifting
  EXPECT_EQ(motion_residuals(report).size(), 1u);
}

}  // namespace
}  // namespace tidewise
