// Curvilinear, projected and staggered grids: each import must give the same analytic flow.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "base/error.h"
#include "env/file/reader.h"
#include "env/import/grid/local_plane.h"
#include "env/import/grid/quad_search.h"
#include "env/import/import_forecast.h"
#include "env/import/source/forecast_source.h"
#include "env/units/angle.h"
#include "support/error_code.h"
#include "support/ocean/point_forecast.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::NetcdfFixture;
using test::PointForecast;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using Component = PointForecast::Component;

constexpr double fill = 1e20;

using Texts = std::vector<std::pair<std::string, std::string>>;

const Texts along_grid_u{{"standard_name", "sea_water_x_velocity"}, {"units", "m s-1"}};
const Texts along_grid_v{{"standard_name", "sea_water_y_velocity"}, {"units", "m s-1"}};

class ImportGrids : public ::testing::Test {
 protected:
  ImportGrids() {
    options.files = {folder / "forecast.nc"};
    options.out = folder / "env.h5";
    options.sample = Sampling::begin;  // these tests are on positions and directions, not times
  }

  /// Returns a file with time, two-dimensional positions, and both components at them.
  static NetcdfFixture curvilinear(const PointForecast& forecast, Texts u = along_grid_u,
                                   Texts v = along_grid_v) {
    const bool is_along_grid = u.empty() || u[0].second != "eastward_sea_water_velocity";
    NetcdfFixture fixture;
    fixture.dimensions = {
        {"time", forecast.hour.size()}, {"y", forecast.rows}, {"x", forecast.columns}};
    fixture.variables = {
        {"time", NC_DOUBLE, {"time"}, forecast.hour, {{"units", "hours since 2024-10-28"}}, {}},
        {"lon", NC_DOUBLE, {"y", "x"}, forecast.longitudes(), {{"units", "degrees_east"}}, {}},
        {"lat", NC_DOUBLE, {"y", "x"}, forecast.latitudes(), {{"units", "degrees_north"}}, {}},
        {"u",
         NC_DOUBLE,
         {"time", "y", "x"},
         forecast.values(is_along_grid ? Component::along_columns : Component::east),
         std::move(u),
         {}},
        {"v",
         NC_DOUBLE,
         {"time", "y", "x"},
         forecast.values(is_along_grid ? Component::along_rows : Component::north),
         std::move(v),
         {}}};
    return fixture;
  }

  ImportReport run() {
    SilentProgress progress;
    return import_forecast(options, progress);
  }

  std::string refusal() {
    try {
      run();
    } catch (const InputError& error) {
      EXPECT_FALSE(std::filesystem::exists(options.out));
      return error.what();
    }
    return "accepted";
  }

  /// Compares wet cells of every level, except those for which `is_left_out` is true, with the
  /// exact flow rotated to the plane. Returns the number of cells.
  std::size_t expect_exact_flow(
      const PointForecast& forecast, double tolerance,
      const std::function<bool(GeographicPoint)>& is_left_out = [](GeographicPoint) {
        return false;
      }) {
    const EnvironmentReader reader(options.out);
    const auto longitude = reader.read_longitude();
    const auto latitude = reader.read_latitude();
    const std::string& projection = reader.info().projection;
    double lat0 = 0;
    double lon0 = 0;
    EXPECT_EQ(std::sscanf(projection.c_str(), "+proj=stere +lat_0=%lf +lon_0=%lf", &lat0, &lon0),
              2);
    const LocalPlane plane({lon0, lat0});
    LevelFields<> fields(reader.info());
    std::size_t wet = 0;
    double worst = 0;
    for (std::int32_t k = 0; k < reader.info().time.level_count; ++k) {
      reader.read_level(TimeLevel(k), fields);
      for (std::size_t cell = 0; cell < longitude.size(); ++cell) {
        if (fields.dry[cell] != 0) continue;
        const GeographicPoint at{longitude[cell], latitude[cell]};
        if (is_left_out(at)) continue;
        ++wet;
        const auto exact = forecast.flow(at, forecast.hour[static_cast<std::size_t>(k)]);
        const PlanePoint north = plane.north_at(at);
        worst = std::max(
            worst, std::abs(fields.u_mean[cell] - exact.east * north.y - exact.north * north.x));
        worst = std::max(
            worst, std::abs(fields.v_mean[cell] + exact.east * north.x - exact.north * north.y));
      }
    }
    EXPECT_LT(worst, tolerance);
    return wet;
  }

  const test::TemporaryFolder folder;
  ImportOptions options;
};

TEST_F(ImportGrids, RotateComponentsByTheAngleOfACurvilinearGrid) {
  // 48 × 39 steps of 0.1° around 18 E 51 N, and around other places where longitudes jump or meet.
  for (const GeographicPoint pole : {GeographicPoint{-162, 39.25}, GeographicPoint{20, 30},
                                     GeographicPoint{-30, 10}, GeographicPoint{60, 1}}) {
    const PointForecast forecast = test::turned_globe(pole, 0.1);
    curvilinear(forecast).write(options.files[0]);
    const ImportReport report = run();
    EXPECT_GT(expect_exact_flow(forecast, 3e-5), 2u * 1500u) << pole.longitude;
    EXPECT_THAT(report.lines,
                Contains(HasSubstr("curvilinear, 50 × 40 points; components along the "
                                   "grid's axes (standard_name sea_water_x_velocity)")));
    EXPECT_NEAR(report.info.grid.dx, 11000, 1000);
  }
}

TEST_F(ImportGrids, LeaveEastwardComponentsAsTheyAre) {
  const PointForecast forecast = test::turned_globe({-162, 39.25}, 0.1);
  const Texts east{{"standard_name", "eastward_sea_water_velocity"}};
  const Texts north{{"standard_name", "northward_sea_water_velocity"}};
  curvilinear(forecast, east, north).write(options.files[0]);
  const ImportReport report = run();
  EXPECT_GT(expect_exact_flow(forecast, 3e-5), 3000u);
  EXPECT_THAT(report.lines, Contains(HasSubstr("eastward and northward (standard_name eastward_")));
  // With --components grid against the file's metadata the currents rotate.
  options.names.components = Components::grid;
  run();
  EXPECT_THAT(run().lines, Contains(HasSubstr("as given with --components")));
}

TEST_F(ImportGrids, AcceptATransposedOrderAndALeftHandedGrid) {
  const PointForecast forecast = test::turned_globe({-162, 39.25}, 0.1);
  // With rows from the top, the component along rows has the opposite direction.
  PointForecast upside_down = forecast;
  upside_down.place = [&](double row, double column) { return forecast.place(39 - row, column); };
  NetcdfFixture fixture = curvilinear(upside_down);
  for (double& value : fixture.variable("v").values) value = -value;
  fixture.write(options.files[0]);
  run();
  EXPECT_GT(expect_exact_flow(forecast, 3e-5), 3000u);
  // If a coordinate shows that y falls along the rows, y_velocity is along y.
  fixture = curvilinear(upside_down);
  fixture.variables.push_back({"y", NC_DOUBLE, {"y"}, {}, {{"axis", "Y"}}, {}});
  for (int row = 0; row < 40; ++row) fixture.variables.back().values.push_back(39 - row);
  fixture.write(options.files[0]);
  run();
  EXPECT_GT(expect_exact_flow(forecast, 3e-5), 3000u);
  // (x, y) instead of (y, x), recognised by the dimensions' names.
  fixture = curvilinear(forecast);
  for (auto& variable : fixture.variables) {
    if (variable.dimensions.size() < 2) continue;
    const auto stored = variable.values;
    std::swap(variable.dimensions[variable.dimensions.size() - 1],
              variable.dimensions[variable.dimensions.size() - 2]);
    for (std::size_t n = 0; n < stored.size(); ++n) {
      const std::size_t level = n / 2000;
      variable.values[level * 2000 + n % 50 * 40 + n % 2000 / 50] = stored[n];
    }
  }
  fixture.write(options.files[0]);
  run();
  EXPECT_GT(expect_exact_flow(forecast, 3e-5), 3000u);
}

