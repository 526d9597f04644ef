#include "planner/rehearsal/vehicle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "env/import/source_description.h"
#include "solver/flight/own_velocity.h"
#include "solver/policy/policy.h"
#include "support/ocean/dive_columns.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/temporary_folder.h"

namespace tidewise::rehearsal {
namespace {

using test::NetcdfFixture;
using test::SmallForecast;

constexpr double hour = 3600;
constexpr double cell = 0.1;  // [degrees] of the policy's grid

/// A forecast from 10° to 6° W and from 40° to 43° N, with a point per degree and a time per 6 h,
/// and a policy with one action, on cells of 0.1° whose x and y are degrees times 100 km.
class VehicleInSource : public testing::Test {
 protected:
  VehicleInSource() {
    forecast.members = 0;
    forecast.u = forecast.v = [](double, double, double, int) { return 0.0; };
    orders.grid = {41, 31, -1e6, 4e6, 1e5 * cell, 1e5 * cell};
    for (std::int32_t row = 0; row < orders.grid.ny; ++row) {
      for (std::int32_t column = 0; column < orders.grid.nx; ++column) {
        orders.longitude.push_back(-10 + cell * column);
        orders.latitude.push_back(40 + cell * row);
      }
    }
    orders.convergence.emplace(orders.grid, orders.longitude, orders.latitude);
    orders.mission = &mission;
    orders.actions = &actions;
    mission.target.assign(orders.longitude.size(), 0);
    start_at({-8, 41});
    step.actions = {std::vector<std::int16_t>(orders.longitude.size(), 0)};
    step.closed.assign(orders.longitude.size(), 0);
    step.end = 6 * hour;
    orders.targets = {up_at({-6.5, 42.5})};
    mission.disc.radius = 1000;
  }

  void start_at(GeographicPoint place) {
    mission.start_x = 1e5 * place.longitude;
    mission.start_y = 1e5 * place.latitude;
  }

  /// Opens the forecast, or `fixture` if it is given, as an import would.
  void open(const NetcdfFixture* fixture = nullptr) {
    const auto file = folder.path() / "source.nc";
    fixture != nullptr ? fixture->write(file) : forecast.write(file);
    ingest::ImportOptions options;
    options.files = {file};
    options.zeros = ingest::Zeros::water;
    source = std::make_unique<ingest::ForecastSource>(ingest::describe_velocity(options).request);
    field = std::make_unique<SourceField>(*source);
    orders.origin = source->times().front();
  }

  RehearsalFlight fly(std::size_t member = 0, double lag = 0) {
    if (!source) open();
    Vehicle vehicle(orders, *field, source->times(), member, lag);
    vehicle.fly(step);
    return vehicle.finished("it");
  }

  static GeographicPoint end_of(const RehearsalFlight& flight) { return flight.track.back().place; }
  /// Returns a distance [m] in degrees of longitude or latitude.
  static double east_degrees(double metres, double latitude) {
    return metres / Curvature(up_at({0, latitude})).along_parallel /
           std::cos(latitude * radians_per_degree) / radians_per_degree;
  }
  static double north_degrees(double metres, double latitude) {
    return metres / Curvature(up_at({0, latitude})).along_meridian / radians_per_degree;
  }

