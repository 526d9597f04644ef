// From the source's points to the environment's cells: plane, weights, land, obstacles, reduction.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/random.h"
#include "env/import/grid/local_plane.h"
#include "env/import/grid/target_grid.h"
#include "env/import/obstacle_mask.h"
#include "env/import/realization_draws.h"
#include "env/import/source/regridder.h"
#include "env/tools/ensemble_reduction.h"
#include "env/units/angle.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

SourceGrid grid_of(std::vector<double> longitude, std::vector<double> latitude) {
  SourceGrid grid;
  grid.west = longitude.front();
  grid.east = longitude.back();
  grid.south = latitude.front();
  grid.north = latitude.back();
  grid.longitude = std::move(longitude);
  grid.latitude = std::move(latitude);
  return grid;
}

TEST(LocalPlane, RoundTrips) {
  const LocalPlane plane({-125, 48});
  for (const GeographicPoint point : {GeographicPoint{-127, 46}, GeographicPoint{-124.3, 49.2}}) {
    const GeographicPoint restored = plane.to_geographic(plane.to_plane(point));
    EXPECT_NEAR(restored.longitude, point.longitude, 1e-10);
    EXPECT_NEAR(restored.latitude, point.latitude, 1e-10);
  }
  EXPECT_NEAR(plane.to_plane({-125, 48}).x, 0, 1e-6);
  // A degree of latitude at 48.5 N: the series of WGS84 gives 111 211 m.
  EXPECT_NEAR(plane.to_plane({-125, 49}).y, 111211, 20);
  const LocalPlane far_west({179.5, 50});
  EXPECT_NEAR(far_west.to_geographic(far_west.to_plane({-179, 50})).longitude, 181, 1e-9);
}

TEST(LocalPlane, NorthTurnsByTheConvergenceOfTheMeridians) {
  const GeographicPoint centre{10, 50};
  const LocalPlane plane(centre);
  for (const GeographicPoint point :
       {GeographicPoint{14, 52}, GeographicPoint{7, 48}, GeographicPoint{10, 53}}) {
    // Snyder (1987), oblique stereographic on the sphere: tan of the convergence.
    const double lambda = (point.longitude - centre.longitude) * radians_per_degree;
    const double phi = point.latitude * radians_per_degree;
    const double phi0 = centre.latitude * radians_per_degree;
    const double expected = std::atan2(
        std::sin(lambda) * (std::sin(phi0) + std::sin(phi)),
        std::cos(phi0) * std::cos(phi) + (1 + std::sin(phi0) * std::sin(phi)) * std::cos(lambda));
    const PlanePoint north = plane.north_at(point);
    EXPECT_NEAR(std::hypot(north.x, north.y), 1, 1e-12);
    // North leans to the left east of the centre. The ellipsoid changes it by a few parts in 1000.
    EXPECT_NEAR(std::atan2(-north.x, north.y), expected, 3e-3 * std::abs(expected) + 1e-9);
  }
  EXPECT_GT(std::atan2(-plane.north_at({14, 52}).x, 1.0), 0.05);  // the convergence is large
}

TEST(LocalPlane, RotatedVectorsPointAlongTheFlow) {
  // A parcel moves for 100 s with (0.6 east, -0.8 north) m/s over the ellipsoid; on the plane its
  // displacement has the direction that the rotation gives.
  const LocalPlane plane({-125, 48});
  const GeographicPoint point{-122, 46.5};
  const double sine = std::sin(point.latitude * radians_per_degree);
  const double squared = 0.00669437999014;  // WGS84's squared eccentricity
  const double root = std::sqrt(1 - squared * sine * sine);
  const double meridional = 6378137 * (1 - squared) / (root * root * root);
  const double transverse = 6378137 / root * std::cos(point.latitude * radians_per_degree);
  const PlanePoint a = plane.to_plane(point);
  const PlanePoint b = plane.to_plane({point.longitude + 60 / transverse / radians_per_degree,
                                       point.latitude - 80 / meridional / radians_per_degree});
  const PlanePoint north = plane.north_at(point);
  const double u = 0.6 * north.y - 0.8 * north.x;
  const double v = -0.6 * north.x - 0.8 * north.y;
  const double scale = plane.length_scale(point);
  EXPECT_NEAR((b.x - a.x) / 100 / scale, u, 2e-5);
  EXPECT_NEAR((b.y - a.y) / 100 / scale, v, 2e-5);
  EXPECT_GT(scale, 1.0003);
  EXPECT_LT(scale, 1.0006);
}