/// Replaces lon and lat of a fixture by the coordinates x and y of a map, with a grid mapping.
NetcdfFixture on_a_map(NetcdfFixture fixture, const std::vector<double>& x,
                       const std::vector<double>& y, const Texts& x_texts, const Texts& y_texts,
                       const Texts& texts, const std::vector<NetcdfFixture::Numbers>& numbers) {
  std::erase_if(fixture.variables, [](const auto& variable) { return variable.name == "lon"; });
  std::erase_if(fixture.variables, [](const auto& variable) { return variable.name == "lat"; });
  fixture.variables.push_back({"x", NC_DOUBLE, {"x"}, x, x_texts, {}});
  fixture.variables.push_back({"y", NC_DOUBLE, {"y"}, y, y_texts, {}});
  fixture.variables.push_back({"projection", NC_INT, {}, {0}, texts, numbers});
  for (const char* name : {"u", "v"}) {
    fixture.variable(name).texts.emplace_back("grid_mapping", "projection");
  }
  return fixture;
}

TEST_F(ImportGrids, ReadARotatedPoleByItsMapping) {
  const PointForecast forecast = test::turned_globe({-162, 39.25}, 0.1);
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 50; ++i) x.push_back((i - 24.5) * 0.1);
  for (int j = 0; j < 40; ++j) y.push_back((j - 19.5) * 0.1);
  const Texts x_texts{{"standard_name", "grid_longitude"}, {"units", "degrees"}, {"axis", "X"}};
  const Texts y_texts{{"standard_name", "grid_latitude"}, {"units", "degrees"}, {"axis", "Y"}};
  on_a_map(curvilinear(forecast), x, y, x_texts, y_texts,
           {{"grid_mapping_name", "rotated_latitude_longitude"}},
           {{"grid_north_pole_latitude", NC_DOUBLE, {39.25}},
            {"grid_north_pole_longitude", NC_DOUBLE, {-162}}})
      .write(options.files[0]);
  run();
  EXPECT_GT(expect_exact_flow(forecast, 3e-5), 3000u);
  // Rotated degrees without a mapping are not longitudes.
  NetcdfFixture bare = on_a_map(curvilinear(forecast), x, y, x_texts, y_texts, {}, {});
  std::erase_if(bare.variables, [](const auto& variable) { return variable.name == "projection"; });
  for (const char* name : {"u", "v"}) bare.variable(name).texts = along_grid_u;
  bare.variable("v").texts = along_grid_v;
  bare.write(options.files[0]);
  std::filesystem::remove(options.out);
  EXPECT_THAT(refusal(), test::has_code("projection_unknown"));
}

/// A polar stereographic map of the sphere, true at 90 N, with 10 E pointing down and the pole in
/// the middle.
struct PolarMap {
  static constexpr double radius = 6371000;
  static constexpr double down_longitude = 10;  // [degrees east]

  PointForecast forecast;
  std::vector<double> x, y;

  PolarMap() {
    for (int i = 0; i < 50; ++i) x.push_back((i - 22) * 20000.0);
    for (int j = 0; j < 40; ++j) y.push_back((21 - j) * 20000.0);  // descending
    forecast.place = [](double row, double column) {
      const double map_x = (column - 22) * 20000;
      const double map_y = (21 - row) * 20000;
      const double distance = std::hypot(map_x, map_y);
      return GeographicPoint{down_longitude + std::atan2(map_x, -map_y) / radians_per_degree,
                             90 - 2 * std::atan(distance / (2 * radius)) / radians_per_degree};
    };
    // A flow that is smooth over the pole: nearly the same all over the map.
    forecast.flow = [](GeographicPoint at, double hour) {
      const Vector3 up = Compass(at).up;
      const double along_x = 0.3 + up.x;
      const double along_y = -0.2 + up.y + 0.01 * hour;
      const double angle = (at.longitude - down_longitude) * radians_per_degree;
      return PointForecast::Velocity{along_x * std::cos(angle) + along_y * std::sin(angle),
                                     -along_x * std::sin(angle) + along_y * std::cos(angle)};
    };
    forecast.column_direction = [](GeographicPoint at) {
      const Compass compass(at);
      const double angle = (at.longitude - down_longitude) * radians_per_degree;
      return std::cos(angle) * compass.east + -std::sin(angle) * compass.north;
    };
  }

  NetcdfFixture fixture(NetcdfFixture on_points) const {
    std::vector<double> km_x = x;
    std::vector<double> km_y = y;
    for (double& value : km_x) value /= 1000;
    for (double& value : km_y) value /= 1000;
    return on_a_map(std::move(on_points), km_x, km_y,
                    {{"standard_name", "projection_x_coordinate"}, {"units", "km"}},
                    {{"standard_name", "projection_y_coordinate"}, {"units", "km"}},
                    {{"grid_mapping_name", "polar_stereographic"}},
                    {{"straight_vertical_longitude_from_pole", NC_DOUBLE, {down_longitude}},
                     {"latitude_of_projection_origin", NC_DOUBLE, {90}},
                     {"standard_parallel", NC_DOUBLE, {90}},
                     {"earth_radius", NC_DOUBLE, {radius}}});
  }
};

TEST_F(ImportGrids, ReadAPolarMapOverThePole) {
  const PolarMap map;
  map.fixture(curvilinear(map.forecast)).write(options.files[0]);
  const ImportReport report = run();
  EXPECT_GT(expect_exact_flow(map.forecast, 2e-4), 3000u);
  EXPECT_THAT(report.lines, Contains(HasSubstr("on a projection, 50 × 40 points")));
  EXPECT_NEAR(report.info.grid.dx, 20000, 100);
  const EnvironmentReader reader(options.out);
  const auto latitude = reader.read_latitude();
  const auto pole = std::max_element(latitude.begin(), latitude.end()) - latitude.begin();
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(0), fields);
  EXPECT_GT(latitude[static_cast<std::size_t>(pole)], 89.85);
  EXPECT_EQ(fields.dry[static_cast<std::size_t>(pole)], 0);
}

TEST_F(ImportGrids, CutABoxOutOfAMap) {
  const PolarMap map;
  map.fixture(curvilinear(map.forecast)).write(options.files[0]);
  options.box = BoundingBox{170, 86, -170, 89};  // over 180°, where the map has no seam
  const ImportReport report = run();
  EXPECT_LT(report.info.grid.nx, 12);
  EXPECT_GT(expect_exact_flow(map.forecast, 2e-4), 2u * 30u);
  const EnvironmentReader reader(options.out);
  const auto latitude = reader.read_latitude();
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(0), fields);
  for (std::size_t cell = 0; cell < latitude.size(); ++cell) {
    EXPECT_TRUE(fields.dry[cell] != 0 || (latitude[cell] >= 86 && latitude[cell] <= 89));
  }
  std::filesystem::remove(options.out);
  options.box = BoundingBox{0, 10, 10, 20};
  EXPECT_THAT(refusal(), test::has_code("bbox_without_points"));
}

