// Reading of forecasts with any order, names, packing, gaps and number of files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "env/import/file/find_velocity.h"
#include "env/import/file/forecast_file.h"
#include "env/import/source/forecast_source.h"
#include "env/units/calendar_time.h"
#include "env/units/quantity.h"
#include "env/units/speed_units.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::NetcdfFixture;
using test::SmallForecast;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double first_time = 1730073600;  // 2024-10-28T00:00:00Z, by `date -d … +%s`

SourceRequest request_for(const std::vector<std::filesystem::path>& files) {
  return {files, {{"uo"}, {"vo"}}, {}, {}, {}};
}

/// Compares every value with the closed form, for any order in the file.
void expect_fields(ForecastSource& source, const SmallForecast& forecast, double tolerance = 1e-6) {
  const auto& grid = source.grid();
  for (std::size_t time = 0; time < source.times().size(); ++time) {
    const auto fields = source.read(time);
    const double hour = (source.times()[time] - first_time) / 3600;
    std::size_t n = 0;
    for (const auto& component : {forecast.u, forecast.v}) {
      for (std::size_t member = 0; member < source.member_count(); ++member) {
        for (const double lat : grid.latitude) {
          for (const double lon : grid.longitude) {
            ASSERT_NEAR(fields[n++], component(lon, lat, hour, static_cast<int>(member)), tolerance)
                << "time " << time << " member " << member << " at " << lon << " " << lat;
          }
        }
      }
    }
    ASSERT_EQ(n, fields.size());
  }
}

TEST(ImportReading, ReadsAnyOrderOfDimensionsInBothFormats) {
  const test::TemporaryFolder folder;
  const std::vector<std::vector<std::string>> orders{{"time", "member", "depth", "lat", "lon"},
                                                     {"lon", "lat", "member", "time", "depth"},
                                                     {"member", "lon", "time", "lat", "depth"}};
  for (const auto& order : orders) {
    for (const int format : {NC_NETCDF4, 0}) {
      SmallForecast forecast;
      forecast.order = order;
      forecast.write(folder / "a.nc", format);
      ForecastSource source(request_for({folder / "a.nc"}));
      EXPECT_EQ(source.member_count(), 3u);
      EXPECT_EQ(source.members_by(), "dimension member");
      EXPECT_EQ(source.time_step(), 6 * 3600);
      expect_fields(source, forecast);
    }
  }
}

TEST(ImportReading, ReversesDescendingLatitudesAndLongitudes) {
  const test::TemporaryFolder folder;
  SmallForecast forecast;
  forecast.latitude = {43, 42, 41, 40};
  forecast.longitude = {-6, -7, -8, -9, -10};
  forecast.write(folder / "a.nc");
  ForecastSource source(request_for({folder / "a.nc"}));
  EXPECT_THAT(source.grid().latitude, ElementsAre(40, 41, 42, 43));
  EXPECT_THAT(source.grid().longitude, ElementsAre(-10, -9, -8, -7, -6));
  expect_fields(source, forecast);
}

TEST(ImportReading, JoinsLongitudesAcrossTheAntimeridian) {
  const test::TemporaryFolder folder;
  SmallForecast forecast;
  forecast.longitude = {178, 179, 180, -179, -178};
  forecast.u = [](double lon, double, double, int) {
    return lon < 0 ? lon + 360 - 180 : lon - 180;
  };
  forecast.write(folder / "a.nc");
  ForecastSource source(request_for({folder / "a.nc"}));
  EXPECT_THAT(source.grid().longitude, ElementsAre(178, 179, 180, 181, 182));
  const auto fields = source.read(0);
  EXPECT_THAT(std::vector<double>(fields.begin(), fields.begin() + 5),
              ElementsAre(-2, -1, 0, 1, 2));
}

