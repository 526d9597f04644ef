// Reports of the next surfacing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "app/report/surfacing.h"
#include "support/temporary_folder.h"
#include "unit/learning/coastal_forecast.h"

namespace tidewise {
namespace {

SurfacingRegion region_around(double x) {
  SurfacingRegion region;
  region.after = 3600;
  region.centre = {x, 10000};
  region.within_50 = {0.5, 1000, 800};
  region.within_90 = {0.9, 2000, 1500};
  return region;
}

nlohmann::ordered_json regions_around(double x, const test::CoastalForecast& sea) {
  const test::TemporaryFolder folder;
  sea.write(folder / "sea.h5");
  const SurfacingRegion region = region_around(x);
  return surfacing_to_geojson(region, EnvironmentReader(folder / "sea.h5"), 0)["features"];
}

TEST(SurfacingReport, CutsRegionsAtTheAntimeridian) {
  // 180° is 10 km from the western border of the sea, in the middle of the region.
  test::CoastalForecast sea;
  sea.west = 180 - (10000 / (sea.metres_per_degree * std::cos(sea.south * 0.0174532925)));
  const auto features = regions_around(10000, sea);
  ASSERT_EQ(features.size(), 2u);
  for (const auto& feature : features) {
    EXPECT_EQ(feature["geometry"]["type"], "MultiPolygon");
    const auto& pieces = feature["geometry"]["coordinates"];
    ASSERT_EQ(pieces.size(), 2u);
    for (const auto& piece : pieces) {
      ASSERT_EQ(piece.size(), 1u);
      EXPECT_EQ(piece[0].front(), piece[0].back());
      double min = 360;
      double max = -360;
      for (const auto& corner : piece[0]) {
        min = std::min(min, corner[0].get<double>());
        max = std::max(max, corner[0].get<double>());
      }
      EXPECT_TRUE(min == -180 || max == 180);
      const double metres = (max - min) * sea.metres_per_degree * std::cos(0.0174532925 * 47);
      EXPECT_NEAR(metres, feature["properties"]["semi_major_m"].get<double>(), 30);
    }
  }
  const auto elsewhere = regions_around(10000, {});
  EXPECT_EQ(elsewhere[0]["geometry"]["coordinates"].size(), 1u);
}

TEST(SurfacingReport, HasNoProbabilityWithoutForecastError) {
  const test::TemporaryFolder folder;
  EnvironmentInfo info = test::CoastalForecast::info();
  info.uncertainty = ForecastUncertainty::lagged;
  test::CoastalForecast{}.write(folder / "sea.h5", info);
  const EnvironmentReader sea(folder / "sea.h5");
  const SurfacingRegion region = region_around(10000);
  EXPECT_THAT(describe_surfacing(region, sea, 0), testing::Not(testing::HasSubstr("%")));
  const auto json = surfacing_to_json(region, sea, 0);
  EXPECT_EQ(json["uncertainty"], "lagged");
  EXPECT_TRUE(json["regions"].empty());
  const auto features = surfacing_to_geojson(region, sea, 0)["features"];
  ASSERT_EQ(features.size(), 1u);
  EXPECT_EQ(features[0]["properties"]["semi_major_m"], 2000);
  EXPECT_FALSE(features[0]["properties"].contains("probability"));
}

}  // namespace
}  // namespace tidewise