/// Lambert's cone on the sphere, by Snyder's formulas, with the mapping as CF attributes, as WKT
/// and as a PROJ string.
TEST_F(ImportGrids, ReadAConeFromParametersWktOrProj) {
  constexpr double radius = 6371000;
  const double lat1 = 60 * radians_per_degree;
  const double lat2 = 64 * radians_per_degree;
  const auto t = [](double lat) { return std::tan(std::numbers::pi / 4 + lat / 2); };
  const double n = std::log(std::cos(lat1) / std::cos(lat2)) / std::log(t(lat2) / t(lat1));
  const double f = std::cos(lat1) * std::pow(t(lat1), n) / n;
  const double rho0 = radius * f / std::pow(t(62 * radians_per_degree), n);
  PointForecast forecast;
  forecast.place = [=](double row, double column) {
    const double x = 400000 + (column - 25) * 10000;
    const double y = (row - 20) * 10000;
    const double rho = std::hypot(x, rho0 - y);
    const double theta = std::atan2(x, rho0 - y);
    return GeographicPoint{
        5 + theta / n / radians_per_degree,
        (2 * std::atan(std::pow(radius * f / rho, 1 / n)) - std::numbers::pi / 2) /
            radians_per_degree};
  };
  forecast.column_direction = [=](GeographicPoint at) {
    const Compass compass(at);
    const double angle = n * (at.longitude - 5) * radians_per_degree;
    return std::cos(angle) * compass.east + -std::sin(angle) * compass.north;
  };
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 50; ++i) x.push_back(400000 + (i - 25) * 10000);
  for (int j = 0; j < 40; ++j) y.push_back((j - 20) * 10000);
  const Texts x_texts{{"standard_name", "projection_x_coordinate"}, {"units", "m"}};
  const Texts y_texts{{"standard_name", "projection_y_coordinate"}, {"units", "m"}};
  const char* wkt =
      R"w(PROJCRS["unknown",BASEGEOGCRS["unknown",DATUM["unknown",ELLIPSOID["unknown",6371000,0,)w"
      R"w(LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]],)w"
      R"w(CONVERSION["unknown",METHOD["Lambert Conic Conformal (2SP)"],)w"
      R"w(PARAMETER["Latitude of false origin",62,ANGLEUNIT["degree",0.0174532925199433]],)w"
      R"w(PARAMETER["Longitude of false origin",5,ANGLEUNIT["degree",0.0174532925199433]],)w"
      R"w(PARAMETER["Latitude of 1st standard parallel",60,ANGLEUNIT["degree",0.0174532925199433]],)w"
      R"w(PARAMETER["Latitude of 2nd standard parallel",64,ANGLEUNIT["degree",0.0174532925199433]],)w"
      R"w(PARAMETER["Easting at false origin",0,LENGTHUNIT["metre",1]],)w"
      R"w(PARAMETER["Northing at false origin",0,LENGTHUNIT["metre",1]]],)w"
      R"w(CS[Cartesian,2],AXIS["(E)",east,ORDER[1],LENGTHUNIT["metre",1]],)w"
      R"w(AXIS["(N)",north,ORDER[2],LENGTHUNIT["metre",1]]])w";
  const std::vector<NetcdfFixture::Numbers> cone{{"standard_parallel", NC_DOUBLE, {60, 64}},
                                                 {"latitude_of_projection_origin", NC_DOUBLE, {62}},
                                                 {"longitude_of_central_meridian", NC_DOUBLE, {5}},
                                                 {"earth_radius", NC_DOUBLE, {radius}}};
  const auto write = [&](const Texts& texts, const std::vector<NetcdfFixture::Numbers>& numbers) {
    on_a_map(curvilinear(forecast), x, y, x_texts, y_texts, texts, numbers).write(options.files[0]);
  };
  write({{"grid_mapping_name", "lambert_conformal_conic"}}, cone);
  run();
  EXPECT_GT(expect_exact_flow(forecast, 3e-5), 3000u);
  write({{"crs_wkt", wkt}}, {});
  run();
  EXPECT_GT(expect_exact_flow(forecast, 3e-5), 3000u);
  write({{"proj4", "+proj=lcc +lat_1=60 +lat_2=64 +lat_0=62 +lon_0=5 +R=6371000 +units=m"}}, {});
  run();
  EXPECT_GT(expect_exact_flow(forecast, 3e-5), 3000u);
  write({{"grid_mapping_name", "lambert_conformal_conic"}}, {cone.begin(), cone.begin() + 3});
  EXPECT_THAT(run().lines, Contains(HasSubstr("gives no figure of the Earth; WGS84 is used")));
  std::filesystem::remove(options.out);
  write({{"grid_mapping_name", "lambert_conformal_conic"}}, {cone.begin(), cone.begin() + 2});
  EXPECT_THAT(refusal(),
              test::has_code("grid_mapping_attribute_missing", "longitude_of_projection_origin"));
  write({{"grid_mapping_name", "geostationary"}}, {});
  EXPECT_THAT(refusal(), test::has_code("grid_mapping_unknown", "geostationary"));
  write({}, {});
  EXPECT_THAT(refusal(), test::has_code("grid_mapping_undefined"));
}

/// ROMS: u and v have their own points and dimensions; angle and mask are at the rho points
/// between.
class StaggeredGrid : public ImportGrids {
 protected:
  /// Returns true if a rho point is land: an island of 6 × 5, and a wall one point thick.
  static bool is_land(std::size_t row, std::size_t column) {
    return (row >= 12 && row < 18 && column >= 20 && column < 25) || (column == 40 && row < 25);
  }

  /// Returns true if a position lies within about two steps of a point of land.
  static bool is_near_land(const PointForecast& rho, GeographicPoint place) {
    for (std::size_t row = 0; row < rho.rows; ++row) {
      for (std::size_t column = 0; column < rho.columns; ++column) {
        if (!is_land(row, column)) continue;
        const Vector3 land =
            Compass(rho.place(static_cast<double>(row), static_cast<double>(column))).up;
        if (length(land - Compass(place).up) < 0.23 * radians_per_degree) return true;
      }
    }
    return false;
  }