TEST(ImportReading, CutsABoxAcrossTheSeamOfAGlobalGrid) {
  const test::TemporaryFolder folder;
  SmallForecast forecast;
  forecast.longitude.clear();
  for (double lon = 0; lon < 360; lon += 2) forecast.longitude.push_back(lon);
  forecast.u = [](double lon, double, double, int) { return lon / 10; };
  forecast.write(folder / "a.nc");
  auto request = request_for({folder / "a.nc"});
  request.box = BoundingBox{-3, 40.5, 4, 42};
  ForecastSource source(request);
  // One point more than the box on each side.
  EXPECT_THAT(source.grid().longitude, ElementsAre(-4, -2, 0, 2, 4, 6));
  EXPECT_THAT(source.grid().latitude, ElementsAre(40, 41, 42, 43));
  EXPECT_EQ(source.grid().west, -3);
  EXPECT_EQ(source.grid().north, 42);
  const auto fields = source.read(0);
  EXPECT_NEAR(fields[0], 35.6, 1e-5);
  EXPECT_NEAR(fields[2], 0, 1e-6);
  EXPECT_NEAR(fields[5], 0.6, 1e-6);
}

TEST(ImportReading, UnpacksShortsSignedAndUnsigned) {
  const test::TemporaryFolder folder;
  SmallForecast forecast;
  for (const bool is_unsigned : {false, true}) {
    NetcdfFixture fixture = forecast.fixture();
    for (const char* name : {"uo", "vo"}) {
      auto& variable = fixture.variable(name);
      variable.type = NC_SHORT;
      variable.numbers = {{"scale_factor", NC_DOUBLE, {0.001}},
                          {"add_offset", NC_DOUBLE, {is_unsigned ? -40.0 : 0.5}},
                          {"_FillValue", NC_SHORT, {is_unsigned ? -1.0 : -32767.0}}};
      if (is_unsigned) variable.texts.emplace_back("_Unsigned", "true");
      for (double& value : variable.values) {
        value = std::round((value - (is_unsigned ? -40.0 : 0.5)) / 0.001);
        if (value > 32767) value -= 65536;
      }
      variable.values[7] = is_unsigned ? -1.0 : -32767.0;
    }
    fixture.write(folder / "a.nc");
    ForecastSource source(request_for({folder / "a.nc"}));
    auto fields = source.read(0);
    EXPECT_TRUE(std::isnan(fields[7]));
    EXPECT_NEAR(fields[8], forecast.u(-7, 41, 0, 0), 0.0005001);
    EXPECT_NEAR(fields[19], forecast.u(-6, 43, 0, 0), 0.0005001);
  }
}

TEST(ImportReading, TreatsEveryKindOfFillAsMissing) {
  const test::TemporaryFolder folder;
  NetcdfFixture fixture = SmallForecast().fixture();
  auto& u = fixture.variable("uo");
  // GrADS rounds the attribute to six digits, but writes values of exactly 2^100.
  u.numbers = {{"_FillValue", NC_FLOAT, {1.26765e+30}},
               {"missing_value", NC_FLOAT, {-999}},
               {"valid_range", NC_FLOAT, {-5, 5}}};
  u.values[0] = 0x1p100;
  u.values[1] = -999;
  u.values[2] = std::nan("");
  u.values[3] = 6;
  u.values[4] = 4.5;
  fixture.variable("vo").values[0] = NC_FILL_FLOAT;  // the library's default, not declared
  fixture.write(folder / "a.nc", 0);
  ForecastSource source(request_for({folder / "a.nc"}));
  const auto fields = source.read(0);
  for (std::size_t n = 0; n < 4; ++n) EXPECT_TRUE(std::isnan(fields[n])) << n;
  EXPECT_EQ(fields[4], 4.5);
  EXPECT_TRUE(std::isnan(fields[3 * 20]));
  EXPECT_FALSE(std::isnan(fields[3 * 20 + 1]));
}