  test::TemporaryFolder folder;
  SmallForecast forecast;
  Orders orders;
  Mission mission;
  std::vector<Action> actions{{0, 0, {}}};
  PolicyStep step;
  std::unique_ptr<ingest::ForecastSource> source;
  std::unique_ptr<SourceField> field;
};

TEST_F(VehicleInSource, DegreesAreThoseOfTheEllipsoid) {
  // WGS84: 111 319.49 m at the equator; 111 034.6 and 85 394 m at 40° and 45° (tables of NGA).
  EXPECT_NEAR(1 / east_degrees(1, 0), 111319.49, 0.01);
  EXPECT_NEAR(1 / east_degrees(1, 40), 85394, 1);
  EXPECT_NEAR(1 / north_degrees(1, 0), 110574.28, 0.01);
  EXPECT_NEAR(1 / north_degrees(1, 40), 111034.6, 0.5);
}

TEST_F(VehicleInSource, DriftsWithAUniformFlow) {
  forecast.u = [](double, double, double, int) { return 0.5; };
  const auto flight = fly();
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::out_of_time);
  EXPECT_EQ(flight.duration, 6 * hour);
  EXPECT_NEAR(end_of(flight).longitude, -8 + east_degrees(0.5 * 6 * hour, 41), 1e-7);
  EXPECT_NEAR(end_of(flight).latitude, 41, 1e-9);
  // Points are ten minutes apart and include both ends.
  EXPECT_EQ(flight.track.size(), 37U);
}

TEST_F(VehicleInSource, HoldsItsTrueCourseThroughTheWater) {
  actions = {{1.0, 90 * radians_per_degree, {}}};  // to +y, which is north here
  forecast.u = [](double, double, double, int) { return 0.5; };
  const auto flight = fly();
  const double north = north_degrees(6 * hour, 41 + 0.1);
  EXPECT_NEAR(end_of(flight).latitude, 41 + north, 1e-6);
  EXPECT_NEAR(end_of(flight).longitude, -8 + east_degrees(0.5 * 6 * hour, 41 + north / 2), 1e-5);
}

/// The policy's action is not used at a step within a hold.
TEST_F(VehicleInSource, KeepsItsCourseThroughStepsThatHold) {
  actions = {{1.0, 90 * radians_per_degree, {}}, {0, 0, {}}};
  open();
  Vehicle vehicle(orders, *field, source->times(), 0, 0);
  step.end = hour;
  vehicle.fly(step);
  step.begin = hour;
  step.end = 2 * hour;
  step.holds = true;
  step.actions[0].assign(step.actions[0].size(), 1);
  vehicle.fly(step);
  const auto holding = vehicle.finished("it");
  EXPECT_NEAR(end_of(holding).latitude, 41 + north_degrees(2 * hour, 41), 1e-5);
  step.begin = 2 * hour;
  step.end = 3 * hour;
  step.holds = false;
  vehicle.fly(step);
  EXPECT_EQ(end_of(vehicle.finished("it")).latitude, end_of(holding).latitude) << "it drifts then";
}

/// If the plane is turned by 90°, the course turns with it.
TEST_F(VehicleInSource, TurnsTheHeadingFromThePlane) {
  std::swap(orders.longitude, orders.latitude);
  for (std::int32_t n = 0; n < orders.grid.cell_count(); ++n) {
    const auto index = static_cast<std::size_t>(n);
    orders.longitude[index] = -10 + cell * (30 - orders.grid.row(CellIndex(n)));
    orders.latitude[index] = 40 + cell * orders.grid.column(CellIndex(n));
  }
  orders.convergence.emplace(orders.grid, orders.longitude, orders.latitude);
  mission.start_x = orders.grid.x(10);  // 41° N
  mission.start_y = orders.grid.y(10);  // 8° W
  actions = {{1.0, 0, {}}};             // to +x, which is north here
  const auto flight = fly();
  EXPECT_NEAR(end_of(flight).latitude, 41 + north_degrees(6 * hour, 41.1), 1e-6);
  EXPECT_NEAR(end_of(flight).longitude, -8, 1e-6);
}

/// A flow that rotates around an axis moves each vehicle along a circle.
TEST_F(VehicleInSource, FollowsTheCircleOfARotation) {
  forecast.longitude.clear();
  forecast.latitude.clear();
  for (int n = 0; n <= 80; ++n) forecast.longitude.push_back(-10 + 0.05 * n);
  for (int n = 0; n <= 60; ++n) forecast.latitude.push_back(40 + 0.05 * n);
  forecast.hour = {0, 24, 48};
  const Vector axis = up_at({-9, 41.5});
  const double rate = 2 * 3.14159265358979 / (48 * hour);  // one turn in two days
  const auto velocity = [&](double longitude, double latitude) {
    const Vector up = up_at({longitude, latitude});
    const Vector turning = rate * cross(axis, up);
    const Curvature radius(up);
    return EastNorth{radius.along_parallel * dot(turning, east_at(up)),
                     radius.along_meridian * dot(turning, north_at(up))};
  };
  forecast.u = [&](double lon, double lat, double, int) { return velocity(lon, lat).east; };
  forecast.v = [&](double lon, double lat, double, int) { return velocity(lon, lat).north; };
  start_at({-8.5, 41.3});
  step.end = 12 * hour;  // a quarter of a turn
  const Vector start = up_at({-8.5, 41.3});
  const Vector quarter = dot(axis, start) * axis + cross(axis, start);
  const auto flight = fly();
  EXPECT_NEAR(end_of(flight).longitude, place_at(quarter).longitude, 2e-5);  // 2 m of 75 km
  EXPECT_NEAR(end_of(flight).latitude, place_at(quarter).latitude, 2e-5);
  step.end = 48 * hour;
  const auto full_turn = fly();
  EXPECT_NEAR(end_of(full_turn).longitude, -8.5, 1e-4);
  EXPECT_NEAR(end_of(full_turn).latitude, 41.3, 1e-4);
}

/// The flow is linear between the source's times, so the path is the area under a bent line.
TEST_F(VehicleInSource, InterpolatesTheFlowInTime) {
  forecast.u = [](double, double, double hours, int) { return hours == 6 ? 0.6 : 0.0; };
  orders.part = hour;
  step.begin = 2 * hour;  // 0.2 m/s
  step.end = 8 * hour;    // 0.4 m/s
  const double metres = (0.2 + 0.6) / 2 * 4 * hour + (0.6 + 0.4) / 2 * 2 * hour;
  EXPECT_NEAR(end_of(fly()).longitude, -8 + east_degrees(metres, 41), 1e-7);
  // With a lag of 6 h, the policy's hours 2 to 8 are the source's hours 8 to 14.
  const double later = 0.4 / 2 * 4 * hour;
  EXPECT_NEAR(end_of(fly(0, 6 * hour)).longitude, -8 + east_degrees(later, 41), 1e-7);
}

TEST_F(VehicleInSource, FliesThroughTheGivenMember) {
  forecast.members = 3;
  forecast.u = [](double, double, double, int member) { return 0.25 * member; };
  for (const std::size_t member : {0U, 2U}) {
    EXPECT_NEAR(end_of(fly(member)).longitude,
                -8 + east_degrees(0.25 * static_cast<double>(member) * 6 * hour, 41), 1e-7);
  }
}

/// Dry points do not contribute to the flow. From midway to a dry point on, there is land.
TEST_F(VehicleInSource, RunsAgroundMidwayToADryPoint) {
  forecast.u = [](double, double, double, int) { return 1.0; };
  forecast.hour = {0, 24, 48};
  NetcdfFixture fixture = forecast.fixture();
  for (const char* name : {"uo", "vo"}) {
    auto& variable = fixture.variable(name);
    for (std::size_t n = 0; n < variable.values.size(); ++n) {
      if (n % 5 == 3) variable.values[n] = std::nan("");  // the column at 7° W
    }
  }
  open(&fixture);
  step.end = 48 * hour;
  const auto flight = fly();
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::obstacle);
  const double midway = 0.5 / east_degrees(1, 41);  // [s] at 1 m/s
  EXPECT_GE(flight.duration, midway);
  EXPECT_LE(flight.duration, midway + 601);
}