  static NetcdfFixture roms(const PointForecast& rho) {
    PointForecast u = rho;
    PointForecast v = rho;
    u.columns = rho.columns - 1;
    v.rows = rho.rows - 1;
    NetcdfFixture fixture;
    fixture.dimensions = {{"ocean_time", 2},       {"s_rho", 3},       {"eta_rho", rho.rows},
                          {"xi_rho", rho.columns}, {"eta_u", u.rows},  {"xi_u", u.columns},
                          {"eta_v", v.rows},       {"xi_v", v.columns}};
    std::vector<double> angle;
    std::vector<double> mask;
    for (std::size_t n = 0; n < rho.rows * rho.columns; ++n) {
      const std::size_t row = n / rho.columns;
      const std::size_t column = n % rho.columns;
      const GeographicPoint at = rho.place(static_cast<double>(row), static_cast<double>(column));
      const Compass compass(at);
      const Vector3 direction = rho.column_direction(at);
      angle.push_back(std::atan2(dot(direction, compass.north), dot(direction, compass.east)));
      mask.push_back(is_land(row, column) ? 0 : 1);
    }
    fixture.variables = {
        {"ocean_time",
         NC_DOUBLE,
         {"ocean_time"},
         {0, 21600},
         {{"units", "seconds since 2024-10-28 00:00:00"}},
         {}},
        {"s_rho",
         NC_DOUBLE,
         {"s_rho"},
         {-0.9, -0.5, -0.1},
         {{"standard_name", "ocean_s_coordinate_g2"}},
         {}},
        {"lon_rho", NC_DOUBLE, {"eta_rho", "xi_rho"}, rho.longitudes(), {}, {}},
        {"lat_rho", NC_DOUBLE, {"eta_rho", "xi_rho"}, rho.latitudes(), {}, {}},
        {"lon_u", NC_DOUBLE, {"eta_u", "xi_u"}, u.longitudes(0, 0.5), {}, {}},
        {"lat_u", NC_DOUBLE, {"eta_u", "xi_u"}, u.latitudes(0, 0.5), {}, {}},
        {"lon_v", NC_DOUBLE, {"eta_v", "xi_v"}, v.longitudes(0.5, 0), {}, {}},
        {"lat_v", NC_DOUBLE, {"eta_v", "xi_v"}, v.latitudes(0.5, 0), {}, {}},
        {"angle", NC_DOUBLE, {"eta_rho", "xi_rho"}, angle, {{"units", "radians"}}, {}},
        {"mask_rho", NC_DOUBLE, {"eta_rho", "xi_rho"}, mask, {}, {}},
        {"u",
         NC_DOUBLE,
         {"ocean_time", "s_rho", "eta_u", "xi_u"},
         with_deeper_levels(u.values(Component::along_columns, 0, 0.5), u.rows * u.columns),
         {{"long_name", "u-momentum component"}, {"units", "meter second-1"}},
         {{"_FillValue", NC_DOUBLE, {fill}}}},
        {"v",
         NC_DOUBLE,
         {"ocean_time", "s_rho", "eta_v", "xi_v"},
         with_deeper_levels(v.values(Component::along_rows, 0.5, 0), v.rows * v.columns),
         {{"long_name", "v-momentum component"}, {"units", "meter second-1"}},
         {{"_FillValue", NC_DOUBLE, {fill}}}}};
    auto& u_values = fixture.variable("u").values;
    auto& v_values = fixture.variable("v").values;
    for (std::size_t n = 0; n < u_values.size(); ++n) {
      const std::size_t row = n / u.columns % u.rows;
      const std::size_t column = n % u.columns;
      if (is_land(row, column) || is_land(row, column + 1)) u_values[n] = fill;
    }
    for (std::size_t n = 0; n < v_values.size(); ++n) {
      const std::size_t row = n / v.columns % v.rows;
      const std::size_t column = n % v.columns;
      if (is_land(row, column) || is_land(row + 1, column)) v_values[n] = fill;
    }
    return fixture;
  }

  /// Returns values (time, level, point) from those of the surface (time, point); others are 0.
  static std::vector<double> with_deeper_levels(const std::vector<double>& surface,
                                                std::size_t points) {
    std::vector<double> values;
    for (std::size_t time = 0; time < 2; ++time) {
      values.resize(values.size() + 2 * points, 0.0);
      const auto first = surface.begin() + static_cast<std::ptrdiff_t>(time * points);
      values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(points));
    }
    return values;
  }
};

