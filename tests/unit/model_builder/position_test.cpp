#include "model_builder/step/position.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "base/error.h"
#include "env/weights.h"
#include "model_builder/step/spread.h"

namespace tidewise {
namespace {

std::map<std::pair<int, int>, std::uint32_t> shares_of(StepPosition position,
                                                       const PositionRule& rule) {
  std::map<std::pair<int, int>, std::uint32_t> shares;
  for_each_share(rule, position.x, position.y, [&](int dx, int dy, std::uint32_t share) {
    shares[{dx, dy}] += share;
  });
  return shares;
}

TEST(Position, RoundsTheCertainPartToA256th) {
  EXPECT_EQ(certain_position(0, 0), 0);
  EXPECT_EQ(certain_position(2047, 0), 0);
  EXPECT_EQ(certain_position(2048, 0), 1);
  EXPECT_EQ(certain_position(-2048, 0), 0);
  EXPECT_EQ(certain_position(-2049, 0), -1);
  EXPECT_EQ(certain_position(1000, 1048), 1);  // sum of mean and action
  EXPECT_EQ(certain_position(one_cell, -3 * one_cell), -512);
  EXPECT_EQ(certain_position(1023 * one_cell, one_cell / 2), 1023 * 256 + 128);
}

TEST(Position, HasBinsThatDivideACell) {
  EXPECT_EQ(position_of(3, 5, {LandingBy::area, 3}), 3 * 32 + 5);
  EXPECT_EQ(position_of(-3, 5, {LandingBy::area, 0}), -3 * 256 + 5);
  EXPECT_EQ(position_of(-3, 5, {LandingBy::cell, 8}), 2);
}

TEST(Position, IsAssignedToTheNearestCell) {
  const PositionRule rule{LandingBy::cell, 3};
  EXPECT_EQ(rule.first_cell(127), 0);
  EXPECT_EQ(rule.first_cell(128), 1);  // the lower edge belongs to the next cell
  EXPECT_EQ(rule.first_cell(-128), 0);
  EXPECT_EQ(rule.first_cell(-129), -1);
  const auto shares = shares_of({128, -129}, rule);
  EXPECT_EQ(shares.size(), 1u);
  EXPECT_EQ(shares.at({1, -1}), 1u);
}

TEST(Position, IsSharedByFourCellsWithBilinearWeights) {
  const PositionRule rule{LandingBy::area, 3};
  const auto shares = shares_of({256 + 64, -1}, rule);
  EXPECT_EQ(shares.at({1, -1}), 192u * 1);
  EXPECT_EQ(shares.at({2, -1}), 64u * 1);
  EXPECT_EQ(shares.at({1, 0}), 192u * 255);
  EXPECT_EQ(shares.at({2, 0}), 64u * 255);
  EXPECT_EQ(shares_of({0, 0}, rule).at({0, 0}), 65536u);
  EXPECT_EQ(rule.share(), 65536u);
}

EnvironmentInfo ensemble(std::int32_t realizations) {
  EnvironmentInfo info;
  info.realization_count = realizations;
  return info;
}

TEST(PositionRule, HasFinerBinsForFewRealizations) {
  EXPECT_EQ(position_rule(LandingBy::area, ensemble(5000)).bin_bits, 3);
  EXPECT_EQ(position_rule(LandingBy::area, ensemble(500)).bin_bits, 3);
  EXPECT_EQ(position_rule(LandingBy::area, ensemble(499)).bin_bits, 5);
  EXPECT_EQ(position_rule(LandingBy::cell, ensemble(200)).bin_bits, 5);
  EXPECT_EQ(position_rule(LandingBy::cell, ensemble(1)).bin_bits, 8);
}

TEST(PositionRule, KeepsRowsBelowTwoToThe31) {
  EXPECT_EQ(row_total(ensemble(32767), position_rule(LandingBy::area, ensemble(32767))),
            32767u << 16);
  EXPECT_THROW(position_rule(LandingBy::area, ensemble(32768)), InputError);
  EXPECT_EQ(row_total(ensemble(32768), position_rule(LandingBy::cell, ensemble(32768))), 32768u);
}

TEST(PositionRule, SumsWeightsToTheTotal) {
  EnvironmentInfo info = ensemble(5);
  info.realization_weight = to_integer_weights({1, 0, 5, 2.5, 0.001});
  const PositionRule by_area{LandingBy::area, 3};
  const PositionRule by_cell{LandingBy::cell, 3};
  EXPECT_EQ(counting_weights(info, by_cell), info.realization_weight);
  EXPECT_EQ(row_total(info, by_cell), 1u << 24);
  const auto weights = counting_weights(info, by_area);
  EXPECT_EQ(std::accumulate(weights.begin(), weights.end(), 0u), 32767u);
  EXPECT_EQ(row_total(info, by_area), 32767u << 16);
  EXPECT_EQ(weights[1], 0u);
  EXPECT_EQ(weights[0], 3855u);  // 32767 / 8.501 = 3854.49: the second largest remainder
  EXPECT_EQ(weights[2], 19272u);
  EXPECT_TRUE(counting_weights(ensemble(5), by_area).empty());
}

TEST(Spread, MatchesAHandCalculation) {
  // C = 2, one cell per unit of velocity, bins of 1/8: f = 16/Q; a mode of ½ reaches 8 bins.
  const ModeScale scale = mode_scale(2, 8, 8);
  EXPECT_EQ(integer_coefficient(2, scale.coefficient), greatest_coefficient);
  EXPECT_EQ(integer_coefficient(-1, scale.coefficient), -greatest_coefficient / 2);
  const auto bins = [&](float coefficient) {
    const float mode = 0.5F;
    std::int32_t sum = 0;
    const std::int32_t shift = integer_modes(
        &mode, 1, 1, [&](std::int32_t) { return scale.x; },
        [&](std::int32_t, std::int32_t m) {
          EXPECT_LE(m, 1 << 11);
          EXPECT_GE(m, 1 << 10);
          sum += m * integer_coefficient(coefficient, scale.coefficient);
        });
    return bins_of_sum(sum, shift);
  };
  EXPECT_EQ(bins(2), 8);
  EXPECT_EQ(bins(-2), -8);
  EXPECT_EQ(bins(1), 4);
  EXPECT_EQ(bins(0.3F), 1);    // 1.2
  EXPECT_EQ(bins(-0.3F), -1);  // −1.2
  EXPECT_EQ(bins(0), 0);
}

TEST(Spread, IsZeroForAZeroCoefficient) {
  const ModeScale scale = mode_scale(0, 8, 8);
  EXPECT_EQ(integer_coefficient(0, scale.coefficient), 0);
  EXPECT_EQ(integer_mode(3, scale.x, 24), 0);
}

}  // namespace
}  // namespace tidewise
