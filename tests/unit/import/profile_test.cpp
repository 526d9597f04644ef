// Means over the depths of dives: weights of levels, columns that end at the bottom, levels that
// follow it, and files of several profiles.

#include "env/import/depth/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <utility>

#include "base/error.h"
#include "env/import/depth/level_share.h"
#include "env/import/depth/s_coordinate.h"
#include "env/import/import_forecast.h"
#include "env/import/source/forecast_source.h"
#include "support/error_code.h"
#include "support/ocean/dive_columns.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::Columns;
using test::NetcdfFixture;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(LevelShare, IsTheIntegralOfEachLevelsHat) {
  const double depth[] = {10, 30, 50};
  // From 0 to 40 m: 10 + 10 of the first level, 10 + 7.5 of the second and 2.5 of the third.
  EXPECT_DOUBLE_EQ(level_share(depth, 3, 0, 0, 40), 20 / 40.0);
  EXPECT_DOUBLE_EQ(level_share(depth, 3, 1, 0, 40), 17.5 / 40);
  EXPECT_DOUBLE_EQ(level_share(depth, 3, 2, 0, 40), 2.5 / 40);
  // With two levels the field is constant below the last.
  EXPECT_DOUBLE_EQ(level_share(depth, 2, 1, 20, 60), (7.5 + 30) / 40);
  EXPECT_DOUBLE_EQ(level_share(depth, 1, 0, 20, 60), 1);
}

TEST(LevelShare, IsLinearBetweenLevelsForOneDepth) {
  const double depth[] = {10, 30, 50};
  EXPECT_DOUBLE_EQ(level_share(depth, 3, 0, 35, 35), 0);
  EXPECT_DOUBLE_EQ(level_share(depth, 3, 1, 35, 35), 0.75);
  EXPECT_DOUBLE_EQ(level_share(depth, 3, 2, 35, 35), 0.25);
  EXPECT_DOUBLE_EQ(level_share(depth, 3, 0, 5, 5), 1);
  EXPECT_DOUBLE_EQ(level_share(depth, 3, 2, 80, 80), 1);
  EXPECT_DOUBLE_EQ(level_share(depth, 3, 1, 30, 30), 1);
}

TEST(SCoordinate, GivesDepthsBelowTheMovingSurface) {
  SCoordinate levels;
  levels.s = {-0.5};
  levels.c = {-0.25};
  levels.critical_depth = 20;
  levels.form = SCoordinate::Form::g2;
  EXPECT_DOUBLE_EQ(levels.depth(0, 100, 2), 102 * 35.0 / 120);
  levels.form = SCoordinate::Form::g1;
  EXPECT_DOUBLE_EQ(levels.depth(0, 100, 2), 30 * 1.02);
}

TEST(ProfileText, IsDepthsOrAFile) {
  const Profile deep = parse_profile("deep=0:1000m");
  EXPECT_EQ(deep.name, "deep");
  EXPECT_EQ(deep.least(), 0);
  EXPECT_EQ(deep.greatest(), 1000);
  const Profile park = parse_profile("park=at:750");
  EXPECT_EQ(park.least(), 750);
  EXPECT_EQ(park.greatest(), 750);
  const test::TemporaryFolder folder;
  std::ofstream(folder / "float.csv") << "from,to,share\n1000,1000,0.9\n0, 2000, 0.1\n";
  const Profile cycle = parse_profile("float=" + (folder / "float.csv").string());
  ASSERT_EQ(cycle.ranges.size(), 2u);
  EXPECT_EQ(cycle.ranges[0].share, 0.9);
  EXPECT_EQ(cycle.least(), 0);
  EXPECT_EQ(cycle.greatest(), 2000);
  // Its text can be parsed again without the file.
  EXPECT_EQ(cycle.depths, "1000:1000@0.9,0:2000@0.1");
  const Profile reparsed = parse_profile("float=" + cycle.depths);
  ASSERT_EQ(reparsed.ranges.size(), 2u);
  EXPECT_EQ(reparsed.ranges[0].share, 0.9);
  EXPECT_EQ(reparsed.ranges[1].to, 2000);
}