TEST_F(VehicleInSource, ArrivesAtTheDisc) {
  actions = {{1.0, 0, {}}};  // east
  const double east = east_degrees(20000, 41);
  orders.targets = {up_at({-8 + east, 41})};
  mission.disc.radius = 3000;
  const auto flight = fly();
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::arrived);
  EXPECT_NEAR(flight.duration, 17000, 1);
  EXPECT_NEAR(end_of(flight).longitude, -8 + east_degrees(17000, 41), 1e-5);
  // A course that passes 2 km from the centre enters the disc √(3² − 2²) km before.
  orders.targets = {up_at({-8 + east, 41 + north_degrees(2000, 41)})};
  EXPECT_NEAR(fly().duration, 20000 - std::sqrt(5.0) * 1000, 15);
  orders.targets = {up_at({-8 + east, 41 + north_degrees(3200, 41)})};
  EXPECT_EQ(fly().outcome, TrajectoryOutcome::out_of_time);
}

/// With a disc, cells of the target count at a step's end; without one, they count at any time.
TEST_F(VehicleInSource, ArrivesInCellsOfTheTarget) {
  actions = {{1.0, 0, {}}};
  const auto cells_east_of = [&](double longitude) {
    for (std::size_t n = 0; n < mission.target.size(); ++n) {
      mission.target[n] = orders.longitude[n] > longitude ? 1 : 0;
    }
  };
  cells_east_of(-7.95);
  EXPECT_EQ(fly().outcome, TrajectoryOutcome::arrived);
  EXPECT_EQ(fly().duration, 6 * hour);
  mission.disc.radius = 0;
  const auto flight = fly();
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::arrived);
  EXPECT_NEAR(flight.duration, 0.05 / east_degrees(1, 41), 600);
}

