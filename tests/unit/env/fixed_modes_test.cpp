// Modes that are fixed in time: their files, and levels that share one copy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "env/file/reader.h"
#include "env/levels/level_block.h"
#include "env/levels/level_stream.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/random_case.h"
#include "support/ocean/raw_environment.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

EnvironmentInfo fixed_info(Obstacles obstacles) {
  EnvironmentInfo info = test::plain_info(9, 7, 4, 3, 5);
  info.obstacles = obstacles;
  info.has_fixed_modes = true;
  return info;
}

void name_profiles(EnvironmentInfo& info) { info.profiles = {{"deep", "0:200"}, {"flat", "0:20"}}; }

/// Opens a file with all its profiles.
EnvironmentReader open(const std::filesystem::path& path) {
  EnvironmentReader reader(path);
  if (reader.info().profiles.size() > 1) reader.choose_profiles({"flat", "deep"});
  return reader;
}

/// Compares every level of two environments, with modes only in cells that have a velocity.
void expect_same_levels(const EnvironmentReader& a, const EnvironmentReader& b) {
  const auto same = [](auto left, auto right) {
    return left.size == right.size &&
           std::memcmp(left.data, right.data, left.size * sizeof(*left.data)) == 0;
  };
  LevelFields<> fields(a.info());
  LevelFields<> expected(b.info());
  for (TimeLevel k(0); k.value < a.info().time.level_count; ++k.value) {
    SCOPED_TRACE(k.value);
    a.read_level(k, fields);
    b.read_level(k, expected);
    for (std::int32_t p = 0; p < a.info().velocities; ++p) {
      SCOPED_TRACE(p);
      const LevelView level = fields.view(a.info()).profile(p);
      const LevelView expected_level = expected.view(b.info()).profile(p);
      EXPECT_TRUE(same(level.u_mean, expected_level.u_mean));
      EXPECT_TRUE(same(level.v_mean, expected_level.v_mean));
      EXPECT_TRUE(same(level.coefficient, expected_level.coefficient));
      EXPECT_TRUE(same(level.scalar, expected_level.scalar));
      EXPECT_TRUE(same(level.masked, expected_level.masked));
      EXPECT_TRUE(same(level.dry, expected_level.dry));
      ASSERT_EQ(level.u_mode.size, expected_level.u_mode.size);
      for (std::size_t n = 0; n < level.u_mode.size; ++n) {
        if (level.dry[n % level.dry.size] != 0) continue;
        ASSERT_EQ(level.u_mode[n], expected_level.u_mode[n]) << n;
        ASSERT_EQ(level.v_mode[n], expected_level.v_mode[n]) << n;
      }
    }
  }
}

class FixedModesWithMasks : public testing::TestWithParam<std::tuple<Obstacles, bool>> {};

TEST_P(FixedModesWithMasks, EqualModesRepeatedAtEveryLevel) {
  const test::TemporaryFolder folder;
  const auto [obstacles, several_profiles] = GetParam();
  EnvironmentInfo info = fixed_info(obstacles);
  if (several_profiles) name_profiles(info);
  test::write_random_environment(folder / "fixed.h5", info, 1);
  test::repeat_modes(folder / "fixed.h5", folder / "own.h5");
  const EnvironmentReader fixed = open(folder / "fixed.h5");
  EXPECT_TRUE(fixed.info().has_fixed_modes);
  const EnvironmentReader repeated = open(folder / "own.h5");
  EXPECT_FALSE(repeated.info().has_fixed_modes);
  expect_same_levels(fixed, repeated);
}

INSTANTIATE_TEST_SUITE_P(Masks, FixedModesWithMasks,
                         testing::Combine(testing::Values(Obstacles::none, Obstacles::fixed,
                                                          Obstacles::moving),
                                          testing::Bool()));