TEST(Regridder, ReproducesALinearFieldOnAnIrregularGrid) {
  const SourceGrid source = grid_of({0, 1, 2.5, 3}, {10, 10.5, 12});
  std::vector<double> field;
  for (const double lat : source.latitude) {
    for (const double lon : source.longitude) field.push_back(2 * lon - 3 * lat + 1);
  }
  const std::vector<double> lon{0, 0.3, 2.2, 2.9, 3, 361.7};
  const std::vector<double> lat{10, 11.9, 10.2, 12, 11, 10.4};
  const Regridder regridder(source, lon, lat, CoastRule::nearest_point);
  EXPECT_THAT(regridder.land(), Each(0));
  for (std::size_t cell = 0; cell < lon.size(); ++cell) {
    EXPECT_NEAR(regridder.value_at(cell, field.data()),
                2 * std::fmod(lon[cell], 360) - 3 * lat[cell] + 1, 1e-12);
  }
}

TEST(Regridder, KeepsLandAndWaterSeparate) {
  // Land in the east: the points at longitudes 2 and 3 are dry.
  const SourceGrid source = grid_of({0, 1, 2, 3}, {0, 1});
  const std::vector<double> field{5, 7, nan, nan, 5, 7, nan, nan};
  const std::vector<double> lon{0.5, 1.25, 1.4999, 1.5001, 2.5, 3.5, 1};
  const std::vector<double> lat(lon.size(), 0.5);
  Regridder regridder(source, lon, lat, CoastRule::nearest_point);
  EXPECT_THAT(regridder.land(), ElementsAre(0, 0, 0, 0, 0, 1, 0));
  regridder.set_dry({0, 0, 1, 1, 0, 0, 1, 1});
  EXPECT_THAT(regridder.land(), ElementsAre(0, 0, 0, 1, 1, 1, 0));
  EXPECT_THAT(regridder.outside(), ElementsAre(0, 0, 0, 0, 0, 1, 0));
  EXPECT_DOUBLE_EQ(regridder.value_at(0, field.data()), 6);
  EXPECT_DOUBLE_EQ(regridder.value_at(1, field.data()), 7);  // only the wet side
  EXPECT_DOUBLE_EQ(regridder.value_at(2, field.data()), 7);
  EXPECT_DOUBLE_EQ(regridder.value_at(6, field.data()), 7);  // on a point next to land
  regridder.set_dry(std::vector<std::uint8_t>(8, 0));
  EXPECT_THAT(regridder.land(), ElementsAre(0, 0, 0, 0, 0, 1, 0));

  Regridder any_point_regridder(source, lon, lat, CoastRule::any_point);
  any_point_regridder.set_dry({0, 0, 1, 1, 0, 0, 1, 1});
  EXPECT_THAT(any_point_regridder.land(), ElementsAre(0, 0, 0, 0, 1, 1, 0));
  EXPECT_DOUBLE_EQ(any_point_regridder.value_at(3, field.data()), 7);
}

TEST(TargetGrid, CoversTheSourceWithSquareCells) {
  const SourceGrid source = grid_of({-127, -126, -125, -124}, {46, 47, 48, 49});
  EXPECT_EQ(middle_of(source).longitude, -125.5);
  EXPECT_EQ(middle_of(source).latitude, 47.5);
  EXPECT_NEAR(own_spacing(source), 91000, 1);  // sqrt(cos 47.5°) · 111.2 km = 91.4 km
  const LocalPlane plane(middle_of(source));
  const TargetGrid target = make_target_grid(source, plane, 5000);
  EXPECT_EQ(target.grid.dx, 5000);
  EXPECT_EQ(std::fmod(target.grid.x_first, 5000), 0);
  const double width = plane.to_plane({-124, 46}).x - plane.to_plane({-127, 46}).x;
  EXPECT_NEAR(target.grid.nx * 5000.0, width, 5000);
  const auto cell = static_cast<std::size_t>(
      target.grid.cell(target.grid.column_at(0), target.grid.row_at(0)).value);
  EXPECT_NEAR(target.longitude[cell], -125.5, 1e-9);
  EXPECT_NEAR(target.latitude[cell], 47.5, 1e-9);
  EXPECT_THROW(make_target_grid(source, plane, 400000), InputError);
  EXPECT_THROW(make_target_grid(source, plane, 1), InputError);
}