TEST_F(VehicleInSource, EndsAtTheEndOfSourceOrPlan) {
  actions = {{1.0, 180 * radians_per_degree, {}}};  // west
  start_at({-9.9, 41});
  EXPECT_EQ(fly().outcome, TrajectoryOutcome::out_of_forecast);
  start_at({-8, 41});
  step.closed[static_cast<std::size_t>(orders.grid.cell(19, 10).value)] = 1;  // at 8.1° W
  const auto closed = fly();
  EXPECT_EQ(closed.outcome, TrajectoryOutcome::obstacle);
  EXPECT_NEAR(closed.duration, 0.05 / east_degrees(1, 41), 600);
  step.closed.assign(step.closed.size(), 0);
  step.actions[0][static_cast<std::size_t>(orders.grid.cell(20, 10).value)] = no_action;
  EXPECT_EQ(fly().outcome, TrajectoryOutcome::without_action);
  EXPECT_EQ(fly().duration, 0);
}

TEST_F(VehicleInSource, LeavesTheCellsOfThePlanBeforeTheSource) {
  forecast.longitude = {-12, -11, -10, -9, -8};
  actions = {{1.0, 180 * radians_per_degree, {}}};
  start_at({-9.9, 41});
  const auto flight = fly();
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::out_of_domain);
  EXPECT_NEAR(flight.duration, 0.15 / east_degrees(1, 41), 600);  // half a cell beyond 10° W
}

TEST_F(VehicleInSource, MissesItsSpeedByADrawOfEachDive) {
  actions = {{1.0, 0, {}}};  // east
  mission.error.speed = 0.2;
  if (!source) open();
  Vehicle vehicle(orders, *field, source->times(), 0, 0);
  double metres = 0;
  for (std::int32_t dive = 0; dive < 2; ++dive) {
    vehicle.fly(step);
    metres += own_velocity({1, 0}, mission.error, 0, dive).u * 6 * hour;
    step.begin += 6 * hour;
    step.end += 6 * hour;
  }
  EXPECT_GT(std::abs(metres - 12 * hour), 100);
  EXPECT_NEAR(end_of(vehicle.finished("it")).longitude, -8 + east_degrees(metres, 41), 1e-5);
}

TEST_F(VehicleInSource, RunsItsBatteryEmpty) {
  actions = {{2.0, 0, {}}};
  mission.energy.c_f = 0.5;
  mission.energy.c_t = 1;
  mission.battery = 3 * 10000;  // (0.5 · 2² + 1) per second
  const auto flight = fly();
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::out_of_energy);
  EXPECT_NEAR(flight.duration, 10000, 1e-6);
}

TEST_F(VehicleInSource, UsesThePowerOfItsDive) {
  actions = {{2.0, 0, {}, 1}};
  mission.energy.c_f = 0.5;
  mission.profile_power = {100, 1};
  mission.battery = 3 * 10000;  // (0.5 · 2² + 1) per second
  EXPECT_NEAR(fly().duration, 10000, 1e-6);
}

