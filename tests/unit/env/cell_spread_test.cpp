// Flows spread over a cell, by hand and by how evenly.

#include "env/tools/cell_spread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "support/ocean/environment_builder.h"

namespace tidewise {
namespace {

using testing::Each;
using testing::FloatNear;

/// One level, all of it 7 before, then spread.
LevelFields<> spread_of(const EnvironmentInfo& info) {
  LevelFields<> fields(info);
  for (auto* field :
       {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode, &fields.coefficient}) {
    std::fill(field->begin(), field->end(), 7.0F);
  }
  spread_ensemble_over_cell(info, fields);
  return fields;
}

std::vector<float> values_of(const Array<float>& field) { return {field.begin(), field.end()}; }

TEST(CellSpread, ShiftsAnEnsembleByItsLastTwoModesByHand) {
  EnvironmentInfo info = test::plain_info(2, 1, 1, 3, 3);
  info.grid.dx = 1000;
  info.grid.dy = 500;
  info.time.step = 250;
  const LevelFields<> fields = spread_of(info);
  // A cell of 1000 × 500 m in a step of 250 s; what was there before stays.
  EXPECT_THAT(values_of(fields.u_mode), testing::ElementsAre(7, 7, 4, 4, 0, 0));
  EXPECT_THAT(values_of(fields.v_mode), testing::ElementsAre(7, 7, 0, 0, 2, 2));
  EXPECT_THAT(values_of(fields.u_mean), Each(7.0F));
  EXPECT_THAT(values_of(fields.v_mean), Each(7.0F));
  // The parts of 0.5 + 0.754878 r and 0.5 + 0.569840 r after the point, less a half.
  const std::array<double, 9> coefficient{7, 7, 7, 0, -0.245122, -0.490245, 0, -0.430160, 0.139681};
  for (std::size_t n = 0; n < 9; ++n) {
    EXPECT_THAT(fields.coefficient[n], FloatNear(static_cast<float>(coefficient[n]), 1e-6F)) << n;
  }
}

/// As many shifts as an ensemble that is published has.
class ManyShifts : public testing::Test {
 protected:
  static constexpr std::size_t count = 5000;
  double x(std::size_t r) const { return fields_.coefficient[r]; }
  double y(std::size_t r) const { return fields_.coefficient[count + r]; }

  const LevelFields<> fields_ = spread_of(test::plain_info(1, 1, 1, 2, count));
};

TEST_F(ManyShifts, FillTheCellEvenly) {
  constexpr std::size_t side = 8;
  std::array<int, side * side> in_box{};
  const auto box = [](double shift) {
    EXPECT_GE(shift, -0.5);
    EXPECT_LE(shift, 0.5);
    return std::min(side - 1, static_cast<std::size_t>((shift + 0.5) * side));
  };
  for (std::size_t r = 0; r < count; ++r) ++in_box[box(y(r)) * side + box(x(r))];
  // 78 each; shifts at random would leave some with 60 and some with 97.
  EXPECT_THAT(in_box, Each(testing::AllOf(testing::Ge(74), testing::Le(82))));
}

TEST_F(ManyShifts, AverageToNothingAndGoTogetherInNothing) {
  double mean_x = 0, mean_y = 0, square_x = 0, square_y = 0, product = 0;
  for (std::size_t r = 0; r < count; ++r) {
    mean_x += x(r) / count;
    mean_y += y(r) / count;
    square_x += x(r) * x(r) / count;
    square_y += y(r) * y(r) / count;
    product += x(r) * y(r) / count;
  }
  EXPECT_NEAR(mean_x, 0, 1e-3);
  EXPECT_NEAR(mean_y, 0, 1e-3);
  EXPECT_NEAR(square_x, 1.0 / 12, 1e-3);
  EXPECT_NEAR(square_y, 1.0 / 12, 1e-3);
  EXPECT_NEAR(product, 0, 1e-3);
}

/// A way of (a, b) cells from a centre lands in the four cells around by area.
TEST_F(ManyShifts, ShareOutLandingsByArea) {
  for (const double a : {0.0, 0.1, 0.25, 0.5, 0.9}) {
    for (const double b : {0.0, 0.3, 0.75}) {
      double landed[2][2] = {};
      for (std::size_t r = 0; r < count; ++r) {
        landed[b + y(r) >= 0.5 ? 1 : 0][a + x(r) >= 0.5 ? 1 : 0] += 1.0 / count;
      }
      EXPECT_NEAR(landed[0][0], (1 - a) * (1 - b), 2e-3) << a << " " << b;
      EXPECT_NEAR(landed[0][1], a * (1 - b), 2e-3) << a << " " << b;
      EXPECT_NEAR(landed[1][0], (1 - a) * b, 2e-3) << a << " " << b;
      EXPECT_NEAR(landed[1][1], a * b, 2e-3) << a << " " << b;
    }
  }
}

}  // namespace
}  // namespace tidewise