/// Returns samples (member, value) of exact rank 2 about a mean.
std::vector<double> rank_two_samples(std::size_t members, std::size_t values) {
  const Philox random(3);
  std::vector<double> samples;
  for (std::uint32_t member = 0; member < members; ++member) {
    const double a = to_unit(random(member, 1).word[0]) - 0.5;
    const double b = to_unit(random(member, 2).word[0]) - 0.5;
    for (std::size_t n = 0; n < values; ++n) {
      const double x = static_cast<double>(n) / static_cast<double>(values);
      samples.push_back(0.3 + x + a * std::sin(7 * x) + 0.2 * b * std::cos(11 * x));
    }
  }
  return samples;
}

TEST(EnsembleReduction, RecoversARankTwoEnsembleWithTwoModes) {
  constexpr std::size_t members = 9;
  constexpr std::size_t values = 500;
  const auto samples = rank_two_samples(members, values);
  const EnsembleReduction reduction(samples, members);
  EXPECT_EQ(reduction.modes_for(1), 2u);
  EXPECT_EQ(reduction.modes_for(0.5), 1u);
  EXPECT_NEAR(reduction.share_kept(2), 1, 1e-12);
  EXPECT_LT(reduction.share_kept(1), 0.9999);
  EXPECT_EQ(reduction.variances()[2], 0);
  const auto first = reduction.mode(0);
  const auto second = reduction.mode(1);
  const auto a = reduction.coefficients(0);
  const auto b = reduction.coefficients(1);
  double product = 0;
  double variance = 0;
  for (std::size_t n = 0; n < values; ++n) product += first[n] * second[n];
  for (std::size_t n = 0; n < values; ++n) variance += first[n] * first[n];
  EXPECT_NEAR(product, 0, 1e-12);
  EXPECT_NEAR(variance, reduction.variances()[0], 1e-12);
  double total = 0;
  double square = 0;
  for (std::size_t member = 0; member < members; ++member) {
    square += a[member] * a[member] / members;
    for (std::size_t n = 0; n < values; ++n) {
      const double value = reduction.mean()[n] + a[member] * first[n] + b[member] * second[n];
      ASSERT_NEAR(value, samples[member * values + n], 1e-12);
      total += std::pow(samples[member * values + n] - reduction.mean()[n], 2) / members;
    }
  }
  EXPECT_NEAR(square, 1, 1e-12);
  const std::vector<double>& variances = reduction.variances();
  EXPECT_NEAR(total, std::accumulate(variances.begin(), variances.end(), 0.0), 1e-12);
}

TEST(EnsembleReduction, HasNoVarianceForEqualMembers) {
  const EnsembleReduction reduction(std::vector<double>(12, 0.7), 3);
  EXPECT_EQ(reduction.share_kept(1), 1);
  EXPECT_EQ(reduction.modes_for(0.99), 1u);
  EXPECT_THAT(reduction.mode(0), Each(0.0));
  EXPECT_THAT(reduction.coefficients(0), Each(0.0));
}

TEST(EnsembleReduction, SumsMembersInAFixedOrderForAnyAddress) {
  constexpr std::size_t member_count = 7;
  constexpr std::size_t value_count = 61;
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> samples(member_count * value_count);
  for (double& sample : samples) sample = normal(random);
  // Earlier allocations of different sizes shift the vectors by 16 bytes each.
  for (std::size_t filler = 1; filler < 9; ++filler) {
    const std::vector<char> earlier(16 * filler + 100);
    const EnsembleReduction reduction(std::vector<double>(samples), member_count);
    for (std::size_t n = 0; n < value_count; ++n) {
      double sum = 0;
      for (std::size_t m = 0; m < member_count; ++m) sum += samples[m * value_count + n];
      ASSERT_EQ(reduction.mean()[n], sum / member_count) << "value " << n;
    }
  }
}

TEST(EnsembleReduction, RefusesValuesThatItCannotSquare) {
  for (const double wrong : {nan, std::numeric_limits<double>::infinity(), 1e200}) {
    EXPECT_THAT(
        [&] {
          EnsembleReduction({0.1, 0.2, wrong, 0.4, 0.5, 0.6}, 3);
        },
        ::testing::ThrowsMessage<RunError>(HasSubstr("not finite, or too large to square")));
  }
}