TEST_F(StaggeredGrid, IsInterpolatedAndRotatedForRoms) {
  const PointForecast rho = test::turned_globe({-162, 39.25}, 0.1);
  NetcdfFixture fixture = roms(rho);
  fixture.write(options.files[0]);
  options.spacing = 7000;  // cells at many places between the points
  const ImportReport report = run();
  EXPECT_THAT(report.lines, Contains(HasSubstr("u and v on their own (Arakawa C)")));
  EXPECT_THAT(report.lines, Contains(HasSubstr("the file's own variable angle")));
  EXPECT_THAT(report.lines, Contains("depth: level 3 of 3, s_rho = -0.1 (nearest to the surface)"));
  // Next to a wall the imported flow ends at the wall, but the exact one does not.
  const auto near_wall = [&](GeographicPoint place) { return is_near_land(rho, place); };
  EXPECT_GT(expect_exact_flow(rho, 1e-4, near_wall), 2u * 1500u);

  // A cell is land if the nearest rho point is: only the island and the wall.
  const EnvironmentReader reader(options.out);
  const auto longitude = reader.read_longitude();
  const auto latitude = reader.read_latitude();
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(0), fields);
  std::size_t checked = 0;
  for (std::size_t cell = 0; cell < longitude.size(); ++cell) {
    const Vector3 up = Compass({longitude[cell], latitude[cell]}).up;
    for (std::size_t row = 2; row < 38; ++row) {
      for (std::size_t column = 2; column < 48; ++column) {
        const Vector3 point =
            Compass(rho.place(static_cast<double>(row), static_cast<double>(column))).up;
        if (length(point - up) > 0.03 * radians_per_degree) continue;  // well within half a step
        EXPECT_EQ(fields.dry[cell] != 0, is_land(row, column)) << row << " " << column;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 300u);

  // Without the variable angle, positions of the points determine the angle.
  std::erase_if(fixture.variables, [](const auto& variable) { return variable.name == "angle"; });
  fixture.write(options.files[0]);
  EXPECT_THAT(run().lines, Not(Contains(HasSubstr("variable angle"))));
  EXPECT_GT(expect_exact_flow(rho, 1e-4, near_wall), 2u * 1500u);
}

/// Levels follow the bottom, which is given at the rho points. The flow decreases linearly with the
/// share of the depth, and dives reach the bottom.
TEST_F(StaggeredGrid, IsAveragedOverDivesForRoms) {
  const PointForecast rho = test::turned_globe({-162, 39.25}, 0.1);
  NetcdfFixture fixture = roms(rho);
  const std::pair<std::string, std::string> coordinates{"coordinates", "lon_rho lat_rho"};
  std::vector<double> h;
  for (std::size_t n = 0; n < rho.rows * rho.columns; ++n) {
    h.push_back(60 + 5.0 * static_cast<double>(n % rho.columns));
  }
  fixture.variable("s_rho").values = {-5.0 / 6, -3.0 / 6, -1.0 / 6};
  fixture.variable("s_rho").texts.emplace_back("formula_terms",
                                               "s: s_rho C: Cs_r eta: zeta depth: h depth_c: hc");
  fixture.variables.push_back(
      {"Cs_r", NC_DOUBLE, {"s_rho"}, fixture.variable("s_rho").values, {}, {}});
  fixture.variables.push_back({"hc", NC_DOUBLE, {}, {10}, {}, {}});
  fixture.variables.push_back({"h", NC_DOUBLE, {"eta_rho", "xi_rho"}, h, {coordinates}, {}});
  fixture.variables.push_back({"zeta",
                               NC_DOUBLE,
                               {"ocean_time", "eta_rho", "xi_rho"},
                               std::vector<double>(2 * h.size(), 0),
                               {coordinates},
                               {}});
  for (const char* name : {"u", "v"}) {
    auto& values = fixture.variable(name).values;
    const std::size_t points = values.size() / 6;
    for (std::size_t time = 0; time < 2; ++time) {
      for (std::size_t n = 0; n < points; ++n) {
        const double top = values[(3 * time + 2) * points + n];
        for (const std::size_t level : {0, 1}) {
          const double share = level == 0 ? 0.5 : 0.75;
          values[(3 * time + level) * points + n] = top == fill ? fill : share * top;
        }
      }
    }
  }
  fixture.write(options.files[0]);
  options.dives.profiles = {parse_profile("dive=0:2000")};
  options.dives.bottom_margin = 0;
  run();
  PointForecast mean = rho;  // the mean of 0.5, 0.75 and 1
  mean.flow = [&](GeographicPoint at, double hour) {
    const auto top = rho.flow(at, hour);
    return PointForecast::Velocity{0.75 * top.east, 0.75 * top.north};
  };
  const auto near_land = [&](GeographicPoint place) { return is_near_land(rho, place); };
  EXPECT_GT(expect_exact_flow(mean, 5e-4, near_land), 2u * 1500u);
}

TEST_F(StaggeredGrid, RefusesAnAngleThatItsPointsContradict) {
  NetcdfFixture fixture = roms(test::turned_globe({-162, 39.25}, 0.1));
  for (double& angle : fixture.variable("angle").values) angle = -angle + 0.2;
  fixture.write(options.files[0]);
  EXPECT_THAT(refusal(), test::has_code("grid_angle_wrong", "variable angle"));
  fixture = roms(test::turned_globe({-162, 39.25}, 0.1));
  options.depth = 5;
  fixture.write(options.files[0]);
  EXPECT_THAT(refusal(), test::has_code("depth_not_in_metres", "levels that follow the bottom"));
}

/// NEMO: each component is in a separate file of equal shape, at the east or north faces.
NetcdfFixture nemo_file(const PointForecast& t, bool is_u) {
  const double row_shift = is_u ? 0 : 0.5;
  const double column_shift = is_u ? 0.5 : 0;
  const std::string depth = is_u ? "depthu" : "depthv";
  NetcdfFixture fixture;
  fixture.dimensions = {{"time_counter", 2}, {depth, 1}, {"y", t.rows}, {"x", t.columns}};
  fixture.variables = {
      {"time_counter",
       NC_DOUBLE,
       {"time_counter"},
       {43200, 129600},
       {{"units", "seconds since 2024-10-28 00:00:00"}, {"calendar", "noleap"}},
       {}},
      {depth, NC_FLOAT, {depth}, {0.5}, {{"units", "m"}}, {}},
      {"nav_lon",
       NC_DOUBLE,
       {"y", "x"},
       t.longitudes(row_shift, column_shift),
       {{"units", "degrees_east"}},
       {}},
      {"nav_lat",
       NC_DOUBLE,
       {"y", "x"},
       t.latitudes(row_shift, column_shift),
       {{"units", "degrees_north"}},
       {}},
      {is_u ? "vozocrtx" : "vomecrty",
       NC_DOUBLE,
       {"time_counter", depth, "y", "x"},
       t.values(is_u ? Component::along_columns : Component::along_rows, row_shift, column_shift),
       {{"units", "m/s"}, {"long_name", is_u ? "ocean current along i-axis" : "along j-axis"}},
       {}}};
  return fixture;
}

TEST_F(ImportGrids, ReadUAndVFromTwoFiles) {
  PointForecast t = test::turned_globe({20, 30}, 0.1);
  t.hour = {0, 24};
  nemo_file(t, true).write(folder / "u.nc");
  nemo_file(t, false).write(folder / "v.nc");
  options.files.clear();
  options.names.u = (folder / "u.nc").string() + ":vozocrtx";
  options.names.v = (folder / "v.nc").string() + ":vomecrty";
  options.step = 24 * 3600;  // levels at the forecast's times, for which the flow is known
  const ImportReport report = run();
  EXPECT_GT(expect_exact_flow(t, 1e-4), 2u * 1500u);
  EXPECT_EQ(report.info.history,
            "tidewise env import --u u.nc:vozocrtx --v v.nc:vomecrty --step 86400 --sample begin");
  EXPECT_THAT(report.lines, Contains(HasSubstr("calendar: noleap; its years have 365 days")));
  // Both components are found in the files that hold them.
  options.files = {folder / "v.nc", folder / "u.nc"};
  options.names.u = "vozocrtx";
  options.names.v = "vomecrty";
  run();
  EXPECT_GT(expect_exact_flow(t, 1e-4), 2u * 1500u);
  // Several files along time for each.
  const auto later = [](NetcdfFixture fixture) {
    fixture.variable("time_counter").values = {216000, 302400};
    return fixture;
  };
  later(nemo_file(t, true)).write(folder / "u2.nc");
  later(nemo_file(t, false)).write(folder / "v2.nc");
  options.files = {folder / "u.nc", folder / "v.nc", folder / "u2.nc", folder / "v2.nc"};
  EXPECT_EQ(run().info.time.level_count, 4);
  options.files.pop_back();
  std::filesystem::remove(options.out);
  EXPECT_THAT(refusal(), test::has_code("component_times_differ", "v.nc: variable vomecrty"));
}

TEST_F(ImportGrids, GoAroundTheGlobeOnAStaggeredGrid) {
  // A grid of 2° around a pole at 75 N, whose seam between columns lies in the box.
  PointForecast t = test::turned_globe({-40, 75}, 2);
  const auto original_place = t.place;
  t.rows = 70;
  t.columns = 180;
  t.place = [=](double row, double column) { return original_place(row - 15, column + 24.5); };
  for (const bool west_first : {false, true}) {
    NetcdfFixture u = nemo_file(t, true);
    if (west_first) {  // as in MITgcm: u half a step before the point
      const double shift = -0.5;
      u.variable("nav_lon").values = t.longitudes(0, shift);
      u.variable("nav_lat").values = t.latitudes(0, shift);
      u.variable("vozocrtx").values = t.values(Component::along_columns, 0, shift);
    }
    u.write(folder / "u.nc");
    nemo_file(t, false).write(folder / "v.nc");
    options.files = {folder / "u.nc", folder / "v.nc"};
    options.names.u = "vozocrtx";
    options.names.v = "vomecrty";
    const GeographicPoint seam = t.place(35, -0.5);
    options.box = BoundingBox{seam.longitude - 12, seam.latitude - 10, seam.longitude + 12,
                              seam.latitude + 10};
    options.spacing = 100000;
    options.step = 24 * 3600;  // levels at the forecast's times
    const ImportReport report = run();
    EXPECT_GT(expect_exact_flow(t, 2e-2), 2u * 300u);
    EXPECT_THAT(report.lines, Contains(HasSubstr("0 % land")));
    const EnvironmentReader reader(options.out);
    LevelFields<> fields(reader.info());
    reader.read_level(TimeLevel(0), fields);
    const Grid& grid = reader.info().grid;
    const auto middle =
        static_cast<std::size_t>(grid.cell(grid.column_at(0), grid.row_at(0)).value);
    for (const std::size_t cell : {middle - 1, middle, middle + 1}) EXPECT_EQ(fields.dry[cell], 0);
  }
}

TEST_F(ImportGrids, RefuseFilesOfInconsistentComponents) {
  const PointForecast t = test::turned_globe({20, 30}, 0.1);
  nemo_file(t, true).write(folder / "u.nc");
  nemo_file(t, false).write(folder / "v.nc");
  const auto refusal_with = [&](const std::string& u, const std::string& v) {
    options.names.u = u;
    options.names.v = v;
    return refusal();
  };
  const std::string u = (folder / "u.nc").string() + ":vozocrtx";
  EXPECT_THAT(refusal_with(u, (folder / "v.nc").string() + ":vomecrty"),
              test::has_code("forecast_named_twice"));
  EXPECT_THAT(refusal_with(u, "vomecrty"), test::has_code("component_file_alone"));
  EXPECT_THAT(refusal_with(u, (folder / "v.nc").string() + ":"),
              test::has_code("import_variable_option_invalid"));
  options.files.clear();
  EXPECT_THAT(refusal_with(u, (folder / "v.nc").string() + ":w"),
              test::has_code("netcdf_variable_unknown", "variable w"));
  // Points that are neither the same nor half a cell apart.
  nemo_file(test::turned_globe({20, 31}, 0.1), false).write(folder / "far.nc");
  EXPECT_THAT(
      refusal_with(u, (folder / "far.nc").string() + ":vomecrty"),
      test::has_code("points_differ", "and not half a cell from them as on Arakawa's C grid"));
}

/// Returns a forecast on a regular grid of 0.1° across 180°.
PointForecast plain_degrees() {
  PointForecast t;
  t.place = [](double row, double column) {
    return GeographicPoint{178 + 0.1 * column, 50 + 0.1 * row};
  };
  t.column_direction = [](GeographicPoint at) { return Compass(at).east; };
  return t;
}

/// MITgcm: u west and v south of the centre of a cell, with one-dimensional coordinates.
NetcdfFixture mitgcm(const PointForecast& t) {
  NetcdfFixture fixture;
  fixture.dimensions = {{"time", 2}, {"YC", 40}, {"XC", 50}, {"YG", 40}, {"XG", 50}};
  fixture.variables = {
      {"time", NC_DOUBLE, {"time"}, t.hour, {{"units", "hours since 2024-10-28"}}, {}},
      {"U",
       NC_DOUBLE,
       {"time", "YC", "XG"},
       t.values(Component::along_columns, 0, -0.5),
       along_grid_u,
       {{"_FillValue", NC_DOUBLE, {fill}}}},
      {"V",
       NC_DOUBLE,
       {"time", "YG", "XC"},
       t.values(Component::along_rows, -0.5, 0),
       along_grid_v,
       {{"_FillValue", NC_DOUBLE, {fill}}}}};
  const auto add_axis = [&](const char* name, double first, std::size_t count, const char* units) {
    fixture.variables.push_back({name, NC_DOUBLE, {name}, {}, {{"units", units}}, {}});
    for (std::size_t n = 0; n < count; ++n) {
      fixture.variables.back().values.push_back(first + 0.1 * static_cast<double>(n));
    }
  };
  add_axis("XC", 178, 50, "degrees_east");
  add_axis("XG", 177.95, 50, "degrees_east");
  add_axis("YC", 50, 40, "degrees_north");
  add_axis("YG", 49.95, 40, "degrees_north");
  return fixture;
}

TEST_F(ImportGrids, ReadAStaggeredGridAlongLongitudeAndLatitude) {
  const PointForecast t = plain_degrees();
  mitgcm(t).write(options.files[0]);
  EXPECT_THAT(run().lines, Contains(HasSubstr("u and v on their own (Arakawa C)")));
  // South of the first row of u, and west of the first column of v, the outermost values are used.
  EXPECT_GT(expect_exact_flow(t, 5e-4), 2u * 1500u);
  const auto at_an_edge = [](GeographicPoint at) {
    const double east = at.longitude < 0 ? at.longitude + 360 : at.longitude;
    return at.latitude < 50.1 || at.latitude > 53.7 || east < 178.1 || east > 182.7;
  };
  EXPECT_GT(expect_exact_flow(t, 1e-4, at_an_edge), 2u * 1300u);
}

/// Eddies of eight steps. Interpolation of each component between its own points is more exact and
/// damps less than interpolation of means at the centres.
TEST_F(ImportGrids, InterpolateEachComponentBetweenItsOwnPoints) {
  PointForecast t = plain_degrees();
  t.flow = [](GeographicPoint at, double) {
    const double x = (at.longitude - 178 + (at.longitude < 0 ? 360 : 0)) / 0.1;
    const double y = (at.latitude - 50) / 0.1;
    constexpr double k = 2 * std::numbers::pi / 8;
    return PointForecast::Velocity{0.5 * std::sin(k * x) * std::cos(k * y + 0.3),
                                   0.4 * std::cos(k * x - 0.5) * std::sin(k * y)};
  };
  mitgcm(t).write(options.files[0]);
  options.spacing = 2900;
  run();
  const auto u = t.values(Component::along_columns, 0, -0.5);
  const auto v = t.values(Component::along_rows, -0.5, 0);
  const auto bilinear = [&](double row, double column, const auto& value) {
    const auto j = static_cast<std::size_t>(row);
    const auto i = static_cast<std::size_t>(column);
    const double y = row - static_cast<double>(j);
    const double x = column - static_cast<double>(i);
    return (1 - y) * ((1 - x) * value(j, i) + x * value(j, i + 1)) +
           y * ((1 - x) * value(j + 1, i) + x * value(j + 1, i + 1));
  };
  const auto stored = [&](const std::vector<double>& values) {
    return [&values](std::size_t j, std::size_t i) { return values[j * 50 + i]; };
  };
  const auto u_at_centre = [&](std::size_t j, std::size_t i) {
    return (u[j * 50 + i] + u[j * 50 + i + 1]) / 2;
  };
  const auto v_at_centre = [&](std::size_t j, std::size_t i) {
    return (v[j * 50 + i] + v[(j + 1) * 50 + i]) / 2;
  };
  const EnvironmentReader reader(options.out);
  const auto longitude = reader.read_longitude();
  const auto latitude = reader.read_latitude();
  double lat0 = 0;
  double lon0 = 0;
  ASSERT_EQ(std::sscanf(reader.info().projection.c_str(), "+proj=stere +lat_0=%lf +lon_0=%lf",
                        &lat0, &lon0),
            2);
  const LocalPlane plane({lon0, lat0});
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(0), fields);
  double exact_square = 0;
  double sampled_square = 0;
  double centred_square = 0;
  double sampled_error = 0;
  double centred_error = 0;
  for (std::size_t cell = 0; cell < longitude.size(); ++cell) {
    const GeographicPoint place{longitude[cell], latitude[cell]};
    const double column = (place.longitude - 178 + (place.longitude < 0 ? 360 : 0)) / 0.1;
    const double row = (place.latitude - 50) / 0.1;
    if (fields.dry[cell] != 0 || row < 1 || column < 1 || row > 37 || column > 47) continue;
    const PlanePoint north = plane.north_at(place);
    const double east_sampled = fields.u_mean[cell] * north.y - fields.v_mean[cell] * north.x;
    const double north_sampled = fields.u_mean[cell] * north.x + fields.v_mean[cell] * north.y;
    EXPECT_NEAR(east_sampled, bilinear(row, column + 0.5, stored(u)), 2e-4);
    EXPECT_NEAR(north_sampled, bilinear(row + 0.5, column, stored(v)), 2e-4);
    const auto exact = t.flow(place, 0);
    const double east_centred = bilinear(row, column, u_at_centre);
    const double north_centred = bilinear(row, column, v_at_centre);
    exact_square += std::pow(exact.east, 2) + std::pow(exact.north, 2);
    sampled_square += std::pow(east_sampled, 2) + std::pow(north_sampled, 2);
    centred_square += std::pow(east_centred, 2) + std::pow(north_centred, 2);
    sampled_error +=
        std::pow(east_sampled - exact.east, 2) + std::pow(north_sampled - exact.north, 2);
    centred_error +=
        std::pow(east_centred - exact.east, 2) + std::pow(north_centred - exact.north, 2);
  }
  sampled_error = std::sqrt(sampled_error / exact_square);
  centred_error = std::sqrt(centred_error / exact_square);
  RecordProperty("own_error", std::to_string(sampled_error));
  RecordProperty("between_error", std::to_string(centred_error));
  EXPECT_LT(sampled_error, 0.7 * centred_error) << sampled_error << " " << centred_error;
  EXPECT_GT(std::sqrt(sampled_square / exact_square),
            1 - 0.7 * (1 - std::sqrt(centred_square / exact_square)));
}