TEST(ImportReading, ReadsNumbersInTextAttributes) {
  const test::TemporaryFolder folder;
  for (const char* range : {"-5, 5", "[-5.0 5.0]", "-5.f 5.f", "-5:5"}) {
    NetcdfFixture fixture = SmallForecast().fixture();
    auto& u = fixture.variable("uo");
    u.texts.emplace_back("valid_range", range);
    u.texts.emplace_back("missing_value", "-0.75f");
    u.values[0] = 6;
    u.values[1] = -0.75;
    u.values[2] = 4.5;
    auto& v = fixture.variable("vo");
    v.texts.emplace_back("valid_min", "-1");
    v.texts.emplace_back("valid_max", "1.e0");
    v.texts.emplace_back("missing_value", "none");
    v.values[0] = -1.5;
    v.values[1] = 1.5;
    v.values[2] = 0.5;
    fixture.write(folder / "a.nc");
    const auto fields = ForecastSource(request_for({folder / "a.nc"})).read(0);
    for (const std::size_t n : {0, 1}) {
      EXPECT_TRUE(std::isnan(fields[n])) << range;
      EXPECT_TRUE(std::isnan(fields[3 * 20 + n])) << range;
    }
    EXPECT_EQ(fields[2], 4.5) << range;
    EXPECT_EQ(fields[3 * 20 + 2], 0.5) << range;
  }
  // For packed integers, whole numbers limit stored values, and other numbers unpacked values.
  for (const auto& [scale, range] :
       {std::pair{"0.01", "-100 100"}, std::pair{"1e-2", "-1.0 1.0"}}) {
    NetcdfFixture fixture = SmallForecast().fixture();
    for (const char* name : {"uo", "vo"}) {
      auto& variable = fixture.variable(name);
      variable.type = NC_SHORT;
      variable.texts.emplace_back("scale_factor", scale);
      variable.texts.emplace_back("valid_range", range);
      for (double& value : variable.values) value = 50;
      variable.values[0] = 150;
    }
    fixture.write(folder / "a.nc");
    const auto fields = ForecastSource(request_for({folder / "a.nc"})).read(0);
    EXPECT_TRUE(std::isnan(fields[0])) << range;
    EXPECT_DOUBLE_EQ(fields[1], 0.5) << range;
  }
}

TEST(ImportReading, ReadsTheOnlyGroupThatHoldsAVelocity) {
  const test::TemporaryFolder folder;
  const SmallForecast forecast;
  const auto read = [&](const NetcdfFixture& file, const std::string& group) {
    file.write(folder / "a.nc");
    EXPECT_EQ(find_velocity(*open_forecast_file(folder / "a.nc"), {}).u, "uo");
    ForecastSource source(request_for({folder / "a.nc"}));
    const auto has_group = ::testing::Contains("group: variables are those of the group " + group);
    EXPECT_THAT(source.notes(),
                ::testing::Conditional(group.empty(), ::testing::Not(has_group), has_group));
    expect_fields(source, forecast);
  };
  NetcdfFixture waves = forecast.fixture();
  std::erase_if(waves.variables, [](const auto& variable) { return variable.name == "uo"; });
  waves.group_name = "waves";
  NetcdfFixture velocity_group = forecast.fixture();  // with its own coordinates, two groups down
  velocity_group.group_name = "run 1";
  NetcdfFixture model;
  model.group_name = "model";
  model.groups = {velocity_group};
  NetcdfFixture file;
  file.groups = {waves, model};
  read(file, "model/run 1");

  // The root has the coordinates, and another time.
  file = forecast.fixture();
  NetcdfFixture currents;
  currents.group_name = "currents";
  currents.variables = {file.variable("time"), file.variable("uo"), file.variable("vo")};
  std::erase_if(file.variables, [](const auto& variable) { return variable.name.ends_with("o"); });
  file.variable("time").texts = {{"units", "days since 1900-01-01"}};
  file.groups = {currents, waves};
  read(file, "currents");

  // A velocity in the root is taken, even if groups have one.
  file = forecast.fixture();
  for (double& value : currents.variables[1].values) value += 1;
  file.groups = {currents};
  read(file, "");

  // The user names the variables of the only group with fields.
  file = {};
  velocity_group.variable("uo").name = "east";
  velocity_group.variable("vo").name = "north";
  file.groups = {velocity_group};
  file.write(folder / "a.nc");
  const auto named = open_forecast_file(folder / "a.nc");
  EXPECT_EQ(find_velocity(*named, {.u = "east", .v = "north"}).u, "east");
}

TEST(ImportReading, TreatsInfinityAsMissingOnlyIfDeclared) {
  const test::TemporaryFolder folder;
  NetcdfFixture fixture = SmallForecast().fixture();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* name : {"uo", "vo"}) fixture.variable(name).type = NC_DOUBLE;
  fixture.variable("uo").values[0] = infinity;
  fixture.variable("uo").numbers = {{"_FillValue", NC_DOUBLE, {infinity}}};
  fixture.variable("vo").values[1] = -infinity;
  fixture.variable("vo").numbers = {{"valid_min", NC_DOUBLE, {-10}}};
  fixture.write(folder / "a.nc");
  const auto fields = ForecastSource(request_for({folder / "a.nc"})).read(0);
  EXPECT_TRUE(std::isnan(fields[0]));
  EXPECT_FALSE(std::isnan(fields[1]));
  EXPECT_TRUE(std::isnan(fields[3 * 20 + 1]));
}

