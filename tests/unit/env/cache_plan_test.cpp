#include "env/device/cache_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "env/levels/level_stream.h"

namespace tidewise {
namespace {

/// Follows the plan of a pass that holds two levels at once, and checks that every step finds its
/// level. Returns the number of levels read.
std::size_t follow_plan(const std::vector<TimeLevel>& order, std::vector<CacheSlot>& slots) {
  const auto steps = plan_cache(order, slots);
  EXPECT_EQ(steps.size(), order.size());
  std::uint64_t use = 0;
  for (const CacheSlot& slot : slots) use = std::max(use, slot.last_use);
  std::size_t read = 0;
  std::vector<std::size_t> last_step(slots.size(), 0);  // step of last use, from 1
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const CacheStep& step = steps[n];
    CacheSlot& slot = slots.at(step.slot);
    if (step.source == CacheStep::Source::file) {
      // A step waits for the slot's last use and no later step, so that reading runs ahead.
      EXPECT_EQ(step.free_after, last_step[step.slot]);
      if (step.free_after > 0) {
        EXPECT_LE(step.free_after + std::min<std::size_t>(slots.size(), 5), n + 1);
      }
      slot.level = order[n];
      ++read;
    }
    EXPECT_EQ(slot.level, order[n]) << "step " << n;
    slot.last_use = ++use;
    last_step[step.slot] = n + 1;
  }
  return read;
}

std::vector<TimeLevel> levels(std::initializer_list<std::int32_t> values) {
  std::vector<TimeLevel> result;
  for (const auto value : values) result.emplace_back(value);
  return result;
}

TEST(CachePlan, KeepsAllLevelsThatFit) {
  std::vector<CacheSlot> slots(8);
  EXPECT_EQ(follow_plan(levels_between(TimeLevel(7), TimeLevel(0)), slots), 8U);
  EXPECT_EQ(follow_plan(levels_between(TimeLevel(0), TimeLevel(7)), slots), 0U);
  EXPECT_EQ(follow_plan(levels({3, 3, 0, 7, 3}), slots), 0U);
}

TEST(CachePlan, ReusesLevelsWhenThePassReverses) {
  std::vector<CacheSlot> slots(6);
  EXPECT_EQ(follow_plan(levels_between(TimeLevel(19), TimeLevel(0)), slots), 20U);
  EXPECT_EQ(follow_plan(levels_between(TimeLevel(0), TimeLevel(19)), slots), 14U);
  EXPECT_EQ(follow_plan(levels_between(TimeLevel(19), TimeLevel(0)), slots), 14U);
}

TEST(CachePlan, ReusesMostLevelsInARepeatedPass) {
  std::vector<CacheSlot> slots(10);
  EXPECT_EQ(follow_plan(levels_between(TimeLevel(19), TimeLevel(0)), slots), 20U);
  // Five slots are reused while five levels wait for the pass to need them.
  EXPECT_EQ(follow_plan(levels_between(TimeLevel(19), TimeLevel(0)), slots), 15U);
}

TEST(CachePlan, WorksWithThreeSlots) {
  std::vector<CacheSlot> slots(3);
  EXPECT_EQ(follow_plan(levels_between(TimeLevel(9), TimeLevel(0)), slots), 10U);
  EXPECT_EQ(follow_plan(levels_between(TimeLevel(0), TimeLevel(9)), slots), 7U);
}

TEST(CachePlan, PlansOneLevelAndNoLevels) {
  std::vector<CacheSlot> slots(1);
  EXPECT_EQ(follow_plan(levels({0, 0, 0}), slots), 1U);
  EXPECT_EQ(follow_plan({}, slots), 0U);
}

TEST(CachePlan, PlansAnyOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<CacheSlot> slots(3 + random() % 8);
    for (int pass = 0; pass < 4; ++pass) {
      std::vector<TimeLevel> order;
      for (std::size_t n = random() % 60; n > 0; --n) {
        order.emplace_back(static_cast<std::int32_t>(random() % 20));
      }
      follow_plan(order, slots);
    }
  }
}

}  // namespace
}  // namespace tidewise