/// In a flow around an island that has a stream function, no cell gains or loses water.
TEST_F(ImportGrids, KeepTheFlowOfAStaggeredGridAroundAnIsland) {
  const auto is_land = [](std::size_t row, std::size_t column) {
    return row >= 12 && row < 20 && column >= 20 && column < 33;
  };
  const auto stream = [&](std::size_t row, std::size_t column) {  // at south-western corners
    if (row >= 12 && row <= 20 && column >= 20 && column <= 33) return 0.7;
    return std::sin(0.4 * static_cast<double>(row)) + std::cos(0.3 * static_cast<double>(column));
  };
  NetcdfFixture fixture = mitgcm(plain_degrees());
  for (std::size_t n = 0; n < 2 * 40 * 50; ++n) {
    const std::size_t row = n / 50 % 40;
    const std::size_t column = n % 50;
    const bool u_dry = is_land(row, column) || (column > 0 && is_land(row, column - 1));
    const bool v_dry = is_land(row, column) || (row > 0 && is_land(row - 1, column));
    fixture.variable("U").values[n] = u_dry ? fill : stream(row, column) - stream(row + 1, column);
    fixture.variable("V").values[n] = v_dry ? fill : stream(row, column + 1) - stream(row, column);
  }
  fixture.write(options.files[0]);
  SourceRequest request{{options.files[0]}, {{"U"}, {"V"}}, {}, {}, {}};
  request.velocity = StatedDirections{Components::east_north, {}, "", false};
  ForecastSource source(std::move(request));
  const SourceGrid& grid = source.grid();
  ASSERT_TRUE(grid.staggered);
  const std::size_t columns = grid.points->columns;
  const auto fields = source.read(0);
  const auto u = [&](std::size_t j, std::size_t i) { return fields[j * columns + i]; };
  const auto v = [&](std::size_t j, std::size_t i) {
    return fields[grid.size() + j * columns + i];
  };
  std::size_t wet = 0;
  for (std::size_t j = 1; j < grid.points->rows; j += 2) {
    for (std::size_t i = 1; i < columns; i += 2) {
      ASSERT_TRUE(grid.is_centre(j * columns + i));
      ASSERT_EQ(std::isnan(u(j, i)), is_land(grid.row[j / 2], grid.column[i / 2]));
      if (std::isnan(u(j, i))) continue;
      ++wet;
      ASSERT_NEAR(u(j, i + 1) - u(j, i - 1) + v(j + 1, i) - v(j - 1, i), 0, 1e-12);
      ASSERT_NEAR(2 * u(j, i), u(j, i - 1) + u(j, i + 1), 1e-12);
    }
  }
  EXPECT_EQ(wet, grid.step_count() - 8 * 13);
  // No water passes the western wall; between its corners the flow along it is that of its
  // neighbours.
  for (std::size_t row = 13; row < 19; ++row) {
    const std::size_t j = 2 * (row - grid.row.front()) + 1;
    const std::size_t i = 2 * (20 - grid.column.front());
    EXPECT_EQ(u(j, i), 0);
    EXPECT_NEAR(v(j, i), v(j, i - 1), 1e-12);
  }
}

