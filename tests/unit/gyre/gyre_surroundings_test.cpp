// Obstacles and sunlight of the wind-driven gyre, compared with hand calculations.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "env/gyre/surroundings.h"

namespace tidewise::gyre {
namespace {

/// Returns the rows of the mask from north to south; # marks closed cells.
std::vector<std::string> picture(const Surroundings& surroundings, const Grid& grid, int level) {
  std::vector<std::uint8_t> masked(static_cast<std::size_t>(grid.cell_count()), 7);
  fill_obstacles(surroundings, grid, TimeLevel(level), masked);
  std::vector<std::string> rows;
  for (int j = grid.ny - 1; j >= 0; --j) {
    std::string row;
    for (int i = 0; i < grid.nx; ++i) {
      row += masked[static_cast<std::size_t>(grid.cell(i, j).value)] != 0 ? '#' : '.';
    }
    rows.push_back(row);
  }
  return rows;
}

TEST(GyreObstacles, EnterInTheWestAndLeaveInTheEast) {
  Surroundings surroundings;
  surroundings.obstacle_side = 0.2;
  surroundings.obstacles = {{2, 0.6, 0.1}};
  const Grid grid{10, 5, 0.5, 0.5, 1, 1};
  using Rows = std::vector<std::string>;
  const Rows open(5, "..........");
  EXPECT_EQ(picture(surroundings, grid, 0), open);
  EXPECT_EQ(picture(surroundings, grid, 2), open);  // its eastern edge is at the wall
  EXPECT_EQ(picture(surroundings, grid, 3),
            (Rows{"..........", "#.........", "..........", "..........", ".........."}));
  EXPECT_EQ(picture(surroundings, grid, 6),
            (Rows{"..........", "..##......", "..........", "..........", ".........."}));
  EXPECT_EQ(picture(surroundings, grid, 13),
            (Rows{"..........", ".........#", "..........", "..........", ".........."}));
  EXPECT_EQ(picture(surroundings, grid, 14), open);
  EXPECT_EQ(picture(surroundings, grid, 100000), open);
}

TEST(GyreObstacles, MayStartInsideAndAreClippedAtTheNorthernWall) {
  Surroundings surroundings;
  surroundings.obstacle_side = 0.4;
  surroundings.obstacles = {{-4, 0.8, 0.1}, {0, 0, 0.1}};
  const Grid grid{10, 5, 0.5, 0.5, 1, 1};
  EXPECT_EQ(picture(surroundings, grid, 1),
            (std::vector<std::string>{".####.....", "..........", "..........", "#.........",
                                      "#........."}));
}

TEST(GyreObstacles, HaveSidesOfTwentyCellsAtThePublishedSize) {
  const Grid grid{200, 200, 2500, 2500, 5000, 5000};
  const Surroundings surroundings;
  for (const MovingSquare& square : surroundings.obstacles) {
    Surroundings single = surroundings;
    single.obstacles.assign(1, square);
    std::vector<std::uint8_t> masked(40000);
    // The obstacle's centre is then halfway across the basin.
    const int level = static_cast<int>(square.entry + 0.55 / square.speed);
    fill_obstacles(single, grid, TimeLevel(level), masked);
    EXPECT_EQ(std::count(masked.begin(), masked.end(), 1), 400);
  }
}

TEST(GyreSun, HasACloudThatMovesWest) {
  const Grid grid{20, 10, 0.5, 0.5, 1, 1};
  const Surroundings surroundings;
  std::vector<float> radiation(200);
  const auto darkest_column = [&](int level) {
    fill_radiation(surroundings, grid, TimeLevel(level), radiation);
    const auto darkest = std::min_element(radiation.begin(), radiation.end());
    return static_cast<int>((darkest - radiation.begin()) % 20);
  };
  EXPECT_EQ(darkest_column(0), 18);        // centres at 0.925 and 0.975 about 0.95
  EXPECT_GT(radiation[100], 0.99F * 500);  // the western wall lies in the sun
  EXPECT_NEAR(*std::min_element(radiation.begin(), radiation.end()), 50, 8);  // dimmed by 90 %
  EXPECT_EQ(darkest_column(100), 13);
  EXPECT_EQ(darkest_column(200), 8);
  EXPECT_LE(*std::max_element(radiation.begin(), radiation.end()), 500);
}

}  // namespace
}  // namespace tidewise::gyre
