// Writing and reading of environments with several profiles.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "env/file/reader.h"
#include "env/import/import_forecast.h"
#include "support/error_code.h"
#include "support/ocean/dive_columns.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::Columns;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Returns all numbers of a level.
std::vector<float> numbers(const EnvironmentReader& reader, std::int32_t level) {
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(level), fields);
  std::vector<float> values(fields.u_mean.begin(), fields.u_mean.end());
  for (const auto* field : {&fields.v_mean, &fields.u_mode, &fields.v_mode, &fields.coefficient}) {
    values.insert(values.end(), field->begin(), field->end());
  }
  values.insert(values.end(), fields.masked.begin(), fields.masked.end());
  return values;
}

class ProfileFile : public ::testing::Test {
 protected:
  ProfileFile() {
    Columns columns;
    columns.members = 4;
    columns.fixture().write(folder / "forecast.nc");
    options.files = {folder / "forecast.nc"};
    options.out = folder / "env.h5";
    options.spacing = 30000;
    options.step = 21600;
    options.variance = 1;
    options.sample = Sampling::begin;
  }

  ImportReport import(const std::vector<std::string>& profiles) {
    options.dives.profiles.clear();
    for (const auto& text : profiles) options.dives.profiles.push_back(parse_profile(text));
    SilentProgress progress;
    return import_forecast(options, progress);
  }

  EnvironmentReader open(const std::string& name, const std::string& profile) const {
    EnvironmentReader reader(folder / name);
    reader.choose_profiles({profile});
    return reader;
  }

  const test::TemporaryFolder folder;
  ImportOptions options;
};

TEST_F(ProfileFile, HoldsVelocityAndMaskOfEachProfileAndSharedCoefficients) {
  const ImportReport report = import({"up=0:40", "park=at:100"});
  EXPECT_THAT(report.lines, Contains(HasSubstr("100 % of the variance of profile park")));
  const EnvironmentReader reader(options.out);
  ASSERT_EQ(reader.info().profiles.size(), 2u);
  EXPECT_EQ(reader.info().profiles[1], (EnvironmentProfile{"park", "at:100"}));
  EXPECT_THAT(reader.file().dimensions("u_mode"), ElementsAre("time", "profile", "mode", "y", "x"));
  EXPECT_THAT(reader.file().dimensions("coefficient"), ElementsAre("time", "mode", "realization"));
  const EnvironmentReader up = open("env.h5", "up");
  const EnvironmentReader park = open("env.h5", "park");
  LevelFields<> up_fields(up.info());
  LevelFields<> park_fields(park.info());
  up.read_level(TimeLevel(1), up_fields);
  park.read_level(TimeLevel(1), park_fields);
  const auto longitude = reader.read_longitude();
  std::size_t open_in_both = 0;
  std::size_t only_up_open = 0;
  const std::size_t cells = up_fields.masked.size();
  const auto flow = [&](const LevelFields<>& fields, std::size_t cell, std::size_t realization) {
    double u = fields.u_mean[cell];
    double v = fields.v_mean[cell];
    for (std::size_t m = 0; m < static_cast<std::size_t>(up.info().mode_count); ++m) {
      const double coefficient = fields.coefficient[m * 4 + realization];
      u += coefficient * fields.u_mode[m * cells + cell];
      v += coefficient * fields.v_mode[m * cells + cell];
    }
    return std::hypot(u, v);  // independent of the directions of the plane's axes
  };
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (up_fields.masked[cell] == 0 && park_fields.masked[cell] != 0) ++only_up_open;
    const bool is_deep = longitude[cell] > -8;  // between columns that are deeper than any dive
    if (up_fields.masked[cell] != 0 || park_fields.masked[cell] != 0 || !is_deep) continue;
    ++open_in_both;
    // With the same coefficients, a realization is the same member at both depths.
    for (std::size_t r = 0; r < 4; ++r) {
      EXPECT_NEAR(flow(up_fields, cell, r), std::hypot(Columns::u(20, r), Columns::v(20, r)), 1e-5);
      EXPECT_NEAR(flow(park_fields, cell, r), std::hypot(Columns::u(100, r), Columns::v(100, r)),
                  1e-5);
    }
  }
  EXPECT_GT(open_in_both, 8u);
  EXPECT_GT(only_up_open, 0u);
}

