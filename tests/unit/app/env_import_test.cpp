#include "app/commands/env_import.h"

#include <gmock/gmock.h>

namespace tidewise {
namespace {

TEST(EnvImport, ReadsCommandLinesOfEarlierVersions) {
  const auto current = imported_by(
      "tidewise env import ocean.nc --modes 3 --scalar \"sea waves.nc:swh\" --scalar-fill 0\nmore");
  ASSERT_TRUE(current);
  EXPECT_EQ(current->scalar, "sea waves.nc:swh");
  const auto earlier = imported_by(
      "tidewise env import ocean.nc --modes 3 --scalar swh --scalar-file \"sea waves.nc\" "
      "--scalar-fill 0");
  ASSERT_TRUE(earlier);
  EXPECT_EQ(earlier->scalar, "sea waves.nc:swh");
  EXPECT_EQ(earlier->scalar_fill, 0);
  EXPECT_EQ(earlier->modes, 3);
  EXPECT_FALSE(imported_by("tidewise env resample a.h5"));
}

TEST(EnvImport, ReadsPastForecasts) {
  const auto imported =
      imported_by("tidewise env import today.nc --past \"two days.nc\" one.nc --realizations 20");
  ASSERT_TRUE(imported);
  EXPECT_THAT(imported->files, testing::ElementsAre("today.nc"));
  EXPECT_THAT(imported->past, testing::ElementsAre("two days.nc", "one.nc"));
  EXPECT_EQ(imported->realizations, 20);
}

}  // namespace
}  // namespace tidewise