TEST_F(ImportGrids, RefuseUnknownDirections) {
  const PointForecast rotated = test::turned_globe({-162, 39.25}, 0.1);
  curvilinear(rotated, {{"units", "m/s"}}, {{"units", "m/s"}}).write(options.files[0]);
  EXPECT_THAT(refusal(), test::has_code("components_direction_unknown"));
  options.names.components = Components::grid;
  run();
  EXPECT_GT(expect_exact_flow(rotated, 3e-5), 3000u);
  std::filesystem::remove(options.out);
  options.names.components.reset();
  curvilinear(rotated, along_grid_u, {{"standard_name", "northward_sea_water_velocity"}})
      .write(options.files[0]);
  EXPECT_THAT(refusal(), test::has_code("components_point_otherwise"));
}

/// A polar grid that a tool interpolated to longitudes and latitudes without rotating the
/// components.
TEST_F(ImportGrids, RefuseAnotherGridsComponentsOnLongitudeAndLatitude) {
  test::SmallForecast forecast;
  forecast.members = 0;
  NetcdfFixture fixture = forecast.fixture();
  fixture.variable("uo").texts = {{"standard_name", "x_sea_water_velocity"}, {"units", "m s-1"}};
  fixture.variable("vo").texts = {{"standard_name", "y_sea_water_velocity"}, {"units", "m s-1"}};
  fixture.write(options.files[0]);
  EXPECT_THAT(refusal(), test::has_code("components_along_grid", "variable uo"));
  options.names.components = Components::east_north;
  run();
  std::filesystem::remove(options.out);
  options.names.components.reset();
  // Two-dimensional longitudes and latitudes, as xESMF writes them.
  PointForecast plain;
  plain.place = [](double row, double column) {
    return GeographicPoint{-10 + 0.1 * column, 40 + 0.1 * row};
  };
  plain.column_direction = [](GeographicPoint at) { return Compass(at).east; };
  curvilinear(plain).write(options.files[0]);
  EXPECT_THAT(refusal(), test::has_code("components_along_grid"));
  // Without metadata, both directions are the same on this grid.
  curvilinear(plain, {{"units", "m/s"}}, {{"units", "m/s"}}).write(options.files[0]);
  EXPECT_THAT(run().lines, Contains(HasSubstr("the grid's axes point east and north")));
  EXPECT_GT(expect_exact_flow(plain, 3e-5), 3000u);
}

TEST_F(ImportGrids, AskForAChoiceAmongSeveralCoordinates) {
  const PointForecast forecast = test::turned_globe({-162, 39.25}, 0.1);
  NetcdfFixture fixture = curvilinear(forecast);
  fixture.variable("lon").name = "TLONG";
  fixture.variable("lat").name = "TLAT";
  fixture.variables.push_back(fixture.variable("TLONG"));
  fixture.variables.back().name = "ULONG";
  for (double& longitude : fixture.variables.back().values) longitude += 20;
  fixture.write(options.files[0]);
  EXPECT_THAT(refusal(), test::has_code("coordinates_ambiguous", "longitude"));
  options.names.longitude = "TLONG";
  options.names.latitude = "TLAT";
  run();
  EXPECT_GT(expect_exact_flow(forecast, 3e-5), 3000u);
  // The attribute "coordinates" of the fields decides.
  options.names = {};
  fixture.variable("u").texts.emplace_back("coordinates", "TLONG TLAT");
  fixture.variable("v").texts.emplace_back("coordinates", "TLONG TLAT");
  fixture.write(options.files[0]);
  run();
  EXPECT_GT(expect_exact_flow(forecast, 3e-5), 3000u);
}