/// The scalar also has values where only the shallower profile is open.
TEST_F(ProfileFile, HasAScalarWhereAnyProfileIsOpen) {
  Columns columns;
  columns.members = 4;
  test::NetcdfFixture fixture = columns.fixture();
  std::vector<double> temperature;
  for (std::size_t time = 0; time < columns.hour.size(); ++time) {
    for (const double latitude : columns.latitude) {
      temperature.insert(temperature.end(), columns.longitude.size(), latitude);
    }
  }
  fixture.variables.push_back({"warmth", NC_DOUBLE, {"time", "lat", "lon"}, temperature, {}, {}});
  fixture.write(options.files[0]);
  options.scalar = "warmth";
  import({"park=at:100", "up=0:40"});
  std::size_t only_up_open = 0;
  const EnvironmentReader park = open("env.h5", "park");
  EnvironmentReader reader(options.out);
  reader.choose_profiles({"park", "up"});
  const auto latitude = reader.read_latitude();
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(1), fields);
  const auto closed_to_park = park.read_masked(TimeLevel(1));
  for (std::size_t cell = 0; cell < latitude.size(); ++cell) {
    if (fields.masked[cell] != 0) continue;
    EXPECT_NEAR(fields.scalar[cell], latitude[cell], 1e-3) << cell;
    if (closed_to_park[cell] != 0) ++only_up_open;
  }
  EXPECT_GT(only_up_open, 0u);
}

TEST_F(ProfileFile, HasNoProfileDimensionForOneProfile) {
  import({"up=0:40"});
  const EnvironmentReader reader(options.out);
  EXPECT_THAT(reader.file().dimensions("u_mean"), ElementsAre("time", "y", "x"));
  ASSERT_EQ(reader.info().profiles.size(), 1u);
  EXPECT_EQ(reader.info().profiles[0], (EnvironmentProfile{"up", "0:40"}));
  EXPECT_FALSE(numbers(reader, 0).empty());
  EXPECT_EQ(numbers(open("env.h5", "up"), 0), numbers(reader, 0));
}

TEST_F(ProfileFile, AsksForAProfile) {
  import({"up=0:40", "park=at:100"});
  const EnvironmentReader reader(options.out);
  const auto refusal = [](auto work) -> std::string {
    try {
      work();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal([&] { numbers(reader, 0); }),
              test::has_code("profile_choice_missing", "up, park"));
  EXPECT_THAT(refusal([&] { open("env.h5", "deep"); }),
              test::has_code("profile_unknown", "it has up, park"));
}

TEST_F(ProfileFile, ScalesEachProfileToKeepItsOwnVariance) {
  options.variance = {};
  options.modes = 1;
  const ImportReport report = import({"up=0:40", "park=at:100"});
  ASSERT_EQ(report.profile_kept.size(), 2u);
  for (const double share : report.profile_kept) EXPECT_GT(share, 0.5);
  const double mean = (report.profile_kept[0] + report.profile_kept[1]) / 2;
  EXPECT_DOUBLE_EQ(*report.info.variance_kept, mean);
}

TEST_F(ProfileFile, IsRefusedInOneLine) {
  const auto refusal = [&](const std::vector<std::string>& profiles) -> std::string {
    try {
      import(profiles);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal({"up=0:40", "up=0:60"}), test::has_code("profile_option_twice"));
  options.dives.shallowest = 5;
  EXPECT_THAT(refusal({"up=0:40"}), test::has_code("shallowest_invalid"));
  options.dives.shallowest = 20;
  options.depth = 15;
  EXPECT_THAT(refusal({"up=0:40"}), test::has_code("depth_with_profile"));
}

}  // namespace
}  // namespace tidewise::ingest
