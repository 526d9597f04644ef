#include "app/commands/env_import.h"

#include <gmock/gmock.h>

namespace tidewise {
namespace {

TEST(EnvImport, ReadsLinesOfEarlierVersionsThatMadeAFile) {
  const auto now = imported_by(
      "tidewise env import ocean.nc --modes 3 --scalar \"sea waves.nc:swh\" --scalar-fill 0\nmore");
  ASSERT_TRUE(now);
  EXPECT_EQ(now->scalar, "sea waves.nc:swh");
  const auto before = imported_by(
      "tidewise env import ocean.nc --modes 3 --scalar swh --scalar-file \"sea waves.nc\" "
      "--scalar-fill 0");
  ASSERT_TRUE(before);
  EXPECT_EQ(before->scalar, "sea waves.nc:swh");
  EXPECT_EQ(before->scalar_fill, 0);
  EXPECT_EQ(before->modes, 3);
  EXPECT_FALSE(imported_by("tidewise env resample a.h5"));
}

TEST(EnvImport, ReadsEarlierForecastsBesideTheForecast) {
  const auto made =
      imported_by("tidewise env import today.nc --past \"two days.nc\" one.nc --realizations 20");
  ASSERT_TRUE(made);
  EXPECT_THAT(made->files, testing::ElementsAre("today.nc"));
  EXPECT_THAT(made->past, testing::ElementsAre("two days.nc", "one.nc"));
  EXPECT_EQ(made->realizations, 20);
}

}  // namespace
}  // namespace tidewise
