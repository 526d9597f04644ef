// What devices need to solve in bands that no device takes part in.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "env/row_balance.h"
#include "solver/induction/device_halo_exchange.h"
#include "solver/subdomains/barrier.h"
#include "solver/subdomains/planes.h"

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
  for (const std::size_t dear : {std::size_t{1}, std::size_t{10}, std::size_t{19}}) {
    std::fill(cost.begin(), cost.end(), 0);
    cost[dear] = 100;
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

TEST(RowBalance, DividesEvenlyWhatCostsTheSameOrNothing) {
  EXPECT_EQ(balance_rows(std::vector<double>(20, 1), 4, 2), divide_rows(20, 4, 2));
  EXPECT_EQ(balance_rows(std::vector<double>(20, 0), 4, 2), divide_rows(20, 4, 2));
  EXPECT_EQ(spread_costs(divide_rows(4, 2, 0), {2, 6}), (std::vector<double>{1, 1, 3, 3}));
}

TEST(HaloSides, SendOwnRowsAndReceiveTheHalo) {
  const auto sides = halo_sides({4, 9, 2, 11}, 10);
  EXPECT_EQ(sides.south.count, 20U);
  EXPECT_EQ(sides.south.receive_begin, 0U);
  EXPECT_EQ(sides.south.send_begin, 20U);
  EXPECT_EQ(sides.north.count, 20U);
  EXPECT_EQ(sides.north.send_begin, 50U);
  EXPECT_EQ(sides.north.receive_begin, 70U);
  const auto border = halo_sides({0, 9, 0, 11}, 10);
  EXPECT_EQ(border.south.count, 0U);
  EXPECT_EQ(border.north.send_begin, 70U);
}

TEST(SubdomainBarrier, LetsNobodyGoBeforeAllAreThere) {
  constexpr int subdomains = 4;
  constexpr int rounds = 50;
  SubdomainBarrier barrier(subdomains);
  std::atomic<int> arrived = 0;
  std::atomic<bool> early = false;
  std::vector<std::thread> threads;
  for (int subdomain = 0; subdomain < subdomains; ++subdomain) {
    threads.emplace_back([&] {
      for (int round = 1; round <= rounds; ++round) {
        ++arrived;
        barrier.meet();
        if (arrived < round * subdomains) early = true;
      }
      barrier.leave();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_FALSE(early);
  EXPECT_EQ(arrived, subdomains * rounds);
}

TEST(SubdomainBarrier, EndsForAllWhenOneGivesUp) {
  SubdomainBarrier barrier(3);
  std::atomic<int> told = 0;
  std::vector<std::thread> threads;
  for (int subdomain = 0; subdomain < 2; ++subdomain) {
    threads.emplace_back([&] {
      try {
        barrier.meet();
      } catch (const SubdomainsEnded&) {
        ++told;
      }
      barrier.leave();
    });
  }
  barrier.end();
  barrier.leave();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(told, 2);
}

/// Levels `last` … 0 whose every cell holds its level's number.
void bring_levels(SubdomainPlanes& planes, std::size_t subdomain, std::int32_t rows,
                  std::int32_t nx, std::int32_t last) {
  const auto cells = static_cast<std::size_t>(rows * nx);
  for (std::int32_t k = last; k >= 0; --k) {
    const std::vector<std::int16_t> action(cells,
                                           static_cast<std::int16_t>(10 * k + int(subdomain)));
    const std::vector<float> value(cells, static_cast<float>(k));
    planes.bring(subdomain, TimeLevel(k), {action.data(), cells}, {value.data(), cells},
                 subdomain == 1 && k == 7);
  }
}

TEST(SubdomainPlanes, MakeWholeLevelsInTheirOrder) {
  const Grid grid{5, 9, 0, 0, 1, 1};
  const auto subdomains = divide_rows(9, 3, 1);
  constexpr std::int32_t last = 40;
  SubdomainPlanes planes(grid, subdomains);
  std::vector<std::thread> threads;
  for (std::size_t subdomain = 0; subdomain < subdomains.size(); ++subdomain) {
    threads.emplace_back(
        [&, subdomain] { bring_levels(planes, subdomain, subdomains[subdomain].size(), 5, last); });
  }
  for (std::int32_t k = last; k >= 0; --k) {
    const SubdomainPlanes::Level* level = planes.take();
    ASSERT_NE(level, nullptr);
    EXPECT_EQ(level->k.value, k);
    EXPECT_EQ(level->overflow, k == 7);
    for (std::size_t cell = 0; cell < 45; ++cell) {
      ASSERT_EQ(level->action[cell], 10 * k + static_cast<int>(cell / 15));
      ASSERT_EQ(level->value[cell], static_cast<float>(k));
    }
  }
  for (auto& thread : threads) thread.join();
}

TEST(SubdomainPlanes, HoldUpNobodyOnceTheyHaveEnded) {
  const Grid grid{5, 9, 0, 0, 1, 1};
  const auto subdomains = divide_rows(9, 3, 1);
  SubdomainPlanes planes(grid, subdomains);
  std::thread ahead([&] { bring_levels(planes, 0, subdomains[0].size(), 5, 40); });
  planes.end();
  ahead.join();
  EXPECT_EQ(planes.take(), nullptr);
}

}  // namespace
}  // namespace tidewise
