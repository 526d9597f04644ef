// Errors of a vehicle's motion, from its dives.
#include "learning/file/vehicle_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "base/standard_normal.h"

namespace tidewise {
namespace {

constexpr double degree = 57.29577951308232;

struct MadeErrors {
  double speed = 0.03;       // [m/s]
  double speed_bias = 0.01;  // [m/s]
  double heading = 6;        // [degrees]
  double heading_bias = -2;
  double forecast_spread = 0.02;  // [m/s] of each component; its error is drawn from it
};

/// Dives of six hours at 0.3 m/s through the water, each with errors of its own. `is_told`: the
/// file names the current, with an error of 0.01 m/s.
PosteriorReport made_dives(const MadeErrors& made, int count, bool is_told, std::uint64_t seed) {
  const Philox random(seed);
  PosteriorReport report;
  for (int n = 0; n < count; ++n) {
    std::uint32_t drawn = 0;
    const auto normal = [&] {
      return standard_normal(random, static_cast<std::uint32_t>(n), drawn++);
    };
    const double course = 0.7 * n;
    CommandedMotion commanded{0.3 * std::cos(course), 0.3 * std::sin(course), 0.003, 0.003};
    const double speed = 0.3 + made.speed_bias + made.speed * normal();
    const double heading = course + (made.heading_bias + made.heading * normal()) / degree;
    const double flow_u = 0.2 * normal();
    const double flow_v = 0.2 * normal();
    const double ground_u = speed * std::cos(heading) + flow_u + 0.003 * normal();
    const double ground_v = speed * std::sin(heading) + flow_v + 0.003 * normal();
    LegResult one;
    if (is_told) {
      one.leg.u = flow_u + 0.01 * normal();
      one.leg.v = flow_v + 0.01 * normal();
      one.leg.reported_u = one.leg.u;
      one.leg.reported_v = one.leg.v;
      commanded.error_u = commanded.error_v = std::hypot(0.003, 0.01);
    } else {
      one.leg.u = ground_u - commanded.u;
      one.leg.v = ground_v - commanded.v;
      one.u.forecast = flow_u + made.forecast_spread * normal();
      one.v.forecast = flow_v + made.forecast_spread * normal();
      one.u.forecast_spread = one.v.forecast_spread = made.forecast_spread;
    }
    one.leg.own_u = ground_u - one.leg.u;
    one.leg.own_v = ground_v - one.leg.v;
    one.leg.commanded = commanded;
    report.legs.push_back(one);
  }
  return report;
}

TEST(VehicleFit, RecoversErrorsOfFourHundredDives) {
  for (const bool is_told : {false, true}) {
    const MadeErrors made;
    const auto residuals = motion_residuals(made_dives(made, 400, is_told, 3));
    ASSERT_EQ(residuals.size(), 400u);
    const VehicleFit fit = fit_vehicle(residuals);
    EXPECT_NEAR(fit.speed.rms.value, made.speed, 0.1 * made.speed) << is_told;
    EXPECT_NEAR(fit.heading.rms.value, made.heading, 0.1 * made.heading) << is_told;
    EXPECT_NEAR(fit.speed.bias.value, made.speed_bias, 0.005) << is_told;
    EXPECT_NEAR(fit.heading.bias.value, made.heading_bias, 1) << is_told;
    EXPECT_TRUE(fit.speed.is_resolved());
    EXPECT_TRUE(fit.heading.is_resolved());
  }
}

TEST(VehicleFit, GivesIntervalsThatContainTheTruth) {
  const MadeErrors made;
  constexpr int repeats = 300;
  int speed = 0;
  int heading = 0;
  int bias = 0;
  for (int n = 0; n < repeats; ++n) {
    const VehicleFit fit =
        fit_vehicle(motion_residuals(made_dives(made, 40, false, static_cast<std::uint64_t>(n))));
    const auto contains = [](const FittedFigure& figure, double truth) {
      return figure.low <= truth && truth <= figure.high;
    };
    speed += contains(fit.speed.rms, made.speed) ? 1 : 0;
    heading += contains(fit.heading.rms, made.heading) ? 1 : 0;
    bias += contains(fit.speed.bias, made.speed_bias) ? 1 : 0;
  }
  EXPECT_NEAR(speed, 0.9 * repeats, 0.06 * repeats);
  EXPECT_NEAR(heading, 0.9 * repeats, 0.06 * repeats);
  EXPECT_NEAR(bias, 0.9 * repeats, 0.06 * repeats);
}

TEST(VehicleFit, DoesNotResolveErrorsBelowThoseOfTheFlow) {
  MadeErrors made;
  made.speed = 0.001;
  made.forecast_spread = 0.1;
  const VehicleFit fit = fit_vehicle(motion_residuals(made_dives(made, 30, false, 8)));
  EXPECT_FALSE(fit.speed.is_resolved());
  EXPECT_GT(fit.speed.rms.high, made.speed);
}

TEST(VehicleFit, LeavesOutLegsThatStateNoMotion) {
  PosteriorReport report = made_dives({}, 5, false, 3);
  report.legs[0].by = ObservedBy::drifter;
  report.legs[1].u.rejected = true;
  report.legs[2].leg.commanded.reset();
  report.legs[3].leg.commanded = CommandedMotion{};  // drifting
  EXPECT_EQ(motion_residuals(report).size(), 1u);
}

}  // namespace
}  // namespace tidewise