TEST_F(VehicleInSource, PassesViaPointsBeforeTheTarget) {
  actions = {{1.0, 0, {}}, {1.0, 180 * radians_per_degree, {}}};
  ViaPlace via;
  const auto cell_at = [&](double metres) {
    return orders.grid.cell(orders.grid.column_at(1e5 * (-8 + east_degrees(metres, 41))),
                            orders.grid.row_at(41e5));
  };
  via.cells = {cell_at(6 * hour).value};
  mission.via = {via};
  step.actions.emplace_back(orders.longitude.size(), std::int16_t{1});
  orders.targets = {up_at({-8, 41})};  // the start, to which the vehicle must return
  if (!source) open();
  Vehicle vehicle(orders, *field, source->times(), 0, 0);
  vehicle.fly(step);
  EXPECT_TRUE(vehicle.under_way());
  step.begin = 6 * hour;
  step.end = 12 * hour;
  vehicle.fly(step);
  EXPECT_FALSE(vehicle.under_way());
  const auto flight = vehicle.finished("it");
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::arrived);
  EXPECT_NEAR(flight.duration, 12 * hour - 1000, 1);
}

/// The time within the target is counted in minutes, also after a return.
TEST_F(VehicleInSource, CountsTheTimeWithinADisc) {
  mission.energy.c_r = 1;
  mission.disc = TargetDisc();
  const double cells = 0.5 * east_degrees(1, 41) / cell;  // per second
  const auto time_within = [&](double column, double radius) {
    mission.kept = KeptPlace{
        {},
        target_disc(orders.grid, orders.grid.x(0) + 1e4 * column, orders.grid.y(10), 1e4 * radius)};
    step.kept = kept_scalar(*mission.kept, TimeLevel(0));
    Vehicle vehicle(orders, *field, source->times(), 0, 0);
    vehicle.fly(step);
    EXPECT_EQ(vehicle.finished("it").outcome, TrajectoryOutcome::out_of_time);
    return vehicle.harvested();
  };
  forecast.u = [](double, double, double, int) { return 0.5; };
  open();
  EXPECT_NEAR(time_within(20, 0.7), 0.7 / cells, 301);
  EXPECT_NEAR(time_within(20.6, 0.3), 0.6 / cells, 601);
  EXPECT_EQ(time_within(30, 0.3), 0);
  EXPECT_EQ(time_within(20, 3), 6 * hour);
}

TEST_F(VehicleInSource, MeasuresTheDistanceFromAMovingPoint) {
  mission.energy.c_r = 1;
  mission.disc = TargetDisc();
  const PlanePoint start{mission.start_x, mission.start_y};
  const double drifted = 1e5 * 0.5 * 6 * hour * east_degrees(1, 41);
  const auto mean_distance = [&](const PlanePoint& next) {
    mission.kept = KeptPlace{{}, TargetDisc(), {start, next}, {}};
    step.kept = kept_scalar(*mission.kept, TimeLevel(0));
    Vehicle vehicle(orders, *field, source->times(), 0, 0);
    vehicle.fly(step);
    return -vehicle.harvested() / (6 * hour);
  };
  forecast.u = [](double, double, double, int) { return 0.5; };
  open();
  EXPECT_NEAR(mean_distance(start), drifted / 2, 1);
  EXPECT_NEAR(mean_distance({start.x + drifted, start.y}), 0, 1) << "it drifts alike";
  EXPECT_NEAR(mean_distance({start.x, start.y + drifted}), drifted * std::sqrt(2.0) / 2, 1);
}

/// A field with a single time does not change.
TEST_F(VehicleInSource, UsesASteadyField) {
  forecast.hour = {0};
  forecast.u = [](double, double, double, int) { return 0.5; };
  step.end = 24 * hour;
  EXPECT_NEAR(end_of(fly()).longitude, -8 + east_degrees(0.5 * 24 * hour, 41), 1e-6);
}

