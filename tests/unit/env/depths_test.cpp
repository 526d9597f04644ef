#include "env/units/depths.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace tidewise {
namespace {

std::vector<std::pair<double, double>> ranges_of(const std::string& text) {
  std::vector<std::pair<double, double>> ranges;
  for (const Depths& range : parse_depth_ranges(text)) ranges.emplace_back(range.from, range.to);
  return ranges;
}

using Ranges = std::vector<std::pair<double, double>>;

TEST(DepthRanges, StaySeparateWithAGap) {
  EXPECT_EQ(ranges_of("0:10@0.5,300:400@0.5"), (Ranges{{0, 10}, {300, 400}}));
  EXPECT_EQ(ranges_of("at:80m@0.5,5:25@0.5"), (Ranges{{5, 25}, {80, 80}}));
  EXPECT_FALSE(parse_depths("0:10@0.5,300:400@0.5"));
  EXPECT_EQ(deepest_of("0:10@0.5,300:400@0.5"), 400);
}

TEST(DepthRanges, JoinIfTheyTouchOrOverlap) {
  EXPECT_EQ(ranges_of("50:100@0.6,0:50@0.4"), (Ranges{{0, 100}}));
  EXPECT_EQ(ranges_of("0:200@0.5,20:30@0.5"), (Ranges{{0, 200}}));
  ASSERT_TRUE(parse_depths("0:50@0.4,50:100@0.6"));
  EXPECT_EQ(parse_depths("0:50@0.4,50:100@0.6")->to, 100);
  EXPECT_EQ(ranges_of("0:1000"), (Ranges{{0, 1000}}));
}

TEST(DepthRanges, AreLeftOutWithoutTime) {
  EXPECT_EQ(ranges_of("0:10@1,300:400@0"), (Ranges{{0, 10}}));
}

TEST(DepthRanges, AreEmptyForOtherText) {
  for (const char* text : {"", "yo.csv", "10:0", "0:10,deep", "0:13000", "0:10@0.5,"}) {
    EXPECT_TRUE(ranges_of(text).empty()) << text;
    EXPECT_FALSE(deepest_of(text)) << text;
  }
}

TEST(DepthRanges, DescribeADive) {
  EXPECT_EQ(describe_dive("two", "0:10@0.5,300:400@0.5", "–"), "dive two (0–10 and 300–400 m)");
  EXPECT_EQ(describe_dive("", "at:5@0.5,20:30@0.2,300:400@0.3", " to "),
            "dive 5, 20 to 30 and 300 to 400 m");
  EXPECT_EQ(describe_dive("deep", "0:1000", "–"), "dive deep (0–1000 m)");
  EXPECT_EQ(describe_dive("0-1000", "0:1000", "–"), "dive 0–1000 m");
  EXPECT_EQ(describe_dive("dive", "0:180", "–"), "dive 0–180 m");
  EXPECT_EQ(describe_dive("park", "at:500", "–"), "hold 500 m (park)");
  EXPECT_EQ(describe_dive("surface", "at:0", "–"), "stay at the surface");
  EXPECT_EQ(describe_dive("m", "0:1,2:3,4:5,6:7,8:9", "–"), "dive m (5 ranges between 0 and 9 m)");
}

}  // namespace
}  // namespace tidewise
