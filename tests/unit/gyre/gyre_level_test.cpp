// Conversion of the gyre solver's fields to an environment's levels, compared with hand
// calculations.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "env/gyre/scaling.h"
#include "env/gyre/segments.h"
#include "env/gyre/strongest_flow.h"
#include "support/ocean/environment_builder.h"

namespace tidewise::gyre {
namespace {

using testing::ElementsAre;

template <class Field>
auto to_vector(const Field& field) {
  return std::vector(field.begin(), field.end());
}

TEST(Scaling, MatchesHandComputedDimensions) {
  // L = 1000 km and U = 0.1 m/s: T = 1e7 s, β₀ = 1e3 · 0.1 / 1e12, ν = 0.1 · 1e6 / 100.
  const Scaling scaling{1e6, 0.1};
  const DimensionlessNumbers numbers{100, 1e3, 1e3, 0};
  EXPECT_DOUBLE_EQ(scaling.time(), 1e7);
  EXPECT_DOUBLE_EQ(scaling.coriolis_gradient(numbers), 1e-10);
  EXPECT_DOUBLE_EQ(scaling.eddy_viscosity(numbers), 1e3);
}

TEST(GyreLevel, CentresAreMeansOfFaces) {
  const StaggeredGrid grid{2, 2};
  OrthogonalState state{VelocityField(grid), {VelocityField(grid)}, {-0.5, 0.5}, 2};
  state.mean.u(0, 1) = 4;  // the middle face of the southern row
  state.mean.v(1, 1) = 6;  // the middle face of the eastern column
  state.modes[0].u(1, 1) = 2;
  const EnvironmentInfo info = test::plain_info(2, 2, 2, 1, 2);
  LevelFields<> fields(info);
  fill_velocity(state, 0.25, fields);
  EXPECT_THAT(to_vector(fields.u_mean), ElementsAre(0.5F, 0.5F, 0, 0));
  EXPECT_THAT(to_vector(fields.v_mean), ElementsAre(0, 0.75F, 0, 0.75F));
  EXPECT_THAT(to_vector(fields.u_mode),
              ElementsAre(0, 0, 1, 1));  // the coefficient carries the scale
  EXPECT_THAT(to_vector(fields.v_mode), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(to_vector(fields.coefficient), ElementsAre(-0.125F, 0.125F));
  EXPECT_THAT(to_vector(fields.dry), ElementsAre(0, 0, 0, 0));
}

TEST(StrongestFlow, IsTheGreatestOfAllCellsAndRealizations) {
  const EnvironmentInfo info = test::plain_info(31, 17, 2, 3, 301);
  LevelFields<> fields(info);
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  for (auto* field :
       {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode, &fields.coefficient}) {
    std::generate(field->begin(), field->end(), [&] { return normal(random); });
  }
  const std::size_t cells = fields.u_mean.size();
  double max = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t r = 0; r < 301; ++r) {
      double u = fields.u_mean[cell];
      double v = fields.v_mean[cell];
      for (std::size_t m = 0; m < 3; ++m) {
        u += double(fields.coefficient[m * 301 + r]) * fields.u_mode[m * cells + cell];
        v += double(fields.coefficient[m * 301 + r]) * fields.v_mode[m * cells + cell];
      }
      max = std::max(max, std::hypot(u, v));
    }
  }
  EXPECT_NEAR(strongest_flow(fields.view(info)), max, 1e-6 * max);
}

TEST(StrongestFlow, IsTheSpeedOfADeterministicFlow) {
  const EnvironmentInfo info = test::plain_info(3, 1, 2, 1, 2);
  LevelFields<> fields(info);
  for (auto* field :
       {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode, &fields.coefficient}) {
    std::fill(field->begin(), field->end(), 0.0F);
  }
  fields.u_mean[1] = 3;
  fields.v_mean[1] = -4;
  EXPECT_DOUBLE_EQ(strongest_flow(fields.view(info)), 5);
}

TEST(Segments, CoverAllLevelsWithAtLeastTwoEach) {
  for (int levels = 2; levels < 64; ++levels) {
    const Segments segments{levels};
    int next = 0;
    for (int n = 0; n < segments.count(); ++n) {
      EXPECT_EQ(segments.first(n), next);
      EXPECT_GE(segments.end(n) - next, 2) << levels;
      EXPECT_LE(segments.end(n) - next, 20) << levels;
      next = segments.end(n);
    }
    EXPECT_EQ(next, levels);
  }
}

}  // namespace
}  // namespace tidewise::gyre