/// The vehicle in columns whose velocity is linear in depth: 1 − z/200 to the east and z/400 to the
/// north.
class DivingVehicle : public VehicleInSource {
 protected:
  void open_dives(DiveDepths depths) {
    const auto file = folder.path() / "columns.nc";
    test::Columns().fixture().write(file);
    ingest::ImportOptions options;
    options.files = {file};
    options.dives.profiles = {ingest::parse_profile("all=0:160")};
    source = std::make_unique<ingest::ForecastSource>(ingest::describe_velocity(options).request);
    field = std::make_unique<SourceField>(*source);
    orders.origin = source->times().front();
    orders.dives = {depths};
    orders.part = 100;
    start_at({-8.9, 41});
  }
  /// Returns the path of a flight to the east and to the north [m].
  EastNorth path_of(const RehearsalFlight& flight) const {
    const GeographicPoint end = end_of(flight);
    return {(end.longitude + 8.9) / east_degrees(1, (end.latitude + 41) / 2),
            (end.latitude - 41) / north_degrees(1, 41)};
  }
};

TEST_F(DivingVehicle, UsesTheFlowOfEachDepth) {
  open_dives({0, 160});
  step.end = 6 * 3200;  // six times down and up
  const auto flight = fly();
  EXPECT_NEAR(path_of(flight).east, (1 - 80 / 200.0) * step.end, 15);
  EXPECT_NEAR(path_of(flight).north, 80 / 400.0 * step.end, 5);
  // Depths after 10 and 20 minutes are 60 and 120; after 30 minutes, the vehicle has turned at 160.
  EXPECT_NEAR(flight.track[1].depth, 60, 0.01);
  EXPECT_NEAR(flight.track[3].depth, 140, 0.01);
}

TEST_F(DivingVehicle, GoesDownToTheDepthThatItHolds) {
  open_dives({100, 100});
  step.end = 4000;  // 1000 s down, through 50 m on average
  const auto flight = fly();
  EXPECT_NEAR(path_of(flight).east, 0.75 * 1000 + 0.5 * 3000, 5);
  EXPECT_NEAR(path_of(flight).north, 0.125 * 1000 + 0.25 * 3000, 5);
}

/// The vehicle surfaces in time. Its speed through the water is a mean over dive and drift.
TEST_F(DivingVehicle, DriftsAtTheSurfaceBeforeItDecides) {
  actions = {{0.5, 0, {}}};  // east
  open_dives({0, 160});
  orders.surface_drift = 800;
  step.end = step.decides = 3200 + 800;
  const auto flight = fly();
  EXPECT_NEAR(path_of(flight).east, 0.6 * 3200 + 1.0 * 800 + 0.5 * 4000, 10);
  EXPECT_EQ(flight.track.back().depth, 0);
  // The vehicle descends for half of the 2400 s.
  step.end = step.decides = 2400 + 800;
  EXPECT_NEAR(path_of(fly()).east, (1 - 60 / 200.0) * 2400 + 800 + 0.5 * 3200, 10);
}

/// Dives end 10 m above the bottom, which is 120 m deep at 9° W, and below all dives at 8° W.
TEST_F(DivingVehicle, EndsDivesAboveTheBottom) {
  open_dives({0, 160});
  Corners corners;
  const auto end_at = [&](double longitude) {
    return field->at(up_at({longitude, 40}), 0, orders.origin, 0, corners).dive_end;
  };
  EXPECT_NEAR(end_at(-9), 110, 1e-6);
  EXPECT_NEAR(end_at(-8.5), 135, 1e-6);
  EXPECT_NEAR(end_at(-8), 160, 1e-6);
  const auto ground = [&](double min) {
    return SourceField(*source, min).at(up_at({-9, 40}), 0, orders.origin, 0, corners).ground;
  };
  EXPECT_EQ(ground(100), SourceFlow::Ground::water);
  EXPECT_EQ(ground(120), SourceFlow::Ground::land);
}

}  // namespace
}  // namespace tidewise::rehearsal