TEST(EnsembleReduction, KeepsSignsFromLevelToLevel) {
  // Eigenvectors may have either sign; both occur over several sizes.
  for (std::size_t members = 4; members < 12; ++members) {
    const auto samples = rank_two_samples(members, 40);
    auto negated = samples;
    for (double& value : negated) value = -value;
    EnsembleReduction first(samples, members);
    first.align({});
    EnsembleReduction second(negated, members);
    second.align(first.directions());
    for (std::size_t mode = 0; mode < 2; ++mode) {
      const auto coefficients = first.coefficients(mode);
      const auto [min, max] = std::minmax_element(coefficients.begin(), coefficients.end());
      EXPECT_GT(*max, -*min) << members;  // the greatest in size is positive
      // After the flow has reversed, coefficients are the same and modes are reversed.
      for (std::size_t member = 0; member < members; ++member) {
        EXPECT_NEAR(second.coefficients(mode)[member], coefficients[member], 1e-9) << members;
      }
      EXPECT_NEAR(second.mode(mode)[3], -first.mode(mode)[3], 1e-12) << members;
    }
  }
}

TEST(EnsembleReduction, AlignsSignsWithThePreviousLevelFirst) {
  const auto along_one_pattern = [](const std::vector<double>& amounts) {
    std::vector<double> samples;
    for (const double amount : amounts) {
      for (const double pattern : {0.4, -0.1, 0.3}) samples.push_back(amount * pattern);
    }
    return EnsembleReduction(samples, amounts.size());
  };
  EnsembleReduction first = along_one_pattern({3, -2, -1, 0});
  EnsembleReduction second = along_one_pattern({2, -2.5, -0.5, 1});
  first.align({});
  second.align({});
  EXPECT_GT(first.coefficients(0)[0], 0);
  EXPECT_LT(second.coefficients(0)[0], 0);  // the second member has the greatest
  second.align(first.directions());
  EXPECT_GT(second.coefficients(0)[0], 0);
}

TEST(RealizationDraws, HaveTheEnsemblesVariance) {
  constexpr std::size_t count = 20000;
  const auto weights = draw_member_weights(count, 4, 7);
  EXPECT_EQ(weights, draw_member_weights(count, 4, 7));
  EXPECT_NE(weights, draw_member_weights(count, 4, 8));
  double mean = 0;
  double square = 0;
  double product = 0;
  for (std::size_t r = 0; r < count; ++r) {
    mean += weights[4 * r] / count;
    square += weights[4 * r] * weights[4 * r] / count;
    product += weights[4 * r] * weights[4 * r + 1] / count;
  }
  EXPECT_NEAR(mean, 0, 0.015);  // four standard errors
  EXPECT_NEAR(square, 0.25, 0.01);
  EXPECT_NEAR(product, 0, 0.01);
}

/// A plane at the equator with cells of 10 km, 11 × 11, centred on 0 E 0 N: centres 0.0899° apart.
struct SmallPlane {
  LocalPlane plane{{0, 0}};
  TargetGrid target = make_target_grid(grid_of({-0.5, 0.5}, {-0.5, 0.5}), plane, 10000);

  std::vector<std::size_t> masked(const std::string& geojson, std::size_t level = 0,
                                  const std::vector<double>& levels = {0, 3600, 7200}) const {
    const test::TemporaryFolder folder;
    write_text_file(folder / "a.geojson", geojson);
    const auto polygons = read_geojson_polygons(folder / "a.geojson");
    std::vector<std::uint8_t> mask(target.longitude.size(), 0);
    ObstacleMask(polygons, target, plane, levels).burn(level, mask);
    std::vector<std::size_t> cells;
    for (std::size_t cell = 0; cell < mask.size(); ++cell) {
      if (mask[cell] != 0) cells.push_back(cell);
    }
    return cells;
  }
  std::size_t cell(int i, int j) const {
    return static_cast<std::size_t>((j + 5) * target.grid.nx + i + 5);  // i, j from the middle
  }
};