TEST(ImportReading, ChoosesTheDepthLevel) {
  const test::TemporaryFolder folder;
  SmallForecast forecast;
  for (const double sign : {1.0, -1.0}) {  // depths, and heights as in ROMS
    forecast.depth = {sign * 50, sign * 10, sign * 0.5};
    forecast.write(folder / "a.nc");
    ForecastSource surface(request_for({folder / "a.nc"}));
    EXPECT_NEAR(surface.read(0)[0], forecast.u(-10, 40, 0, 0) + 20, 1e-5);
    EXPECT_THAT(surface.notes()[0], HasSubstr("level 3 of 3"));
    auto request = request_for({folder / "a.nc"});
    request.depth = 40;
    ForecastSource deep(request);
    EXPECT_NEAR(deep.read(0)[0], forecast.u(-10, 40, 0, 0), 1e-5);
  }
}

TEST(ImportReading, SortsFilesDropsDuplicatesAndReportsGaps) {
  const test::TemporaryFolder folder;
  SmallForecast early;
  SmallForecast late;
  early.hour = {0, 6, 12};
  late.hour = {12, 18, 36};
  late.u = [&](double lon, double lat, double hour, int member) {
    return early.u(lon, lat, hour, member) + (hour == 12 ? 1 : 0);  // a newer value
  };
  early.write(folder / "early.nc");
  late.write(folder / "late.nc");
  ForecastSource source(request_for({folder / "late.nc", folder / "early.nc"}));
  EXPECT_EQ(source.times().size(), 5u);
  EXPECT_EQ(source.times().back() - source.times().front(), 36 * 3600);
  EXPECT_EQ(source.time_step(), 6 * 3600);
  EXPECT_NEAR(source.read(2)[0], early.u(-10, 40, 12, 0) + 1, 1e-6);  // the file named first
  EXPECT_NEAR(source.read(1)[0], early.u(-10, 40, 6, 0), 1e-6);
  ASSERT_EQ(source.notes().size(), 2u);
  EXPECT_THAT(source.notes()[0], HasSubstr("1 time(s) given twice"));
  EXPECT_THAT(source.notes()[1], HasSubstr("2024-10-28T18:00:00 to 2024-10-29T12:00:00"));
}

