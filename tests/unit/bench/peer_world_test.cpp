#include <gmock/gmock.h>

#include "bench/mdp/peers.h"
#include "bench/mdp/worlds.h"

namespace tidewise {
namespace {

using testing::HasSubstr;

TEST(PeerWorld, IsComparedWithTheBestThatCounts) {
  PeerWorld world;
  world.figures.resize(4);
  world.figures[0].seconds = {1, 3, 2};
  world.figures[1].seconds = {8, 4, 5};
  world.figures[2].seconds = {1, 1, 1};
  world.figures[2].trouble = "is 1 off";
  world.figures[3].seconds = {16};
  EXPECT_DOUBLE_EQ(world.of_best_peer(0), 2.0 / 5);
  EXPECT_DOUBLE_EQ(world.of_best_peer(1), 1);
  EXPECT_DOUBLE_EQ(world.of_best_peer(3), 16.0 / 5);
  EXPECT_THAT(world.to_text(), HasSubstr("0.40"));
  EXPECT_THAT(world.to_text(), HasSubstr("does not count: is 1 off"));
  world.figures[1].trouble = "took more than 1 s";
  world.figures[3].trouble = "too";
  EXPECT_EQ(world.of_best_peer(0), 0);
}

TEST(RewiredWorld, IsNamedBySideShareAndDiscount) {
  const MdpWorld world = mdp_world("rewired-450x10@0.95");
  EXPECT_EQ(world.grid.n_x, 450);
  EXPECT_EQ(world.grid.n_y, 450);
  EXPECT_DOUBLE_EQ(world.grid.rewired_share, 0.1);
  EXPECT_DOUBLE_EQ(world.grid.discount, 0.95);
  EXPECT_DOUBLE_EQ(mdp_world("rewired-20x50").grid.discount, 0.99);
  EXPECT_EQ(make_mdp_world<double>(mdp_world("rewired-20x50"), MdpSize::whole, 1).state_count, 400);
}

}  // namespace
}  // namespace tidewise