std::string refusal_of(const std::string& text) {
  try {
    (void)parse_profile(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ProfileText, AllowsUnits) {
  for (const char* text : {"d=0:200", "d=0:200m", "d=0m:200m"}) {
    const Profile profile = parse_profile(text);
    EXPECT_EQ(profile.least(), 0) << text;
    EXPECT_EQ(profile.greatest(), 200) << text;
  }
  EXPECT_EQ(parse_profile("d=at:200m").least(), 200);
  EXPECT_EQ(parse_profile("d=at:200m").greatest(), 200);
}

TEST(ProfileText, IsRefusedInOneLine) {
  const test::TemporaryFolder folder;
  const auto file = [&](const char* content) {
    std::ofstream(folder / "w.csv") << content;
    return "w=" + (folder / "w.csv").string();
  };
  EXPECT_THAT(refusal_of("0:50"), test::has_code("profile_option_invalid"));
  EXPECT_THAT(refusal_of("a b=0:50"), test::has_code("profile_option_name"));
  EXPECT_THAT(refusal_of("a=50:0"), test::has_code("profile_option_depths"));
  EXPECT_THAT(refusal_of("a=0:-50"), test::has_code("profile_option_depths"));
  EXPECT_THAT(refusal_of("a=at:x"), test::has_code("profile_option_depths"));
  EXPECT_THAT(refusal_of("a=0:50@0.4,50:100@0.5"), test::has_code("profile_shares_sum"));
  EXPECT_THAT(refusal_of("a=0:50@0.4,100:50@0.6"), test::has_code("profile_option_depths"));
  EXPECT_THAT(refusal_of("a=nowhere.csv"), test::has_code("file_missing", "--profile nowhere.csv"));
  EXPECT_THAT(refusal_of(file("from,to,share\n0,50,0.6\n")), test::has_code("profile_shares_sum"));
  EXPECT_THAT(refusal_of(file("depth,weight\n0,1\n")),
              test::has_code("profile_table_header", "line 1"));
  EXPECT_THAT(refusal_of(file("from,to,share\n50,0,1\n")),
              test::has_code("profile_table_depths", "line 2"));
}

SourceRequest request_for(const std::filesystem::path& file,
                          const std::vector<std::string>& profiles) {
  SourceRequest request{{file}, {{"uo"}, {"vo"}}, {}, {}, {}};
  request.velocity = StatedDirections{};
  for (const auto& text : profiles) request.dives.profiles.push_back(parse_profile(text));
  return request;
}

constexpr std::size_t points = 12;

TEST(Profiles, AreMeansOverTheDepthsOfADive) {
  const test::TemporaryFolder folder;
  Columns().fixture().write(folder / "a.nc");
  ForecastSource source(request_for(folder / "a.nc", {"up=0:100", "park=at:100", "low=60:200"}));
  ASSERT_EQ(source.profile_count(), 3u);
  const auto fields = source.read(1);  // (profile, component, point)
  const auto at = [&](std::size_t profile, std::size_t component, std::size_t point) {
    return fields[(profile * 2 + component) * points + point];
  };
  // The velocity is linear in depth, so that the mean is that in the middle.
  EXPECT_NEAR(at(0, 0, 5), 1 - 50 / 200.0, 1e-12);
  EXPECT_NEAR(at(0, 1, 5), 50 / 400.0, 1e-12);
  EXPECT_NEAR(at(1, 0, 5), 1 - 100 / 200.0, 1e-12);
  EXPECT_NEAR(at(2, 0, 5), 1 - 130 / 200.0, 1e-12);
  // The bottom lies at 30 m, so that the dive ends at 20 m.
  EXPECT_NEAR(at(0, 0, 0), 1 - 10 / 200.0, 1e-12);
  EXPECT_TRUE(std::isnan(at(1, 0, 0)));
  EXPECT_TRUE(std::isnan(at(2, 0, 0)));
  // With the bottom at 120 m, 100 m is reached, with the velocity of the last wet level.
  EXPECT_NEAR(at(0, 0, 1), (1 - 40 / 200.0) * 0.8 + (1 - 80 / 200.0) * 0.2, 1e-12);
  EXPECT_NEAR(at(1, 0, 1), 1 - 80 / 200.0, 1e-12);
  EXPECT_NEAR(at(2, 0, 1), ((1 - 70 / 200.0) * 20 + (1 - 80 / 200.0) * 30) / 50, 1e-12);
  EXPECT_THAT(source.notes(),
              Contains(HasSubstr("profile park: at:100; closed at 8.33 % of the source's points")));
}

TEST(Profiles, ReadHeightsAndDepthsOfAnyNameAndOrder) {
  const test::TemporaryFolder folder;
  Columns down;
  down.fixture().write(folder / "down.nc");
  const auto expected = ForecastSource(request_for(folder / "down.nc", {"up=0:100"})).read(0);
  Columns up;
  up.name = "elevation";
  up.depth = {240, 160, 80, 40, 20, 0};
  up.sign = -1;
  up.words = {{"positive", "up"}};
  up.fixture().write(folder / "up.nc");
  const auto elevation = ForecastSource(request_for(folder / "up.nc", {"up=0:100"})).read(0);
  ASSERT_EQ(elevation.size(), expected.size());
  for (std::size_t n = 0; n < expected.size(); ++n) EXPECT_EQ(elevation[n], expected[n]) << n;
}

std::string refusal(SourceRequest request) {
  try {
    const ForecastSource source(std::move(request));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Profiles, AreRefusedInOneLine) {
  const test::TemporaryFolder folder;
  const auto file = folder / "a.nc";
  Columns().fixture().write(file);
  EXPECT_THAT(refusal(request_for(file, {"deep=0:1000"})), test::has_code("profile_below_levels"));
  Columns single_level;
  single_level.depth = {0};
  single_level.fixture().write(file);
  EXPECT_THAT(refusal(request_for(file, {"deep=0:1000"})),
              test::has_code("profile_without_levels", "only one level"));
  Columns numbered;
  numbered.units.second = "";
  numbered.words.clear();
  numbered.name = "lev";
  numbered.depth = {1, 2, 3, 4, 5, 6};
  numbered.fixture().write(file);
  EXPECT_THAT(refusal(request_for(file, {"deep=0:5"})), test::has_code("depth_without_units"));
  Columns rocks;
  auto fixture = rocks.fixture();
  for (const char* name : {"uo", "vo"}) {
    auto& values = fixture.variable(name).values;
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (n / points % rocks.depth.size() > 2) values[n] = Columns::fill;  // all rock below 40 m
    }
  }
  fixture.write(file);
  EXPECT_THAT(refusal(request_for(file, {"up=0:50", "park=at:200"})),
              test::has_code("profile_without_water", "park"));
}

TEST(Profiles, EndAboveTheBottomOfAFileOfDepths) {
  const test::TemporaryFolder folder;
  Columns().fixture().write(folder / "a.nc");
  test::even_bottom(-70).write(folder / "gebco.nc");
  SourceRequest request = request_for(folder / "a.nc", {"deep=0:1000"});
  request.dives.bathymetry = folder / "gebco.nc";
  ForecastSource source(request);
  const auto fields = source.read(0);
  EXPECT_NEAR(fields[5], 1 - 30 / 200.0, 1e-12);  // the mean over 0 to 60 m
}

/// The bottom is deeper than the file's last level, so the assumption on the water below is noted.
TEST(Profiles, ReportDepthsBelowTheLastLevel) {
  const test::TemporaryFolder folder;
  Columns().fixture().write(folder / "a.nc");
  test::even_bottom(-500).write(folder / "gebco.nc");
  SourceRequest request = request_for(folder / "a.nc", {"deep=0:400", "near=0:250"});
  request.dives.bathymetry = folder / "gebco.nc";
  const auto notes = ForecastSource(request).notes();
  EXPECT_THAT(notes, Contains(AllOf(HasSubstr("profile deep: at 83.3 % of the source's"),
                                    HasSubstr("below the last level, 240 m"))));
  EXPECT_THAT(notes,
              Not(Contains(AllOf(HasSubstr("profile near"), HasSubstr("below the last level")))));
}

/// Returns a ROMS file without masks: a velocity that is known at every depth, on levels between a
/// bottom at 60 to 170 m and a surface that is up to 3 m higher.
NetcdfFixture s_levels(int transform, bool packed) {
  const std::size_t levels = 12;
  const std::vector<double> longitude{-10, -9, -8, -7};
  const std::vector<double> latitude{40, 41, 42};
  const double critical = 15;
  std::vector<double> s;
  std::vector<double> c;
  for (std::size_t k = 0; k < levels; ++k) {
    s.push_back((static_cast<double>(k) + 0.5) / static_cast<double>(levels) - 1);
    c.push_back((1 - std::cosh(4 * s.back())) / (std::cosh(4.0) - 1));
  }
  std::vector<double> h;
  std::vector<double> zeta;
  for (std::size_t n = 0; n < points; ++n) h.push_back(60 + 10.0 * static_cast<double>(n));
  for (std::size_t time = 0; time < 2; ++time) {
    for (std::size_t n = 0; n < points; ++n) {
      zeta.push_back(0.25 * static_cast<double>(n) * static_cast<double>(time));
    }
  }
  std::vector<double> u;
  std::vector<double> v;
  for (std::size_t time = 0; time < 2; ++time) {
    for (std::size_t k = 0; k < levels; ++k) {
      for (std::size_t n = 0; n < points; ++n) {
        const double surface = zeta[time * points + n];
        double z = surface + (surface + h[n]) * (critical * s[k] + h[n] * c[k]) / (critical + h[n]);
        if (transform == 1) {
          const double level_at_rest = critical * s[k] + (h[n] - critical) * c[k];
          z = level_at_rest + surface * (1 + level_at_rest / h[n]);
        }
        u.push_back(std::exp(-(surface - z) / 40));
        v.push_back((surface - z) / 500);
      }
    }
  }
  NetcdfFixture file;
  file.dimensions = {{"ocean_time", 2}, {"s_rho", levels}, {"eta_rho", 3}, {"xi_rho", 4}};
  const std::vector<std::string> dimensions{"ocean_time", "s_rho", "eta_rho", "xi_rho"};
  std::vector<double> lon;
  std::vector<double> lat;
  for (const double row : latitude) {
    for (const double column : longitude) {
      lon.push_back(column);
      lat.push_back(row);
    }
  }
  std::vector<double> stored = c;
  for (double& value : stored) value = std::round(value / 1e-4);
  const std::pair<std::string, std::string> coordinates{"coordinates", "lon_rho lat_rho"};
  const char* form = transform == 1 ? "ocean_s_coordinate_g1" : "ocean_s_coordinate_g2";
  file.variables = {
      {"lon_rho", NC_DOUBLE, {"eta_rho", "xi_rho"}, lon, {{"units", "degrees_east"}}, {}},
      {"lat_rho", NC_DOUBLE, {"eta_rho", "xi_rho"}, lat, {{"units", "degrees_north"}}, {}},
      {"ocean_time", NC_DOUBLE, {"ocean_time"}, {0, 6}, {{"units", "hours since 2024-10-28"}}, {}},
      {"s_rho",
       NC_DOUBLE,
       {"s_rho"},
       s,
       {{"standard_name", form},
        {"formula_terms", "s: s_rho C: Cs_r eta: zeta depth: h depth_c: hc"}},
       {}},
      {"Cs_r",
       packed ? NC_SHORT : NC_DOUBLE,
       {"s_rho"},
       packed ? stored : c,
       {},
       packed ? std::vector<NetcdfFixture::Numbers>{{"scale_factor", NC_DOUBLE, {1e-4}}}
              : std::vector<NetcdfFixture::Numbers>{}},
      {"hc", NC_DOUBLE, {}, {critical}, {}, {}},
      {"h", NC_DOUBLE, {"eta_rho", "xi_rho"}, h, {coordinates}, {}},
      {"zeta", NC_DOUBLE, {"ocean_time", "eta_rho", "xi_rho"}, zeta, {coordinates}, {}},
      {"uo",
       NC_DOUBLE,
       dimensions,
       u,
       {{"units", "m s-1"}, {"standard_name", "eastward_sea_water_velocity"}, coordinates},
       {}},
      {"vo",
       NC_DOUBLE,
       dimensions,
       v,
       {{"units", "m s-1"}, {"standard_name", "northward_sea_water_velocity"}, coordinates},
       {}}};
  return file;
}

/// Returns the mean from the surface to depth `to`, by steps of a centimetre, linear between
/// levels.
double mean_by_steps(const std::vector<double>& depth, const std::vector<double>& value,
                     double to) {
  const int steps = static_cast<int>(to * 100);
  double sum = 0;
  for (int n = 0; n < steps; ++n) {
    const double z = (n + 0.5) * to / steps;
    std::size_t k = 0;
    while (k < depth.size() && depth[k] < z) ++k;
    if (k == 0 || k == depth.size()) {
      sum += value[k == 0 ? 0 : k - 1];
      continue;
    }
    const double share = (z - depth[k - 1]) / (depth[k] - depth[k - 1]);
    sum += value[k - 1] + share * (value[k] - value[k - 1]);
  }
  return sum / steps;
}

TEST(Profiles, FollowTheBottomAndTheSurfaceOfSCoordinates) {
  const test::TemporaryFolder folder;
  for (const int transform : {1, 2}) {
    for (const bool packed : {false, true}) {
      const NetcdfFixture file = s_levels(transform, packed);
      file.write(folder / "roms.nc");
      SourceRequest request = request_for(folder / "roms.nc", {"up=0:100", "surface=0:30"});
      request.velocity->requested = Components::east_north;
      ForecastSource source(std::move(request));
      for (std::size_t time = 0; time < 2; ++time) {
        const auto fields = source.read(time);
        for (std::size_t n = 0; n < points; ++n) {
          const double h = 60 + 10.0 * static_cast<double>(n);
          const double surface = 0.25 * static_cast<double>(n) * static_cast<double>(time);
          std::vector<double> depth;
          std::vector<double> u;
          std::vector<double> v;
          for (int k = 11; k >= 0; --k) {
            const double s = (k + 0.5) / 12 - 1;
            const double c = (1 - std::cosh(4 * s)) / (std::cosh(4.0) - 1);
            const double z = transform == 2 ? -(surface + h) * (15 * s + h * c) / (15 + h)
                                            : -(15 * s + (h - 15) * c) * (1 + surface / h);
            depth.push_back(z);
            u.push_back(std::exp(-z / 40));
            v.push_back(z / 500);
          }
          const double deepest = std::min(100.0, h + surface - 10);
          const double tolerance = packed ? 1e-4 : 1e-5;  // [m/s]
          EXPECT_NEAR(fields[n], mean_by_steps(depth, u, deepest), tolerance) << n;
          EXPECT_NEAR(fields[points + n], mean_by_steps(depth, v, deepest), tolerance) << n;
          EXPECT_NEAR(fields[2 * points + n], mean_by_steps(depth, u, 30), tolerance) << n;
        }
      }
    }
  }
}

TEST(Profiles, ComputeAMissingStretching) {
  const test::TemporaryFolder folder;
  NetcdfFixture file = s_levels(2, false);
  file.write(folder / "whole.nc");
  std::erase_if(file.variables, [](const auto& variable) { return variable.name == "Cs_r"; });
  const auto request = [&](const char* name) {
    SourceRequest result = request_for(folder / name, {"up=0:100"});
    result.velocity->requested = Components::east_north;
    return result;
  };
  file.write(folder / "bare.nc");
  EXPECT_THAT(refusal(request("bare.nc")), test::has_code("stretching_parameters_missing", "Cs_r"));
  file.variables.push_back({"theta_s", NC_DOUBLE, {}, {4}, {}, {}});
  file.variables.push_back({"theta_b", NC_DOUBLE, {}, {0}, {}, {}});
  file.variables.push_back({"Vstretching", NC_INT, {}, {2}, {}, {}});
  file.write(folder / "reckoned.nc");
  ForecastSource source(request("reckoned.nc"));
  EXPECT_THAT(source.notes(), Contains(HasSubstr("computed from theta_s 4")));
  const auto expected = ForecastSource(request("whole.nc")).read(1);
  const auto computed = source.read(1);
  ASSERT_EQ(computed.size(), expected.size());
  for (std::size_t n = 0; n < computed.size(); ++n) EXPECT_NEAR(computed[n], expected[n], 1e-12);
}

}  // namespace
}  // namespace tidewise::ingest