TEST(ImportReading, FindsCoordinatesByAnyMetadata) {
  const test::TemporaryFolder folder;
  const SmallForecast forecast;
  const auto rename = [](NetcdfFixture& fixture, const std::string& from, const std::string& to) {
    for (auto& [name, size] : fixture.dimensions) {
      if (name == from) name = to;
    }
    for (auto& variable : fixture.variables) {
      if (variable.name == from) variable.name = to;
      for (auto& dimension : variable.dimensions) {
        if (dimension == from) dimension = to;
      }
    }
  };
  const auto read = [&](const std::function<void(NetcdfFixture&)>& change, SourceNames names = {}) {
    NetcdfFixture fixture = forecast.fixture();
    change(fixture);
    fixture.write(folder / "a.nc");
    auto request = request_for({folder / "a.nc"});
    request.names = std::move(names);
    ForecastSource source(request);
    EXPECT_EQ(source.member_count(), 3u);
    expect_fields(source, forecast);
  };
  read([](NetcdfFixture& fixture) {  // no units, as in the RTOFS file, so names decide
    fixture.variable("lon").texts.clear();
    fixture.variable("lat").texts.clear();
    // A flux is not a longitude, although its name begins like one.
    fixture.variables.push_back({"longwave",
                                 NC_FLOAT,
                                 {"lat", "lon"},
                                 std::vector<double>(20, 300),
                                 {{"units", "W m-2"}},
                                 {}});
  });
  read([](NetcdfFixture& fixture) {  // positions of other grids in addition to plain longitudes
    for (const char* name : {"lon_psi", "lon_w", "lat_psi"}) {
      fixture.variables.push_back(
          {name, NC_FLOAT, {"lat", "lon"}, std::vector<double>(20, 3), {}, {}});
    }
  });
  read([&](NetcdfFixture& fixture) {  // strange names, "degrees east"
    rename(fixture, "lon", "a");
    rename(fixture, "lat", "b");
    fixture.variable("a").texts = {{"units", "degrees east"}};
    fixture.variable("b").texts = {{"units", "Degrees North"}};
  });
  read([&](NetcdfFixture& fixture) {  // axis attributes against misleading names
    rename(fixture, "lon", "lat2");
    rename(fixture, "lat", "lon2");
    fixture.variable("lat2").texts = {{"axis", "X"}, {"units", "degrees"}};
    fixture.variable("lon2").texts = {{"axis", "Y"}, {"units", "degrees"}};
    rename(fixture, "member", "sample");
    fixture.variables.push_back(
        {"sample", NC_INT, {"sample"}, {0, 1, 2}, {{"standard_name", "realization"}}, {}});
  });
  read([&](NetcdfFixture& fixture) {  // coordinates with other names than their dimensions
    for (auto& [name, size] : fixture.dimensions) {
      if (name == "lon") name = "nx";
    }
    for (auto& variable : fixture.variables) {
      for (auto& dimension : variable.dimensions) {
        if (dimension == "lon") dimension = "nx";
      }
    }
    rename(fixture, "member", "number");
  });
  read([&](NetcdfFixture& fixture) {  // a leftover dimension of size 1 that looks like time too
    fixture.dimensions.emplace_back("run", 1);
    fixture.variables.push_back(
        {"run", NC_DOUBLE, {"run"}, {0}, {{"units", "hours since 2024-10-28"}}, {}});
    for (const char* name : {"uo", "vo"}) {
      auto& dimensions = fixture.variable(name).dimensions;
      dimensions.insert(dimensions.begin(), "run");
    }
  });
  read(
      [&](NetcdfFixture& fixture) {  // as named by the user
        rename(fixture, "lon", "p");
        rename(fixture, "lat", "q");
        rename(fixture, "time", "r");
        rename(fixture, "member", "s");
        for (const char* name : {"p", "q"}) fixture.variable(name).texts.clear();
      },
      {.u = "",
       .v = "",
       .longitude = "p",
       .latitude = "q",
       .time = "r",
       .depth = "",
       .member = "s"});
}

TEST(ImportReading, FindsVelocityInOrderOfPrecedence) {
  const test::TemporaryFolder folder;
  const auto find = [&](const std::function<void(NetcdfFixture&)>& change, SourceNames names = {}) {
    NetcdfFixture fixture = SmallForecast().fixture();
    change(fixture);
    fixture.write(folder / "a.nc");
    return find_velocity(NetcdfFile(folder / "a.nc"), names);
  };
  const auto add_total = [](NetcdfFixture& fixture) {
    for (const char* name : {"uo", "vo"}) {
      fixture.variables.push_back(fixture.variable(name));
      fixture.variables.back().name = std::string("strange_") + name;
    }
  };
  EXPECT_EQ(find([](NetcdfFixture&) {}).u, "uo");
  EXPECT_EQ(find([](NetcdfFixture&) {}).how, "found by known names");
  const auto by_standard_name = find([&](NetcdfFixture& fixture) {
    add_total(fixture);
    fixture.variable("strange_uo").texts = {{"standard_name", "eastward_sea_water_velocity"}};
    fixture.variable("strange_vo").texts = {{"standard_name", "northward_sea_water_velocity"}};
  });
  EXPECT_EQ(by_standard_name.u, "strange_uo");
  EXPECT_EQ(by_standard_name.v, "strange_vo");
  EXPECT_EQ(by_standard_name.how, "found by standard_name");
  const SourceNames named{.u = "strange_uo", .v = "strange_vo"};
  EXPECT_EQ(find(add_total, named).u, "strange_uo");
  EXPECT_EQ(find(add_total, named).how, "given with --u and --v");
  const auto wind = find([](NetcdfFixture& fixture) {
    fixture.variable("uo").name = "X_Wind";
    fixture.variable("vo").name = "Y_Wind";
  });
  EXPECT_EQ(wind.u, "X_Wind");
  EXPECT_EQ(wind.along_x, "x_wind");
  EXPECT_EQ(wind.along_y, "y_wind");
}