TEST(Obstacles, CloseCellsWhoseCentreIsInsideExceptHoles) {
  const SmallPlane small;
  ASSERT_EQ(small.target.grid.nx, 11);
  // Three by three cells with a hole over the middle one.
  const auto cells = small.masked(R"({"type": "Polygon", "coordinates": [
      [[-0.12, -0.12], [0.12, -0.12], [0.12, 0.12], [-0.12, 0.12], [-0.12, -0.12]],
      [[-0.04, -0.04], [-0.04, 0.04], [0.04, 0.04], [0.04, -0.04], [-0.04, -0.04]]]})");
  EXPECT_THAT(cells, UnorderedElementsAre(small.cell(-1, -1), small.cell(0, -1), small.cell(1, -1),
                                          small.cell(-1, 0), small.cell(1, 0), small.cell(-1, 1),
                                          small.cell(0, 1), small.cell(1, 1)));
  // Longitudes may differ by 360°.
  EXPECT_EQ(small
                .masked(R"({"type": "Polygon", "coordinates": [
      [[359.88, -0.12], [360.12, -0.12], [360.12, 0.12], [359.88, 0.12], [359.88, -0.12]]]})")
                .size(),
            9u);
}

TEST(Obstacles, CloseTheGlobeIfTheySurroundIt) {
  const SmallPlane small;
  EXPECT_EQ(small
                .masked(R"({"type": "Polygon", "coordinates": [
      [[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]]})")
                .size(),
            121u);
  EXPECT_EQ(small
                .masked(R"({"type": "Polygon", "coordinates": [
      [[-179, -60], [179, -60], [179, 60], [-179, 60], [-179, -60]]]})")
                .size(),
            121u);
}

TEST(Obstacles, CloseCellsOfTheOutlineIfTheyContainNoCentre) {
  const SmallPlane small;
  // A rock of 1 km, and a wall 100 m thick across three cells, between centres.
  EXPECT_THAT(small.masked(R"({"type": "Polygon", "coordinates": [
      [[0.11, 0.02], [0.12, 0.02], [0.12, 0.03], [0.11, 0.03], [0.11, 0.02]]]})"),
              ElementsAre(small.cell(1, 0)));
  EXPECT_THAT(small.masked(R"({"type": "MultiPolygon", "coordinates": [[
      [[-0.1, 0.03], [0.1, 0.03], [0.1, 0.031], [-0.1, 0.031], [-0.1, 0.03]]]]})"),
              ElementsAre(small.cell(-1, 0), small.cell(0, 0), small.cell(1, 0)));
  EXPECT_TRUE(small
                  .masked(R"({"type": "Polygon", "coordinates": [
      [[10, 0], [11, 0], [11, 1], [10, 1], [10, 0]]]})")
                  .empty());
}

TEST(Obstacles, CloseFromStartToEnd) {
  const SmallPlane small;
  const auto feature = [](const std::string& properties) {
    return R"({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": )" +
           properties + R"(, "geometry": {"type": "Polygon", "coordinates": [
             [[-0.01, -0.01], [0.01, -0.01], [0.01, 0.01], [-0.01, 0.01], [-0.01, -0.01]]]}}]})";
  };
  const auto levels_closed = [&](const std::string& properties) {
    std::vector<std::size_t> levels;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!small.masked(feature(properties), k).empty()) levels.push_back(k);
    }
    return levels;
  };
  EXPECT_THAT(levels_closed("null"), ElementsAre(0, 1, 2));
  EXPECT_THAT(levels_closed(R"({"start": "1970-01-01T01:00:00Z", "end": null})"),
              ElementsAre(1, 2));
  EXPECT_THAT(levels_closed(R"({"start_time": "1969-01-01", "end_time": "1970-01-01T01:30"})"),
              ElementsAre(0, 1));
  // The obstacle exists only between two levels.
  EXPECT_THAT(levels_closed(R"({"start": "1970-01-01T01:40", "end": "1970-01-01T01:50"})"),
              ElementsAre(2));
  EXPECT_TRUE(levels_closed(R"({"start": "1971-01-01"})").empty());
}

