#include "mdp/worlds/sample_worlds.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "mdp/worlds/inventory.h"
#include "mdp/worlds/mountain_car.h"
#include "mdp/worlds/queue_network.h"
#include "mdp/worlds/random_world.h"
#include "support/checksum.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(QueueNetwork, MatchesAHandCalculation) {
  // One queue of at most two; the total rate of events is 1 + 1 = 2.
  const auto process = make_queue_network<double>({.queues = 1,
                                                   .capacity = 2,
                                                   .arrival_rate = 1,
                                                   .slow_rate = 0.5,
                                                   .fast_rate = 1,
                                                   .waiting_cost = 1,
                                                   .fast_cost = 3,
                                                   .loss_cost = 10});
  EXPECT_EQ(process.state_count, 3);
  EXPECT_EQ(process.action_count, 4);
  const test::Row slow = test::row_of(process, 1, 0);  // admitted, slow service
  EXPECT_THAT(slow.to, ElementsAre(Pair(0, 0.25), Pair(1, 0.25), Pair(2, 0.5)));
  EXPECT_EQ(slow.reward, -0.5);
  const test::Row refused = test::row_of(process, 1, 3);  // refused, fast service
  EXPECT_THAT(refused.to, ElementsAre(Pair(0, 0.5), Pair(1, 0.5)));
  EXPECT_EQ(refused.reward, -(1 + 3 + 10) / 2.0);
  const test::Row full = test::row_of(process, 2, 0);  // no room: the arrival is lost
  EXPECT_THAT(full.to, ElementsAre(Pair(1, testing::_), Pair(2, testing::_)));
  EXPECT_EQ(full.reward, -(2 + 10) / 2.0);
}

TEST(Inventory, MatchesAHandCalculation) {
  const auto process = make_inventory<double>({.room = 1,
                                               .demand = 1,
                                               .display = 0,
                                               .price = 8,
                                               .order_cost = 4,
                                               .delivery_cost = 2,
                                               .holding_cost = 1});
  const test::Row order = test::row_of(process, 0, 1);  // a demand of one with probability 1/2
  EXPECT_THAT(order.to, ElementsAre(Pair(0, 0.5), Pair(1, 0.5)));
  EXPECT_EQ(order.reward, 8 * 0.5 - 4 - 2 - 0.5);
  EXPECT_TRUE(test::row_of(process, 1, 1).to.empty());  // no room
}

TEST(MountainCar, EndsAtTheFlagAndMovesByItsEquations) {
  const auto process = make_mountain_car<double>({.positions = 19, .velocities = 15, .gust = 0});
  EXPECT_TRUE(process.is_terminal(18));
  EXPECT_TRUE(process.is_terminal(17));   // at 0.5
  EXPECT_FALSE(process.is_terminal(16));  // at 0.4
  // From rest at x = −0.5 with full thrust: v = 0.001 − 0.0025 cos(−1.5), and x changes by v.
  const std::int32_t state = 7 * 19 + 7;  // x = −0.5, v = 0
  const double v = 0.001 - 0.0025 * std::cos(-1.5);
  const test::Row row = test::row_of(process, state, 4);
  const auto any = testing::_;
  ASSERT_THAT(row.to, ElementsAre(Pair(state, any), Pair(state + 1, any), Pair(state + 19, any),
                                  Pair(state + 20, any)));
  EXPECT_NEAR(row.to[1].second + row.to[3].second, v / 0.1, 1e-9);
  EXPECT_NEAR(row.to[2].second + row.to[3].second, v / 0.01, 1e-9);
  EXPECT_EQ(row.reward, -1);
}

TEST(SampleWorlds, AreValidAndDeterministic) {
  const std::uint64_t expected[] = {0xef4325a35109aa62, 0xee4b7283798f207a, 0xb49c6039d0046b93,
                                    0xfd05b4480385710f};
  std::size_t n = 0;
  for (const std::string& kind : sample_world_kinds()) {
    const auto process = make_sample_world<float>({kind, {}, 0.002});
    require_sound(process, kind);
    require_sound(make_sample_world<double>({kind, 0.5, 0.001}), kind);
    test::Checksum checksum;
    checksum.add(process.row_begin.data(), process.row_begin.size());
    checksum.add(process.successor.data(), process.successor.size());
    checksum.add(process.probability.data(), process.probability.size());
    checksum.add(process.reward.data(), process.reward.size());
    EXPECT_EQ(checksum.value(), expected[n]) << kind << std::hex << " 0x" << checksum.value();
    ++n;
  }
}

TEST(SampleWorlds, AreFoundByName) {
  EXPECT_FALSE(sample_world_of("G1"));
  EXPECT_FALSE(sample_world_of(""));
  EXPECT_EQ(sample_world_of("car")->kind, "car");
  EXPECT_FALSE(sample_world_of("car")->discount);
  EXPECT_EQ(sample_world_of("queues@0.999")->discount, 0.999);
  for (const char* wrong : {"car@", "car@x", "car@1.5", "car@0.9x", "car@nan"}) {
    EXPECT_THROW((void)sample_world_of(wrong), InputError) << wrong;
  }
  EXPECT_THROW(make_sample_world<double>({"boat", {}, 1}), InputError);
  EXPECT_THROW(make_sample_world<double>({"car", {}, 0}), InputError);
}

TEST(SampleWorlds, RefuseInvalidOptions) {
  EXPECT_THROW(make_random_world<double>({.states = 0}), InputError);
  EXPECT_THROW(make_random_world<double>({.discount = 2}), InputError);
  EXPECT_THROW(make_queue_network<double>({.queues = 7, .capacity = 99}), InputError);
  EXPECT_THROW(make_queue_network<double>({.slow_rate = 0}), InputError);
  EXPECT_THROW(make_mountain_car<double>({.positions = 1}), InputError);
  EXPECT_THROW(make_inventory<double>({.demand = 0}), InputError);
}

}  // namespace
}  // namespace tidewise::mdp
