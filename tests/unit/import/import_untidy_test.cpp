// Files with missing or contradictory metadata: zeros on land, axes of indices, levels and
// units.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "base/error.h"
#include "env/file/reader.h"
#include "env/import/import_forecast.h"
#include "env/import/source/forecast_source.h"
#include "support/error_code.h"
#include "support/ocean/environment_fields.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/ocean/point_forecast.h"
#include "support/shared_data.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::NetcdfFixture;
using test::PointForecast;
using test::SmallForecast;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Variable = NetcdfFixture::Variable;
using Component = PointForecast::Component;

class UntidyImport : public ::testing::Test {
 protected:
  UntidyImport() {
    options.files = {folder / "forecast.nc"};
    options.out = folder / "env.h5";
    options.spacing = 20000;
    forecast.members = 0;
  }

  ImportReport run() {
    SilentProgress progress;
    return import_forecast(options, progress);
  }
  ImportReport run(const NetcdfFixture& fixture) {
    fixture.write(options.files[0]);
    return run();
  }
  /// Returns the error for a file, or "accepted" if there is none.
  std::string refusal(const NetcdfFixture& fixture) {
    try {
      run(fixture);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  /// Sets both components to `value` at rows 1 and 2 of column 2 of a fixture with 4 × 5 points,
  /// where `when(time, member)` is true.
  static void set_island(NetcdfFixture& fixture, double value,
                         const std::function<bool(std::size_t time, std::size_t member)>& when,
                         std::size_t members = 1) {
    for (const char* name : {"uo", "vo"}) {
      auto& values = fixture.variable(name).values;
      for (std::size_t n = 0; n < values.size(); ++n) {
        const std::size_t row = n / 5 % 4;
        const std::size_t time = n / 20 / members;
        if (n % 5 == 2 && (row == 1 || row == 2) && when(time, n / 20 % members)) values[n] = value;
      }
    }
  }
  static bool always(std::size_t, std::size_t) { return true; }
  static void declare_fill(NetcdfFixture& fixture) {
    for (const char* name : {"uo", "vo"}) {
      fixture.variable(name).numbers = {{"_FillValue", NC_FLOAT, {1e20}}};
    }
  }

  /// Returns the variables in which the environments of two files differ.
  std::vector<std::string> differences(const NetcdfFixture& a, const NetcdfFixture& b) {
    run(a);
    const auto first = folder / "first.h5";
    std::filesystem::rename(options.out, first);
    run(b);
    return test::differing_variables(first, options.out);
  }
  std::size_t count_dry() {
    const EnvironmentReader reader(options.out);
    LevelFields<> fields(reader.info());
    reader.read_level(TimeLevel(0), fields);
    return static_cast<std::size_t>(std::count(fields.dry.begin(), fields.dry.end(), 1));
  }

  const test::TemporaryFolder folder;
  SmallForecast forecast;
  ImportOptions options;
};

TEST_F(UntidyImport, TreatsZeroAsLandLikeMissingValues) {
  NetcdfFixture filled = forecast.fixture();
  declare_fill(filled);
  set_island(filled, 1e20, always);
  NetcdfFixture zero = forecast.fixture();
  set_island(zero, 0, always);
  EXPECT_THAT(differences(filled, zero), ElementsAre());
  EXPECT_GT(count_dry(), 50u);
  EXPECT_THAT(run().lines,
              Contains("zeros: the velocity at 2 of 20 points, at every time: treated as land; "
                       "--zeros water treats them as water at rest"));

  NetcdfFixture negative = forecast.fixture();
  set_island(negative, -0.0, always);
  EXPECT_THAT(differences(filled, negative), ElementsAre());
  // Missing at some times and 0 at others, in either order.
  for (const bool zero_first : {true, false}) {
    NetcdfFixture mixed = filled;
    set_island(mixed, 0, [&](std::size_t time, std::size_t) { return (time < 2) == zero_first; });
    EXPECT_THAT(differences(filled, mixed), ElementsAre()) << zero_first;
  }
}

TEST_F(UntidyImport, TreatsZeroAsWaterIfItMovesOrOnRequest) {
  NetcdfFixture moving_once = forecast.fixture();  // at rest at all times but one
  set_island(moving_once, 0, [](std::size_t time, std::size_t) { return time != 3; });
  EXPECT_THAT(run(moving_once).lines, Not(Contains(HasSubstr("zeros:"))));
  const std::size_t outside = count_dry();
  NetcdfFixture one_component = forecast.fixture();  // only one component
  set_island(one_component, 0, always);
  for (double& value : one_component.variable("vo").values) value += 1;
  run(one_component);
  EXPECT_EQ(count_dry(), outside);
  NetcdfFixture at_rest = forecast.fixture();
  set_island(at_rest, 0, always);
  options.zeros = Zeros::water;
  const ImportReport report = run(at_rest);
  EXPECT_EQ(count_dry(), outside);
  EXPECT_THAT(report.lines, Not(Contains(HasSubstr("zeros:"))));
  EXPECT_THAT(report.info.history, HasSubstr("--zeros water"));
}

TEST_F(UntidyImport, RefusesAFieldThatIsAllLand) {
  NetcdfFixture all_zero = forecast.fixture();
  for (const char* name : {"uo", "vo"}) {
    std::fill(all_zero.variable(name).values.begin(), all_zero.variable(name).values.end(), 0);
  }
  EXPECT_THAT(refusal(all_zero), test::has_code("velocity_zero_everywhere"));
  options.zeros = Zeros::water;
  EXPECT_EQ(refusal(all_zero), "accepted");
}

TEST_F(UntidyImport, TreatsThePackedNumberNextToZeroAsLand) {
  constexpr double scale = 0.00031;
  constexpr double offset = 0.2137;  // no multiple of the scale: packed land is 0.00011 m/s
  const auto packed = [&](double island) {
    NetcdfFixture fixture = forecast.fixture();
    set_island(fixture, 0, always);
    for (const char* name : {"uo", "vo"}) {
      auto& variable = fixture.variable(name);
      variable.type = NC_SHORT;
      variable.numbers = {{"scale_factor", NC_DOUBLE, {scale}},
                          {"add_offset", NC_DOUBLE, {offset}},
                          {"_FillValue", NC_SHORT, {-32767}}};
      for (double& value : variable.values) value = std::round((value - offset) / scale);
    }
    if (island != 0) set_island(fixture, island, always);
    return fixture;
  };
  ASSERT_GT(std::abs(std::round(-offset / scale) * scale + offset), 1e-5);
  EXPECT_THAT(differences(packed(-32767), packed(0)), ElementsAre());
  // The next packed number is slow water.
  run(packed(std::round(-offset / scale) + 1));
  EXPECT_THAT(run().lines, Not(Contains(HasSubstr("zeros:"))));
}

TEST_F(UntidyImport, TreatsZeroAsLandInOneMemberAndInOneFile) {
  forecast.members = 3;
  NetcdfFixture filled = forecast.fixture();
  declare_fill(filled);
  set_island(
      filled, 1e20, [](std::size_t, std::size_t member) { return member == 1; }, 3);
  NetcdfFixture zero = forecast.fixture();
  set_island(
      zero, 0, [](std::size_t, std::size_t member) { return member == 1; }, 3);
  EXPECT_THAT(differences(filled, zero), ElementsAre());

  // Land is declared in the first file, and 0 in the second.
  forecast.members = 0;
  SmallForecast later = forecast;
  for (double& hour : later.hour) hour += 24;
  filled = forecast.fixture();
  declare_fill(filled);
  set_island(filled, 1e20, always);
  NetcdfFixture second = later.fixture();
  set_island(second, 0, always);
  second.write(folder / "later.nc");
  options.files.push_back(folder / "later.nc");
  const auto lines = run(filled).lines;
  EXPECT_THAT(lines, Contains(HasSubstr("the mask is fixed")));
  EXPECT_THAT(lines, Contains(HasSubstr("zeros: the velocity at 2 of 20 points")));
}

/// The Norwegian Sea on NEMO's C grid, in two files in which land is 0.
TEST_F(UntidyImport, ReadsTheLandOfNemo) {
  TIDEWISE_REQUIRE_SHARED_DATA(u_file, "depth/nemo_norwegian_sea_2000_U.nc");
  const auto v_file = u_file.parent_path() / "nemo_norwegian_sea_2000_V.nc";
  options.files.clear();
  options.names.u = u_file.string() + ":uo";
  options.names.v = v_file.string() + ":vo";
  const NetcdfFile u(u_file);
  const NetcdfFile v(v_file);
  const std::vector<std::size_t> surface{6, 1, 61, 74};
  const auto u_values = u.read("uo", {0, 0, 0, 0}, surface);
  const auto v_values = v.read("vo", {0, 0, 0, 0}, surface);
  const auto count_still = [](const std::vector<double>& values) {
    std::size_t count = 0;
    for (std::size_t n = 0; n < std::size_t{61} * 74; ++n) {
      bool still = true;
      for (std::size_t time = 0; time < 6; ++time) still = still && values[time * 61 * 74 + n] == 0;
      count += still ? 1 : 0;
    }
    return std::to_string(count);
  };
  EXPECT_THAT(run().lines, Contains(HasSubstr("zeros: uo at " + count_still(u_values) +
                                              " of 4514 points, vo at " + count_still(v_values) +
                                              " of 4514 points, at every time")));
  const std::size_t dry = count_dry();
  options.zeros = Zeros::water;
  run();
  EXPECT_GT(dry, count_dry() + 100);
}

/// Renames the axes of `fixture` and replaces their attributes.
void rename_axes(NetcdfFixture& fixture, const std::string& x, const std::string& y,
                 const std::vector<std::pair<std::string, std::string>>& x_texts,
                 const std::vector<std::pair<std::string, std::string>>& y_texts) {
  const auto renamed = [&](const std::string& name) {
    return name == "lon" ? x : name == "lat" ? y : name;
  };
  for (auto& dimension : fixture.dimensions) dimension.first = renamed(dimension.first);
  for (Variable& variable : fixture.variables) {
    for (auto& dimension : variable.dimensions) dimension = renamed(dimension);
    if (variable.name == "lon") variable.texts = x_texts;
    if (variable.name == "lat") variable.texts = y_texts;
    variable.name = renamed(variable.name);
  }
}

TEST_F(UntidyImport, RefusesColumnNumbersAsDegrees) {
  NetcdfFixture croco = forecast.fixture();
  rename_axes(croco, "x_rho", "y_rho", {{"standard_name", "x_grid_index"}, {"axis", "X"}},
              {{"standard_name", "y_grid_index"}, {"axis", "Y"}});
  EXPECT_THAT(refusal(croco), test::has_code("coordinate_is_index", "variable x_rho"));
  options.names.longitude = "x_rho";  // naming indices does not make them degrees
  options.names.latitude = "y_rho";
  EXPECT_THAT(refusal(croco),
              testing::AllOf(test::has_code("coordinate_is_index", "variable x_rho"),
                             testing::HasSubstr("columns")));

  options.names = {};
  NetcdfFixture bare = forecast.fixture();
  rename_axes(bare, "x", "y", {{"axis", "X"}}, {{"axis", "Y"}});
  EXPECT_THAT(refusal(bare), test::has_code("coordinate_without_units", "--lon"));
  options.names.longitude = "x";
  EXPECT_THAT(refusal(bare), test::has_code("coordinate_without_units", "--lat"));
  options.names.latitude = "y";
  EXPECT_EQ(refusal(bare), "accepted");
  NetcdfFixture lengths = forecast.fixture();  // nor lengths
  rename_axes(lengths, "x", "y", {{"units", "km"}}, {{"units", "km"}});
  EXPECT_THAT(refusal(lengths), test::has_code("projection_unknown"));

  options.names = {};
  NetcdfFixture described = forecast.fixture();
  rename_axes(described, "x", "y", {{"long_name", "Longitude of the cell"}},
              {{"standard_name", "latitude"}});
  EXPECT_EQ(refusal(described), "accepted");
}

TEST_F(UntidyImport, NamesTheFormatOfAFileThatIsNotNetcdf) {
  const auto refusal_of = [&](const std::string& content) -> std::string {
    std::ofstream(options.files[0], std::ios::binary) << content;
    try {
      run();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string name = options.files[0].string();
  EXPECT_THAT(refusal_of(std::string("\x1f\x8b\x08\0rest", 8)),
              test::has_code("not_netcdf", "gzip"));
  EXPECT_THAT(refusal_of("PK\x03\x04rest"), test::has_code("not_netcdf", "is a ZIP archive"));
  EXPECT_THAT(refusal_of(std::string("GRIB\0\0\0\2", 8)),
              test::has_code("not_netcdf", "cdo -f nc copy " + name));
  EXPECT_THAT(refusal_of("<!DOCTYPE html>\n<title>401 Unauthorized</title>\n"),
              test::has_code("not_netcdf", "is text, not NetCDF (it begins \"<!DOCTYPE html>\")"));
  EXPECT_THAT(refusal_of(""), test::has_code("not_netcdf", "is empty"));
  EXPECT_THAT(refusal_of(std::string("\x01\x02\0\0", 4)),
              test::has_code("not_netcdf", "cannot be read as NetCDF"));
}

TEST_F(UntidyImport, RefusesDegreesThatGrowToTheWestOrSouth) {
  NetcdfFixture west = forecast.fixture();
  for (const char* units : {"degrees_west", "degree_W", "degrees west", "degW"}) {
    west.variable("lon").texts = {{"standard_name", "longitude"}, {"units", units}};
    EXPECT_THAT(refusal(west), test::has_code("coordinate_sign_reversed", units));
  }
  options.names.longitude = "lon";  // naming the variable does not change its direction
  EXPECT_THAT(refusal(west), test::has_code("coordinate_sign_reversed"));
  options.names = {};
  NetcdfFixture south = forecast.fixture();
  south.variable("lat").texts = {{"units", "degrees_S"}};
  EXPECT_THAT(refusal(south), test::has_code("coordinate_sign_reversed", "variable lat"));
  NetcdfFixture plain = forecast.fixture();
  plain.variable("lon").texts = {{"standard_name", "longitude"}, {"units", "degrees"}};
  EXPECT_EQ(refusal(plain), "accepted");
}

TEST_F(UntidyImport, AsksForConfirmationOfCountedLongitudes) {
  forecast.longitude = {0, 1, 2, 3, 4};
  forecast.latitude = {0, 1, 2, 3};
  NetcdfFixture counted = forecast.fixture();
  rename_axes(counted, "lon", "lat", {}, {});
  EXPECT_THAT(refusal(counted), test::has_code("coordinates_may_be_indices", "lon"));
  options.names.longitude = "lon";
  options.names.latitude = "lat";
  EXPECT_EQ(refusal(counted), "accepted");
  // With other latitudes, the same longitudes are accepted.
  options.names = {};
  forecast.latitude = {-2, -1, 0, 1};
  NetcdfFixture global = forecast.fixture();
  rename_axes(global, "lon", "lat", {}, {});
  EXPECT_EQ(refusal(global), "accepted");
}

TEST_F(UntidyImport, AsksForAChoiceOfTwoLongitudes) {
  NetcdfFixture fixture = forecast.fixture();
  const auto add_axis = [&](double shift, std::vector<std::pair<std::string, std::string>> texts) {
    Variable other = fixture.variable("lon");
    other.name = "x";
    other.texts = std::move(texts);
    for (double& value : other.values) value += shift;
    fixture.variables.insert(fixture.variables.begin(), other);
  };
  add_axis(0.22, {{"axis", "X"}, {"units", "degrees"}});
  EXPECT_THAT(refusal(fixture), test::has_code("coordinates_disagree"));
  for (const auto& [name, west] : {std::pair{"lon", -10.0}, std::pair{"x", -9.78}}) {
    options.names.longitude = name;
    fixture.write(options.files[0]);
    SourceRequest request{options.files, {{"uo"}, {"vo"}}, options.names, {}, {}};
    EXPECT_NEAR(ForecastSource(request).grid().longitude[0], west, 1e-9);
  }
  options.names = {};
  fixture = forecast.fixture();
  add_axis(360, {{"axis", "X"}, {"units", "degrees"}});
  EXPECT_EQ(refusal(fixture), "accepted");
  fixture = forecast.fixture();  // an axis without units of degrees is ignored
  add_axis(0.22, {{"axis", "X"}});
  fixture.write(options.files[0]);
  SourceRequest request{options.files, {{"uo"}, {"vo"}}, {}, {}, {}};
  EXPECT_NEAR(ForecastSource(request).grid().longitude[0], -10, 1e-9);
}

TEST_F(UntidyImport, AsksForAMapOrItsLongitudesIfTheyDisagree) {
  // A rotated grid whose longitudes and latitudes differ from those of its mapping.
  const PointForecast grid = test::turned_globe({0, 0}, 0.1);
  NetcdfFixture fixture;
  fixture.dimensions = {{"time", 2}, {"y", grid.rows}, {"x", grid.columns}};
  std::vector<double> x, y;
  for (std::size_t i = 0; i < grid.columns; ++i) {
    x.push_back((static_cast<double>(i) - 24.5) * 0.1);
  }
  for (std::size_t j = 0; j < grid.rows; ++j) y.push_back((static_cast<double>(j) - 19.5) * 0.1);
  const auto write = [&](double north_shift) {
    auto latitudes = grid.latitudes();
    for (double& latitude : latitudes) latitude += north_shift;
    fixture.variables = {
        {"time", NC_DOUBLE, {"time"}, {0, 6}, {{"units", "hours since 2024-10-28"}}, {}},
        {"x", NC_DOUBLE, {"x"}, x, {{"standard_name", "grid_longitude"}, {"units", "degrees"}}, {}},
        {"y", NC_DOUBLE, {"y"}, y, {{"standard_name", "grid_latitude"}, {"units", "degrees"}}, {}},
        {"lon", NC_DOUBLE, {"y", "x"}, grid.longitudes(), {{"units", "degrees_east"}}, {}},
        {"lat", NC_DOUBLE, {"y", "x"}, latitudes, {{"units", "degrees_north"}}, {}},
        {"turned",
         NC_INT,
         {},
         {0},
         {{"grid_mapping_name", "rotated_latitude_longitude"}},
         {{"grid_north_pole_longitude", NC_DOUBLE, {0}},
          {"grid_north_pole_latitude", NC_DOUBLE, {0}}}}};
    for (const char* name : {"uo", "vo"}) {
      fixture.variables.push_back(
          {name,
           NC_FLOAT,
           {"time", "y", "x"},
           grid.values(name[0] == 'u' ? Component::along_columns : Component::along_rows),
           {{"grid_mapping", "turned"},
            {"standard_name", name[0] == 'u' ? "sea_water_x_velocity" : "sea_water_y_velocity"}},
           {}});
    }
  };
  write(0);
  EXPECT_EQ(refusal(fixture), "accepted");
  write(0.15);  // 17 km
  EXPECT_THAT(refusal(fixture), test::has_code("coordinates_off_projection"));
  options.names.longitude = "lon";
  options.names.latitude = "lat";
  EXPECT_THAT(run(fixture).lines, Contains(HasSubstr("curvilinear, 50 × 40")));
  options.names.longitude = "x";
  options.names.latitude = "y";
  EXPECT_THAT(run(fixture).lines, Contains(HasSubstr("on a projection, 50 × 40")));
}

/// A part of a ROMS file: its points of u and v relative to those of rho.
struct RomsCut {
  std::size_t u_columns = 49;
  std::size_t v_rows = 39;
  double shift = 0.5;          ///< shift of u and v from the rho point of equal index, in steps
  double position_factor = 0;  ///< factor of lon_u, lat_u, lon_v and lat_v
  bool has_positions = true;   ///< false: without lon_u, lat_u, lon_v and lat_v
  bool has_masks = false;      ///< with mask_rho, mask_u and mask_v
  std::size_t u_rows = 40;
};

NetcdfFixture roms_part(const PointForecast& rho, const RomsCut& cut) {
  PointForecast u = rho;
  PointForecast v = rho;
  u.columns = cut.u_columns;
  u.rows = cut.u_rows;
  v.rows = cut.v_rows;
  const double shift = cut.shift;
  const auto positions = [&](std::vector<double> values) {
    for (double& value : values) value *= cut.position_factor;
    return values;
  };
  NetcdfFixture fixture;
  fixture.dimensions = {{"time", 2},        {"eta_rho", rho.rows}, {"xi_rho", rho.columns},
                        {"eta_u", u.rows},  {"xi_u", u.columns},   {"eta_v", v.rows},
                        {"xi_v", v.columns}};
  fixture.variables = {
      {"time", NC_DOUBLE, {"time"}, {0, 6}, {{"units", "hours since 2024-10-28"}}, {}},
      {"lon_rho", NC_DOUBLE, {"eta_rho", "xi_rho"}, rho.longitudes(), {}, {}},
      {"lat_rho", NC_DOUBLE, {"eta_rho", "xi_rho"}, rho.latitudes(), {}, {}},
      {"u",
       NC_DOUBLE,
       {"time", "eta_u", "xi_u"},
       u.values(Component::along_columns, 0, shift),
       {{"long_name", "u-momentum component"}, {"coordinates", "lon_u lat_u time"}},
       {}},
      {"v",
       NC_DOUBLE,
       {"time", "eta_v", "xi_v"},
       v.values(Component::along_rows, shift, 0),
       {{"long_name", "v-momentum component"}, {"coordinates", "lon_v lat_v time"}},
       {}}};
  if (cut.has_positions) {
    fixture.variables.insert(
        fixture.variables.end(),
        {{"lon_u", NC_DOUBLE, {"eta_u", "xi_u"}, positions(u.longitudes(0, shift)), {}, {}},
         {"lat_u", NC_DOUBLE, {"eta_u", "xi_u"}, positions(u.latitudes(0, shift)), {}, {}},
         {"lon_v", NC_DOUBLE, {"eta_v", "xi_v"}, positions(v.longitudes(shift, 0)), {}, {}},
         {"lat_v", NC_DOUBLE, {"eta_v", "xi_v"}, positions(v.latitudes(shift, 0)), {}, {}}});
  }
  if (cut.has_masks) {
    const auto mask = [&](std::size_t rows, std::size_t columns, int row_before, int row_after,
                          int column_before, int column_after) {
      std::vector<double> values;
      for (std::size_t n = 0; n < rows * columns; ++n) {
        bool wet = true;
        for (int j = row_before; j <= row_after; ++j) {
          for (int i = column_before; i <= column_after; ++i) {
            const int row = static_cast<int>(n / columns) + j;
            const int column = static_cast<int>(n % columns) + i;
            wet = wet && !(row > 10 && row < 15 && column > 20 && column < 30);
          }
        }
        values.push_back(wet ? 1 : 0);
      }
      return values;
    };
    const int before = shift < 0 ? -1 : 0;
    fixture.variables.insert(fixture.variables.end(),
                             {{"mask_rho",
                               NC_DOUBLE,
                               {"eta_rho", "xi_rho"},
                               mask(rho.rows, rho.columns, 0, 0, 0, 0),
                               {},
                               {}},
                              {"mask_u",
                               NC_DOUBLE,
                               {"eta_u", "xi_u"},
                               mask(u.rows, u.columns, 0, 0, before, before + 1),
                               {},
                               {}},
                              {"mask_v",
                               NC_DOUBLE,
                               {"eta_v", "xi_v"},
                               mask(v.rows, v.columns, before, before + 1, 0, 0),
                               {},
                               {}}});
  }
  return fixture;
}

/// ROMS files whose positions of u and v are all 0, missing or absent, so that those of rho are
/// used: whole files, and parts that ncks cut by ranges of indices.
TEST_F(UntidyImport, UsesNeighboursPositionsIfItsOwnAreZero) {
  const PointForecast rho = test::turned_globe({-162, 39.25}, 0.1);
  const auto expect_same_flow = [&](RomsCut cut, const std::string& line) {
    SCOPED_TRACE(fmt::format("{} × {}, shift {}, {}", cut.u_columns, cut.v_rows, cut.shift, line));
    const auto given_names = options.names;
    RomsCut complete = cut;
    complete.position_factor = 1;
    complete.has_positions = true;
    options.names.longitude = options.names.latitude = "";
    options.out = folder / "right.h5";
    run(roms_part(rho, complete));
    options.names = given_names;
    const EnvironmentReader expected_reader(options.out);
    LevelFields<> expected(expected_reader.info());
    expected_reader.read_level(TimeLevel(0), expected);
    options.out = folder / "requested.h5";
    EXPECT_THAT(run(roms_part(rho, cut)).lines, Contains(HasSubstr(line)));
    const EnvironmentReader reader(options.out);
    ASSERT_EQ(reader.info().grid.cell_count(), expected_reader.info().grid.cell_count());
    LevelFields<> fields(reader.info());
    reader.read_level(TimeLevel(0), fields);
    for (std::size_t cell = 0; cell < fields.u_mean.size(); ++cell) {
      ASSERT_EQ(fields.dry[cell], expected.dry[cell]);
      ASSERT_NEAR(fields.u_mean[cell], expected.u_mean[cell], 2e-5);
      ASSERT_NEAR(fields.v_mean[cell], expected.v_mean[cell], 2e-5);
    }
  };
  const std::string midway_line =
      "positions: lon_u and lat_u are equal at all points, or missing; computed midway between "
      "those "
      "of lon_rho and lat_rho";
  const std::string shifted_line = "placed half a step after those of equal index";
  expect_same_flow({}, midway_line);
  expect_same_flow({.position_factor = std::nan("")}, midway_line);
  expect_same_flow({.position_factor = 1e37}, midway_line);  // a fill value that is not declared
  // One range of indices for rho, u and v.
  expect_same_flow({.u_columns = 50, .v_rows = 40}, midway_line);
  expect_same_flow({.u_columns = 50, .v_rows = 40}, shifted_line);
  expect_same_flow({.u_columns = 50, .v_rows = 39}, midway_line);
  expect_same_flow({.u_columns = 50, .v_rows = 40, .has_masks = true}, midway_line);
  // u and v begin one index earlier, which masks or one more point show.
  expect_same_flow({.u_columns = 50, .v_rows = 40, .shift = -0.5, .has_masks = true}, midway_line);
  expect_same_flow({.u_columns = 51, .v_rows = 41, .shift = -0.5}, midway_line);
  // u and v have no positions; those of rho are found, or named.
  expect_same_flow({.u_columns = 50, .v_rows = 40, .has_positions = false}, shifted_line);
  options.names.longitude = "lon_rho";
  options.names.latitude = "lat_rho";
  expect_same_flow({.u_columns = 50, .v_rows = 40}, shifted_line);
}

TEST_F(UntidyImport, RefusesPointsWithoutPositionsOrNeighbours) {
  const PointForecast rho = test::turned_globe({-162, 39.25}, 0.1);
  NetcdfFixture nowhere = roms_part(rho, {});
  for (const char* name : {"lon_rho", "lat_rho"}) {
    for (double& value : nowhere.variable(name).values) value = 0;
  }
  EXPECT_THAT(refusal(nowhere), test::has_code("coordinates_without_places", "variable lon_u"));
  // Rows of u from another range of indices than those of rho.
  for (const std::size_t rows : {38u, 39u, 41u}) {
    EXPECT_THAT(refusal(roms_part(rho, {.u_columns = 50, .v_rows = 40, .u_rows = rows})),
                test::has_code("coordinates_without_places", "one range of indices"));
  }
}

TEST_F(UntidyImport, ReadsUnitsOfAnySpellingOfTheAttribute) {
  NetcdfFixture fixture = forecast.fixture();
  for (const char* name : {"uo", "vo"}) {
    fixture.variable(name).texts = {{"Unit", "0.5 m/s"}};  // a power of two keeps the bits
    for (double& value : fixture.variable(name).values) value *= 2;
  }
  EXPECT_THAT(differences(forecast.fixture(), fixture), ElementsAre());
  fixture = forecast.fixture();
  fixture.variable("uo").texts.emplace_back("Unit", "cm/s");
  EXPECT_THAT(refusal(fixture), test::has_code("units_stated_twice", "variable uo"));
  fixture.variable("uo").texts.back().second = "metres per second";
  EXPECT_EQ(refusal(fixture), "accepted");
}

TEST_F(UntidyImport, RefusesADeepLevelForTheSurface) {
  forecast.depth = {500, 1000};
  EXPECT_THAT(refusal(forecast.fixture()),
              test::has_code("surface_level_missing", "variable depth"));
  options.depth = 500;
  EXPECT_THAT(run().lines, Contains(HasSubstr("level 1 of 2, depth = 500 m")));
  options.depth = {};
  forecast.depth = {-1000, -15};  // drifters' currents
  EXPECT_EQ(refusal(forecast.fixture()), "accepted");
  forecast.depth = {100};  // a wind at its height
  NetcdfFixture wind = forecast.fixture();
  wind.variable("depth").texts = {{"units", "m"}, {"positive", "up"}};
  EXPECT_EQ(refusal(wind), "accepted");
}

TEST_F(UntidyImport, RefusesADeepLevelForAProfileAtTheSurface) {
  forecast.depth = {50, 100, 300, 1200};
  options.dives.profiles = {parse_profile("surface=at:0")};
  EXPECT_THAT(refusal(forecast.fixture()),
              test::has_code("profile_above_levels", "variable depth"));
  options.dives.profiles = {parse_profile("deep=at:50"), parse_profile("mean=20:1000")};
  EXPECT_THAT(refusal(forecast.fixture()), test::has_code("profile_above_levels"));
  options.dives.profiles = {parse_profile("mean=30:1000")};
  EXPECT_THAT(run(forecast.fixture()).lines,
              Contains("depth: 4 of 4 levels of depth, 50 to 1200 m"));
  forecast.depth = {-5, -15, -40};
  options.dives.profiles = {parse_profile("surface=at:0")};
  EXPECT_EQ(refusal(forecast.fixture()), "accepted");
}

TEST_F(UntidyImport, FindsTheDepthOfAFieldWithoutLevels) {
  const auto with_depth = [&](double depth, const std::string& name, const std::string& units) {
    NetcdfFixture fixture = forecast.fixture();
    fixture.variables.push_back({name, NC_DOUBLE, {}, {depth}, {{"units", units}}, {}});
    fixture.variables.back().texts.emplace_back("standard_name", "depth");
    return fixture;
  };
  EXPECT_THAT(
      run(forecast.fixture()).lines,
      Contains("depth: the files give none; the velocity is treated as that of the surface"));
  EXPECT_THAT(run(with_depth(0.5, "depth", "m")).lines,
              Contains("depth: level 1 of 1, depth = 0.5 m (nearest to the surface)"));
  EXPECT_THAT(refusal(with_depth(100, "depth", "m")),
              test::has_code("surface_level_missing", "variable depth"));
  EXPECT_THAT(refusal(with_depth(0.2, "DEPH", "km")),
              testing::AllOf(test::has_code("surface_level_missing", "variable DEPH"),
                             testing::HasSubstr("200")));
  EXPECT_EQ(refusal(with_depth(500, "level", "cm")), "accepted");
  options.depth = 200;
  EXPECT_THAT(refusal(with_depth(100, "depth", "m")), test::has_code("depth_below_levels"));
  options.depth = 100;
  EXPECT_THAT(run(with_depth(100, "depth", "m")).lines,
              Contains("depth: level 1 of 1, depth = 100 m (nearest to --depth)"));
  EXPECT_THAT(refusal(forecast.fixture()), test::has_code("depth_without_dimension"));
  // The height of an instrument is not a depth of the field.
  options.depth = {};
  NetcdfFixture site = forecast.fixture();
  site.variables.push_back({"altitude", NC_DOUBLE, {}, {250}, {{"units", "m"}}, {}});
  EXPECT_EQ(refusal(site), "accepted");
}

TEST_F(UntidyImport, ComparesTheDepthsOfSeveralFiles) {
  SmallForecast later = forecast;
  for (double& hour : later.hour) hour += 24;
  options.files.push_back(folder / "later.nc");
  const auto refusal_with = [&](std::optional<double> first, std::optional<double> second) {
    NetcdfFixture first_file = forecast.fixture();
    NetcdfFixture second_file = later.fixture();
    for (const auto& [fixture, depth] : {std::pair{&first_file, first}, {&second_file, second}}) {
      if (!depth) continue;
      fixture->variables.push_back({"depth", NC_DOUBLE, {}, {*depth}, {{"units", "m"}}, {}});
    }
    second_file.write(options.files[1]);
    return refusal(first_file);
  };
  EXPECT_EQ(refusal_with(0.5, 0.5), "accepted");
  EXPECT_EQ(refusal_with(0.5, {}), "accepted");
  EXPECT_THAT(refusal_with(0.5, 15), AllOf(test::has_code("depths_differ", "later.nc: variable uo"),
                                           HasSubstr("(15 m and 0.5 m)")));
  EXPECT_THAT(refusal_with({}, 100),
              testing::AllOf(test::has_code("surface_level_missing", "later.nc: variable depth"),
                             testing::HasSubstr("100")));
  options.depth = 100;
  EXPECT_EQ(refusal_with(100, 100), "accepted");
  EXPECT_THAT(refusal_with(100, 90), test::has_code("depths_differ", "(90 m and 100 m)"));
}

TEST_F(UntidyImport, RefusesADepthAboveItsFirstLevel) {
  forecast.depth = {50, 100, 300};
  options.depth = 0;
  EXPECT_THAT(refusal(forecast.fixture()), test::has_code("depth_above_levels"));
  options.depth = 30;
  EXPECT_EQ(refusal(forecast.fixture()), "accepted");
  forecast.depth = {200};
  options.depth = 150;
  EXPECT_THAT(refusal(forecast.fixture()), test::has_code("depth_above_levels"));
}

TEST_F(UntidyImport, RefusesAComponentWithoutUnitsIfTheOtherHasOthers) {
  NetcdfFixture fixture = forecast.fixture();
  fixture.variable("uo").texts = {{"units", "cm/s"}};
  fixture.variable("vo").texts.clear();
  EXPECT_THAT(refusal(fixture), test::has_code("units_missing_beside", "variable vo"));
  fixture.variable("uo").texts = {{"units", "metres per second"}};
  EXPECT_EQ(refusal(fixture), "accepted");
}

TEST_F(UntidyImport, RefusesALevelsNumberAsItsDepth) {
  forecast.depth = {1, 2, 3};
  NetcdfFixture fixture = forecast.fixture();
  fixture.variable("depth").texts.clear();
  EXPECT_THAT(refusal(fixture), test::has_code("depth_without_units"));
  fixture.variable("depth").texts = {{"units", "m"}};  // as the message advises
  EXPECT_EQ(refusal(fixture), "accepted");
  fixture.variable("depth").texts.clear();
  fixture.variable("depth").values = {5, 20, 50};
  EXPECT_EQ(refusal(fixture), "accepted");

  // Among several levels without a coordinate none can be chosen; the depth of a single one is
  // unknown.
  const auto without_depth = [&] {
    NetcdfFixture bare = forecast.fixture();
    std::erase_if(bare.variables, [](const auto& variable) { return variable.name == "depth"; });
    return bare;
  };
  EXPECT_THAT(refusal(without_depth()), test::has_code("depth_without_coordinate"));
  forecast.depth = {5};
  EXPECT_THAT(run(without_depth()).lines,
              Contains("depth: depth gives none; its only level is used"));

  // The level is chosen by depth and not by index in every file.
  SmallForecast later = forecast;
  forecast.depth = {0.5, 10, 40};
  later.depth = {10, 40};
  later.hour = {24, 30, 36, 42};
  later.u = [&](double lon, double lat, double hour, int member) {
    return forecast.u(lon, lat, hour, member) + 10;  // the values of this depth in the first file
  };
  later.fixture().write(folder / "later.nc");
  options.files.push_back(folder / "later.nc");
  EXPECT_THAT(refusal(forecast.fixture()), test::has_code("depths_differ"));
  options.depth = 40;
  forecast.fixture().write(options.files[0]);
  SourceRequest request{options.files, {{"uo"}, {"vo"}}, {}, 40, {}};
  ForecastSource source(request);
  EXPECT_NEAR(source.read(0)[0], forecast.u(-10, 40, 0, 0) + 20, 1e-5);
  EXPECT_NEAR(source.read(4)[0], forecast.u(-10, 40, 24, 0) + 20, 1e-5);
}

}  // namespace
}  // namespace tidewise::ingest