TEST(Obstacles, AcceptOnlyCoordinateSystemsInDegrees) {
  const SmallPlane small;
  const auto is_accepted = [&](const std::string& crs) {
    try {
      (void)small.masked(R"({"type": "FeatureCollection", "crs": )" + crs +
                         R"(, "features": [{"type": "Feature", "properties": {}, "geometry":
          {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}}]})");
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), test::has_code("geojson_reference_system"));
      return false;
    }
    return true;
  };
  const auto crs_named = [](const std::string& name) {
    return R"({"type": "name", "properties": {"name": ")" + name + "\"}}";
  };
  for (const char* name : {"urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:EPSG::4326",
                           "EPSG:4326", "urn:ogc:def:crs:EPSG::4269"}) {
    EXPECT_TRUE(is_accepted(crs_named(name))) << name;
  }
  EXPECT_TRUE(is_accepted("null"));
  // Metres near 0, 0 look like degrees.
  for (const char* name : {"urn:ogc:def:crs:EPSG::3857", "EPSG:25831", "epsg:32614"}) {
    EXPECT_FALSE(is_accepted(crs_named(name))) << name;
  }
  EXPECT_FALSE(
      is_accepted(R"({"type": "link", "properties": {"href": "http://example.com/crs/42"}})"));
}

TEST(Obstacles, RefusePolygonsWithAnAmbiguousInterior) {
  const SmallPlane small;
  const auto message = [&](const std::string& rings) -> std::string {
    try {
      (void)small.masked(R"({"type": "Polygon", "coordinates": )" + rings + "}");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  // Even-odd counting leaves the middle of a pentagram open.
  EXPECT_THAT(message("[[[0, 3], [2, -3], [-3, 1], [3, 1], [-2, -3], [0, 3]]]"),
              AllOf(test::has_code("geojson_polygon_invalid", "edges"),
                    HasSubstr("cross, so that its inside is not clear")));
  EXPECT_THAT(message("[[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]]"),
              test::has_code("geojson_polygon_invalid", "cross"));
  EXPECT_THAT(message("[[[0, 0], [1, 0], [1, 1], [0, 0]], [[5, 5], [6, 5], [6, 6], [5, 5]]]"),
              test::has_code("geojson_polygon_invalid", "hole 1 lies outside of its outline"));
  // Edges that touch in a vertex are clear.
  EXPECT_EQ(message("[[[0, 0], [1, 1], [2, 0], [2, 2], [1, 1], [0, 2], [0, 0]]]"), "accepted");
}

TEST(Obstacles, RefuseInvalidPolygons) {
  const SmallPlane small;
  const auto message = [&](const std::string& geojson) -> std::string {
    try {
      (void)small.masked(geojson);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const char* wrong : {"{", "{\n\"type\": ]}", "nonsense", "[1e999]", "{\"a\": \"\xFF\"}"}) {
    EXPECT_THAT(message(wrong), ::testing::Not(HasSubstr("json.exception")));
    EXPECT_THAT(message(wrong), ::testing::Not(HasSubstr("parse error at")));
  }
  EXPECT_THAT(message("{"),
              testing::AllOf(test::has_code("geojson_not_json", "unexpected end of input"),
                             testing::HasSubstr("a.geojson")));
  EXPECT_THAT(message("{\n\"type\": ]}"), test::has_code("geojson_not_json", "unexpected ']'"));
  EXPECT_THAT(message("[1e999]"),
              testing::AllOf(test::has_code("geojson_unusable", "number overflow"),
                             testing::HasSubstr("a.geojson")));
  EXPECT_THAT(message(" \n"), test::has_code("geojson_empty"));
  EXPECT_THAT(message(R"({"type": "FeatureCollection", "features": []})"),
              test::has_code("geojson_without_polygons"));
  EXPECT_THAT(message(R"({"type": "Point", "coordinates": [0, 0]})"),
              test::has_code("geojson_not_area", "Point"));
  EXPECT_THAT(message(R"({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1]]]})"),
              test::has_code("geojson_ring_not_closed"));
  EXPECT_THAT(
      message(R"({"type": "Polygon", "coordinates": [[[0, 99], [1, 0], [1, 1], [0, 99]]]})"),
      test::has_code("geojson_position_not_on_earth"));
  EXPECT_THAT(
      message(R"({"type": "Polygon", "coordinates": [[["a", 9], [1, 0], [1, 1], [0, 9]]]})"),
      test::has_code("geojson_position_invalid", "[\"a\",9]"));
  EXPECT_THAT(message(R"({"type": "Polygon"})"),
              test::has_code("geojson_member_missing", "coordinates"));
  EXPECT_THAT(message(R"({"type": "FeatureCollection", "features": [{"type": "Feature",
      "properties": {"start": "soon"}, "geometry": {"type": "Polygon", "coordinates":
      [[[0, 0], [1, 0], [1, 1], [0, 0]]]}}]})"),
              test::has_code("time_text_invalid", "feature 1: start"));
  EXPECT_THAT(message(R"({"type": "FeatureCollection", "features": [{"type": "Feature",
      "properties": {"start": "2024-01-02", "end": "2024-01-01"}, "geometry": {"type": "Polygon",
      "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}}]})"),
              test::has_code("geojson_time_reversed"));
}

}  // namespace
}  // namespace tidewise::ingest
