// Division of a grid into bands, and exchange of their halos.
#include <gtest/gtest.h>

#include <vector>

#include "env/row_balance.h"
#include "solver/subdomains/halo_exchange.h"

namespace tidewise {
namespace {

TEST(RowBalance, GivesCheapBandsMoreRows) {
  const std::vector<double> cost{1, 1, 1, 1, 2, 2, 2, 2};
  const auto subdomains = balance_rows(cost, 2, 1);
  ASSERT_EQ(subdomains.size(), 2U);
  EXPECT_EQ(subdomains[0], (RowWindow{0, 5, 0, 6}));
  EXPECT_EQ(subdomains[1], (RowWindow{5, 8, 4, 8}));
}

TEST(RowBalance, LeavesNoBandLowerThanAHalo) {
  std::vector<double> cost(20, 0);
  cost[1] = 100;
  for (const std::size_t costly_row : {std::size_t{1}, std::size_t{10}, std::size_t{19}}) {
    std::fill(cost.begin(), cost.end(), 0);
    cost[costly_row] = 100;
    const auto subdomains = balance_rows(cost, 4, 3);
    std::int32_t row = 0;
    for (const RowWindow& subdomain : subdomains) {
      EXPECT_EQ(subdomain.begin, row);
      EXPECT_GE(subdomain.size(), 3);
      EXPECT_EQ(subdomain.south_halo(), subdomain.begin == 0 ? 0 : 3);
      EXPECT_EQ(subdomain.north_halo(), subdomain.end == 20 ? 0 : 3);
      row = subdomain.end;
    }
    EXPECT_EQ(row, 20);
  }
}

TEST(RowBalance, DividesEqualCostsEvenly) {
  EXPECT_EQ(balance_rows(std::vector<double>(20, 1), 4, 2), divide_rows(20, 4, 2));
  EXPECT_EQ(balance_rows(std::vector<double>(20, 0), 4, 2), divide_rows(20, 4, 2));
  EXPECT_EQ(spread_costs(divide_rows(4, 2, 0), {2, 6}), (std::vector<double>{1, 1, 3, 3}));
}

TEST(HaloSides, SendOwnRowsAndReceiveTheHalo) {
  const auto sides = halo_sides({4, 9, 2, 11}, 3, 10);
  ASSERT_EQ(sides.size(), 2U);
  EXPECT_EQ(sides[0].neighbour, 2);
  EXPECT_EQ(sides[0].count, 20U);
  EXPECT_EQ(sides[0].receive_begin, 0U);
  EXPECT_EQ(sides[0].send_begin, 20U);
  EXPECT_EQ(sides[1].neighbour, 4);
  EXPECT_EQ(sides[1].count, 20U);
  EXPECT_EQ(sides[1].send_begin, 50U);
  EXPECT_EQ(sides[1].receive_begin, 70U);
  const auto border = halo_sides({0, 9, 0, 11}, 0, 10);
  ASSERT_EQ(border.size(), 1U);
  EXPECT_EQ(border[0].neighbour, 1);
  EXPECT_EQ(border[0].send_begin, 70U);
}

}  // namespace
}  // namespace tidewise