TEST(FixedModes, ShareOneCopyInMemory) {
  const test::TemporaryFolder folder;
  test::write_random_environment(folder / "fixed.h5", fixed_info(Obstacles::moving), 1);
  const EnvironmentReader reader(folder / "fixed.h5");
  LevelStream stream(reader, levels_between(TimeLevel(3), TimeLevel(0)));
  const float* modes = stream.next().view(reader.info()).u_mode.data;
  for (int n = 0; n < 3; ++n) {
    const LevelFields<>& fields = stream.next();
    EXPECT_EQ(fields.view(reader.info()).u_mode.data, modes);
    EXPECT_TRUE(fields.u_mode.empty());
  }
  EnvironmentInfo without_sharing = reader.info();
  without_sharing.has_fixed_modes = false;
  EXPECT_LT(LevelBlock(reader.info()).size() + 2 * 3 * 9 * 7 * sizeof(float),
            LevelBlock(without_sharing).size() + 1024);
}

TEST(FixedModes, AreReadInAWindowOfRowsAndAtTheSurface) {
  const test::TemporaryFolder folder;
  EnvironmentInfo info = fixed_info(Obstacles::fixed);
  info.profiles = {{"deep", "0:200"}, {"surface", "0:1"}};
  test::write_random_environment(folder / "fixed.h5", info, 1);
  test::repeat_modes(folder / "fixed.h5", folder / "own.h5");
  const RowWindow window{2, 5, 1, 7};
  const auto in_window = [&](const char* name) {
    EnvironmentReader reader(folder / name, {}, window);
    reader.choose_profiles({"deep"});
    reader.drift_at_surface(0.25);
    return reader;
  };
  expect_same_levels(in_window("fixed.h5"), in_window("own.h5"));
}

/// Returns a small file with fixed modes.
test::RawEnvironment raw_environment() {
  test::RawEnvironment raw;
  for (const char* name : {"u_mode", "v_mode"}) {
    raw.variables[name] = {{"mode", "y", "x"}, std::vector<double>(2 * 6 * 8, 0.5)};
  }
  return raw;
}

std::string refusal(const test::RawEnvironment& raw) {
  const test::TemporaryFolder folder;
  raw.write(folder / "a.h5");
  try {
    const EnvironmentReader reader(folder / "a.h5");
    LevelFields<> fields(reader.info());
    for (TimeLevel k(0); k.value < 4; ++k.value) reader.read_level(k, fields);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(FixedModes, RefuseOtherShapes) {
  EXPECT_EQ(refusal(raw_environment()), "nothing was refused");
  test::RawEnvironment fixed_in_part = raw_environment();
  fixed_in_part.variables["v_mode"] = test::RawEnvironment().variables["v_mode"];
  EXPECT_THAT(refusal(fixed_in_part), test::has_code("modes_fixed_in_part", "variable v_mode"));
  test::RawEnvironment transposed = raw_environment();
  transposed.variables["u_mode"].dimensions = {"mode", "x", "y"};
  EXPECT_THAT(refusal(transposed), test::has_code("dimensions_out_of_order", "variable u_mode"));
  test::RawEnvironment along_time = raw_environment();
  for (const char* name : {"u_mode", "v_mode"}) {
    along_time.variables[name] = {{"time", "y", "x"}, std::vector<double>(4 * 6 * 8, 0.5)};
  }
  EXPECT_THAT(refusal(along_time), test::has_code("shape_differs", "variable u_mode"));
}

TEST(FixedModes, MayBeMissingInClosedCellsOnly) {
  test::RawEnvironment raw = raw_environment();
  raw.variables["v_mode"].values[48 + 3 * 8 + 5] = std::nan("");
  EXPECT_EQ(refusal(raw), "nothing was refused");
  raw.variables["v_mode"].values[48 + 3 * 8 + 6] = std::nan("");
  EXPECT_THAT(refusal(raw), test::has_code("field_not_finite", "row 3, column 6"));
}

TEST(FixedModes, AreIdentifiedByLengthsWithoutNames) {
  const test::TemporaryFolder folder;
  raw_environment().write(folder / "a.h5");
  for (const char* name : {"u_mode", "v_mode", "coefficient"}) {
    test::forget_dimensions(folder / "a.h5", name);
  }
  EXPECT_TRUE(EnvironmentReader(folder / "a.h5").info().has_fixed_modes);
}

}  // namespace
}  // namespace tidewise