TEST(ImportReading, ConvertsVelocitiesToMetresPerSecond) {
  const test::TemporaryFolder folder;
  NetcdfFixture fixture = SmallForecast().fixture();
  fixture.variable("uo").texts = {{"units", "cm s-1"}};
  fixture.variable("vo").texts = {{"units", "knots"}};
  fixture.write(folder / "a.nc");
  const NetcdfFile file(folder / "a.nc");
  EXPECT_DOUBLE_EQ(velocity_factor(file, "uo"), 0.01);
  EXPECT_NEAR(velocity_factor(file, "vo"), 0.514444, 1e-6);
}

TEST(SpeedUnits, AreReadInAnySpelling) {
  for (const char* unit :
       {"", "m s-1", "meters s-1", "metres s-1", "meter second-1", "m/s", "m s**-1",
        "meters/second", "metres per second", "m.s-1", "m s^-1", "ms-1", "m sec-1",
        "Meters Second-1", "m s⁻¹", "m·s−1", "METER/SEC", "1 m s-1", " m s-1 "}) {
    EXPECT_EQ(speed_factor(unit), 1) << unit;
  }
  for (const char* hundredth :
       {"cm/s", "cm s-1", "centimeters s-1", "centimetre/second", "0.01 m s-1", "cms-1"}) {
    EXPECT_EQ(speed_factor(hundredth), 0.01) << hundredth;
  }
  EXPECT_DOUBLE_EQ(*speed_factor("mm s-1"), 0.001);
  EXPECT_DOUBLE_EQ(*speed_factor("kilometers hour-1"), 1 / 3.6);
  EXPECT_DOUBLE_EQ(*speed_factor("km/h"), 1 / 3.6);
  EXPECT_DOUBLE_EQ(*speed_factor("m/min"), 1.0 / 60);
  EXPECT_DOUBLE_EQ(*speed_factor("km day-1"), 1000.0 / 86400);
  for (const char* knot :
       {"knot", "Knots", "kt", "kts", "kn", "nautical miles per hour", "nmi/h"}) {
    EXPECT_DOUBLE_EQ(*speed_factor(knot), 1852.0 / 3600) << knot;
  }
  for (const char* invalid :
       {"m", "s", "m s", "m2 s-1", "m s-2", "kelvin", "1", "degrees", "m/", "/s", "s-1", "m/ss",
        "mm", "nan m s-1", "-1 m s-1", "cm", "meters", "m/s/s"}) {
    EXPECT_EQ(speed_factor(invalid), std::nullopt) << invalid;
  }
}

TEST(CalendarTime, ConvertsDatesOfEqualYearsToRealDates) {
  // noleap: 59 days after 1 January is 1 March in every year; cftime's num2date agrees.
  const TimeUnits noleap("days since 2024-01-01", "noleap");
  EXPECT_EQ(format_iso_time(noleap.to_seconds(58)), "2024-02-28T00:00:00");
  EXPECT_EQ(format_iso_time(noleap.to_seconds(59)), "2024-03-01T00:00:00");
  EXPECT_EQ(format_iso_time(noleap.to_seconds(59.25)), "2024-03-01T06:00:00");
  EXPECT_EQ(format_iso_time(noleap.to_seconds(365)), "2025-01-01T00:00:00");
  EXPECT_EQ(format_iso_time(noleap.to_seconds(-1)), "2023-12-31T00:00:00");
  EXPECT_EQ(format_iso_time(TimeUnits("days since 1950-01-01", "365_day").to_seconds(27375)),
            "2025-01-01T00:00:00");
  EXPECT_NE(noleap.note(), "");
  const TimeUnits all_leap("hours since 2024-02-28", "all_leap");
  EXPECT_EQ(format_iso_time(all_leap.to_seconds(24)), "2024-02-29T00:00:00");
  EXPECT_EQ(format_iso_time(all_leap.to_seconds(48)), "2024-03-01T00:00:00");
  EXPECT_THROW(TimeUnits("days since 2023-02-28", "366_day").to_seconds(1), InputError);
  EXPECT_EQ(format_iso_time(TimeUnits("days since 2023-02-28", "366_day").to_seconds(2)),
            "2023-03-01T00:00:00");
  // The Julian 1 January 2000 was the Gregorian 14th.
  EXPECT_EQ(format_iso_time(TimeUnits("days since 2000-01-01", "julian").to_seconds(0.5)),
            "2000-01-14T12:00:00");
  EXPECT_EQ(TimeUnits("days since 2000-01-01", "standard").note(), "");
  EXPECT_THROW(TimeUnits("days since 2000-01-01", "360_day"), InputError);
  EXPECT_THROW(TimeUnits("days since 2024-02-29", "noleap"), InputError);
}