TEST_F(ImportGrids, RefuseLongitudesOfTwoDimensionsInDegreesWest) {
  NetcdfFixture fixture = curvilinear(test::turned_globe({-162, 39.25}, 0.1));
  for (auto& [name, text] : fixture.variable("lon").texts) {
    if (name == "units") text = "degrees_west";
  }
  fixture.write(options.files[0]);
  EXPECT_THAT(refusal(), test::has_code("coordinate_sign_reversed", "variable lon"));
}

TEST_F(ImportGrids, InterpolateAScalarFromItsOwnPoints) {
  // On the points between u and v, as temperatures are.
  const PointForecast forecast = test::turned_globe({-162, 39.25}, 0.1);
  nemo_file(forecast, true).write(folder / "u.nc");
  nemo_file(forecast, false).write(folder / "v.nc");
  PointForecast wider = forecast;
  wider.rows += 4;
  wider.columns += 4;
  wider.place = [&](double row, double column) { return forecast.place(row - 2, column - 2); };
  NetcdfFixture temperature = curvilinear(wider);
  temperature.variable("time").values = {0, 48};
  temperature.variable("u").name = "temperature";
  temperature.variable("temperature").texts = {{"units", "degC"}};
  auto& values = temperature.variable("temperature").values;
  const auto latitudes = wider.latitudes();
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = latitudes[n % latitudes.size()];
  temperature.write(folder / "t.nc");
  options.files = {folder / "u.nc", folder / "v.nc"};
  options.names.u = "vozocrtx";
  options.names.v = "vomecrty";
  options.scalar = (folder / "t.nc").string() + ":temperature";
  run();
  const EnvironmentReader reader(options.out);
  const auto latitude = reader.read_latitude();
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(1), fields);
  std::size_t wet = 0;
  for (std::size_t cell = 0; cell < latitude.size(); ++cell) {
    if (fields.dry[cell] != 0) continue;
    ASSERT_NEAR(fields.scalar[cell], latitude[cell], 1e-3);
    ++wet;
  }
  EXPECT_GT(wet, 1500u);
}

TEST_F(ImportGrids, RefuseUnstructuredGridsByTheirName) {
  NetcdfFixture fixture;
  fixture.dimensions = {{"time", 2}, {"node", 5}};
  const std::vector<double> values(10, 0.1);
  fixture.variables = {
      {"time", NC_DOUBLE, {"time"}, {0, 6}, {{"units", "hours since 2024-10-28"}}, {}},
      {"lon", NC_DOUBLE, {"node"}, {0, 1, 2, 3, 4}, {{"units", "degrees_east"}}, {}},
      {"lat", NC_DOUBLE, {"node"}, {0, 1, 2, 3, 4}, {{"units", "degrees_north"}}, {}},
      {"u", NC_DOUBLE, {"time", "node"}, values, {{"mesh", "fvcom_mesh"}}, {}},
      {"v", NC_DOUBLE, {"time", "node"}, values, {{"mesh", "fvcom_mesh"}}, {}}};
  fixture.write(options.files[0]);
  EXPECT_THAT(refusal(), test::has_code("unstructured_grid", "node, mesh fvcom_mesh"));
}

/// A grid around the globe, from the equator to 80 N. Its first 20 points have no position, which
/// 0 E 0 N represents.
TEST(QuadSearch, HandlesSeamsAndMissingPositions) {
  PointGrid grid;
  grid.rows = 41;
  grid.columns = 180;
  for (std::size_t n = 0; n < grid.size(); ++n) {
    grid.longitude.push_back(static_cast<double>(n % 180) * 2 + 31);
    grid.latitude.push_back(static_cast<double>(n / 180) * 2 + 0.5);
    if (grid.longitude.back() > 360) grid.longitude.back() -= 360;
  }
  for (std::size_t n = 0; n < 20; ++n) grid.longitude[n] = grid.latitude[n] = 0;
  drop_placeless(grid);
  EXPECT_FALSE(grid.has_place(19));
  EXPECT_TRUE(is_cyclic(grid));
  // Across the file's seam (29 … 31 E), across Greenwich and across 180°.
  for (const double middle : {30.0, 0.0, 180.0}) {
    const std::vector<double> longitude{middle - 0.4, middle + 0.3, middle + 360};
    const std::vector<double> latitude{45.1, 46.9, 46};
    const auto stencils = search_quads(grid, longitude, latitude);
    for (std::size_t cell = 0; cell < 3; ++cell) {
      ASSERT_NE(stencils[cell].point[0], Stencil::none) << middle;
      for (const auto point : stencils[cell].point) {
        const Vector3 difference =
            Compass(grid.place(point)).up - Compass({longitude[cell], latitude[cell]}).up;
        EXPECT_LT(length(difference), 3 * radians_per_degree);
      }
    }
  }
  const auto outside = search_quads(grid, {45, 45, 45}, {0.7, -1, 80.6});
  for (const auto& stencil : outside) EXPECT_EQ(stencil.point[0], Stencil::none);
}

/// The north of a tripolar grid: confocal ellipses around the grid's two poles, with the last row
/// folded on the line between them. Positions are on a stereographic map of the north.
TEST(QuadSearch, SearchesAcrossTheFoldOfATripolarGrid) {
  PointGrid grid;
  grid.rows = 20;
  grid.columns = 120;
  const double pole_distance = 0.1;  // from the middle to the grid's poles [Earth radii on the map]
  const auto map_x = [](GeographicPoint at) {
    return 2 * std::tan((90 - at.latitude) * radians_per_degree / 2) *
           std::cos(at.longitude * radians_per_degree);
  };
  for (std::size_t n = 0; n < grid.size(); ++n) {
    const double mu = (19.5 - static_cast<double>(n / 120)) * 0.05;
    const double nu = (static_cast<double>(n % 120) + 0.5) * 3 * radians_per_degree;
    const double x = pole_distance * std::cosh(mu) * std::cos(nu);
    const double y = pole_distance * std::sinh(mu) * std::sin(nu);
    grid.longitude.push_back(std::atan2(y, x) / radians_per_degree);
    grid.latitude.push_back(90 - 2 * std::atan(std::hypot(x, y) / 2) / radians_per_degree);
  }
  EXPECT_TRUE(is_cyclic(grid));
  EXPECT_TRUE(is_folded(grid));
  std::vector<double> longitude;
  std::vector<double> latitude;
  for (double x = -0.09; x < 0.09; x += 0.004) {
    for (double y = -0.02; y < 0.021; y += 0.001) {
      longitude.push_back(std::atan2(y, x) / radians_per_degree);
      latitude.push_back(90 - 2 * std::atan(std::hypot(x, y) / 2) / radians_per_degree);
    }
  }
  const auto stencils = search_quads(grid, longitude, latitude);
  for (std::size_t cell = 0; cell < stencils.size(); ++cell) {
    const Stencil& stencil = stencils[cell];
    ASSERT_NE(stencil.point[0], Stencil::none) << longitude[cell] << " " << latitude[cell];
    const auto value = [&](std::size_t corner) { return map_x(grid.place(stencil.point[corner])); };
    const double interpolated =
        (1 - stencil.along) * ((1 - stencil.across) * value(0) + stencil.across * value(1)) +
        stencil.along * ((1 - stencil.across) * value(2) + stencil.across * value(3));
    EXPECT_NEAR(interpolated, map_x({longitude[cell], latitude[cell]}), 1e-6);
  }
  grid.rows = 19;  // without the folded row
  EXPECT_FALSE(is_folded(grid));
}

}  // namespace
}  // namespace tidewise::ingest
