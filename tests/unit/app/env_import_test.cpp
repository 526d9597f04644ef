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

}  // namespace
}  // namespace tidewise