TEST(ImportReading, UsesTheGivenTimeUnits) {
  const test::TemporaryFolder folder;
  const SmallForecast forecast;
  for (const char* file_units : {"", "months since 2024-10-01", "hours since 1900-01-01"}) {
    NetcdfFixture fixture = forecast.fixture();
    fixture.variable("time").texts = {{"units", file_units}};
    fixture.write(folder / "a.nc");
    auto request = request_for({folder / "a.nc"});
    request.names.time_units = "hours since 2024-10-28";
    ForecastSource source(request);
    EXPECT_EQ(source.times().front(), first_time) << file_units;
    EXPECT_THAT(source.notes()[0],
                HasSubstr("units \"hours since 2024-10-28\" by --time-units; the file has"));
    expect_fields(source, forecast);
  }
}

TEST(CalendarTime, ReadsTimesOfFiles) {
  EXPECT_EQ(parse_iso_time("1970-01-01"), 0);
  EXPECT_EQ(parse_iso_time("2024-10-28T00:00:00Z"), first_time);
  EXPECT_EQ(parse_iso_time("2024-10-28 03:00"), first_time + 10800);
  EXPECT_EQ(parse_iso_time("2024-10-27T17:30:00-06:30"), first_time);
  EXPECT_EQ(parse_iso_time("2024-2-29"), 1709164800);
  EXPECT_EQ(format_iso_time(first_time + 10800), "2024-10-28T03:00:00");
  for (const char* wrong : {"2023-02-29", "yesterday", "2024-10-28T25:00", "2024-10-28T03:00 MEZ",
                            "", "2024-10-28T", "2024-13-01"}) {
    EXPECT_THROW(parse_iso_time(wrong), InputError) << wrong;
  }
  // The RTOFS file's first time, and units of other files.
  EXPECT_EQ(TimeUnits("days since 2000-12-31 00:00:00", "").to_seconds(8702.125),
            first_time + 10800);
  EXPECT_EQ(TimeUnits("Hours since 2024-10-28T00:00:00Z", "proleptic_gregorian").to_seconds(1.5),
            first_time + 5400);
  EXPECT_EQ(TimeUnits("minutes since 2024-10-28", "gregorian").to_seconds(2), first_time + 120);
  EXPECT_EQ(TimeUnits("seconds since 1970-01-01 00:00:00 UTC", "standard").to_seconds(7), 7);
  // cftime: 738821 days since 0001-01-01 are 2023-10-27 in the standard calendar, 10-29 in the
  // proleptic one.
  EXPECT_EQ(TimeUnits("days since 0001-01-01", "standard").to_seconds(738821), 1698364800);
  EXPECT_EQ(TimeUnits("days since 0001-01-01", "proleptic_gregorian").to_seconds(738821),
            1698537600);
}

TEST(Quantities, ReadUnitsAndRefuseInvalidText) {
  EXPECT_EQ(parse_length("--spacing", "3km"), 3000);
  EXPECT_EQ(parse_length("--spacing", "3000"), 3000);
  EXPECT_EQ(parse_length("--spacing", "2.5 km"), 2500);
  EXPECT_EQ(parse_duration("--step", "30min"), 1800);
  EXPECT_EQ(parse_duration("--step", "3h"), 10800);
  for (const char* wrong : {"", "km", "-3km", "0", "3 parsecs", "nan", "inf", "3h"}) {
    EXPECT_THROW(parse_length("--spacing", wrong), InputError) << wrong;
  }
  EXPECT_EQ(parse_bounding_box("--bbox", "-127,46,-124,49.5")[3], 49.5);
  for (const char* wrong : {"", "1,2,3", "1,2,3,4,5", "1,5,3,4", "1,2,3,91", "a,b,c,d"}) {
    EXPECT_THROW(parse_bounding_box("--bbox", wrong), InputError) << wrong;
  }
}

}  // namespace
}  // namespace tidewise::ingest
