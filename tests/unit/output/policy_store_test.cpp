// Policy stores, which write in a thread and keep a copy in memory.

#include "output/run/policy_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "base/error.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using Levels = std::vector<std::int32_t>;

/// Records its input. It can be slow, or fail at a level.
class RecordingSink final : public PolicySink {
 public:
  void accept(std::size_t /*leg*/, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override {
    std::this_thread::sleep_for(pause);
    if (k.value == fails_at) throw RunError("the disk is full");
    levels.push_back(k.value);
    actions.insert(actions.end(), action.begin(), action.end());
    values.insert(values.end(), value.begin(), value.end());
    ++count;
  }

  std::chrono::milliseconds pause{0};
  std::int32_t fails_at = -1;
  Levels levels;
  std::vector<std::int16_t> actions;
  std::vector<float> values;
  std::atomic<std::int32_t> count = 0;
};

constexpr std::size_t level_size = 2 * (sizeof(std::int16_t) + sizeof(float));

void send(PolicySink& sink, std::int32_t k) {
  const std::vector<std::int16_t> action{static_cast<std::int16_t>(k), -1};
  const std::vector<float> value{0.5F * static_cast<float>(k), 7};
  sink.accept(0, TimeLevel(k), {action.data(), 2}, {value.data(), 2});
}

TEST(ThreadedPolicySink, ForwardsEveryLevelInOrder) {
  RecordingSink inner;
  PolicyPool pool(1, 2 * level_size);
  ThreadedPolicySink sink(inner, pool);
  Levels expected;
  for (std::int32_t k = 99; k >= 0; --k) {
    send(sink, k);
    expected.push_back(k);
  }
  sink.finish();
  EXPECT_EQ(inner.levels, expected);
  ASSERT_EQ(inner.actions.size(), 200u);
  EXPECT_EQ(inner.actions[2], 98);
  EXPECT_EQ(inner.values[2], 49);
  EXPECT_EQ(inner.values[199], 7);
}

TEST(ThreadedPolicySink, QueuesAFewLevelsAtMost) {
  RecordingSink inner;
  inner.pause = std::chrono::milliseconds(5);
  PolicyPool pool(1, 3 * level_size);
  ThreadedPolicySink sink(inner, pool);
  for (std::int32_t k = 9; k >= 0; --k) {
    send(sink, k);
    EXPECT_LE(10 - k - inner.count, 3);  // including the level that is being written
  }
  EXPECT_GT(sink.waited_seconds(), 0.01);
  sink.finish();
  EXPECT_EQ(inner.count, 10);
}

TEST(ThreadedPolicySink, ReportsFailures) {
  RecordingSink inner;
  inner.fails_at = 5;
  PolicyPool pool(1, 1 * level_size);
  ThreadedPolicySink sink(inner, pool);
  EXPECT_THROW(
      {
        for (std::int32_t k = 9; k >= 0; --k) send(sink, k);
        sink.finish();
      },
      RunError);
  EXPECT_THROW(sink.finish(), RunError);
  EXPECT_EQ(inner.levels, (Levels{9, 8, 7, 6}));
}

TEST(ThreadedPolicySink, FailsOnlyThePolicyWithTheError) {
  PolicyPool pool(3, 8 * level_size);
  std::vector<RecordingSink> inner(20);
  inner[4].fails_at = 7;
  std::vector<std::unique_ptr<ThreadedPolicySink>> sinks;
  for (auto& target : inner) sinks.push_back(std::make_unique<ThreadedPolicySink>(target, pool));
  Levels expected;
  for (std::int32_t k = 49; k >= 0; --k) {
    expected.push_back(k);
    for (std::size_t n = 0; n < sinks.size(); ++n) {
      if (n == 4) {
        try {
          send(*sinks[n], k);
        } catch (const RunError&) {
          EXPECT_LT(k, 7);
        }
      } else {
        send(*sinks[n], k);
      }
    }
  }
  for (std::size_t n = 0; n < sinks.size(); ++n) {
    if (n == 4) {
      EXPECT_THROW(sinks[n]->finish(), RunError);
      EXPECT_EQ(inner[n].levels.back(), 8);
    } else {
      sinks[n]->finish();
      EXPECT_EQ(inner[n].levels, expected);
    }
  }
}

TEST(ThreadedPolicySink, DropsQueuedLevelsWhenAbandoned) {
  RecordingSink inner;
  inner.pause = std::chrono::milliseconds(20);
  {
    PolicyPool pool(1, 8 * level_size);
    ThreadedPolicySink sink(inner, pool);
    for (std::int32_t k = 7; k >= 0; --k) send(sink, k);
  }
  EXPECT_LT(inner.count, 8);
}

class PolicyStoreTest : public testing::Test {
 protected:
  PolicyStoreTest() {
    test::write_environment(folder_ / "ocean.h5", test::plain_info(5, 4, 9));
    mission_.departure = TimeLevel(2);
    mission_.last = TimeLevel(6);
  }

  /// Stores levels 6 … 0, and expects them in the store's source and then in its file.
  void expect_stored(PolicyStore& store) {
    std::vector<std::int16_t> action(20);
    std::vector<float> value(20);
    for (std::int16_t k = 6; k >= 0; --k) {
      action.assign(20, k);
      value.assign(20, 10.0F * k);
      store.accept(0, TimeLevel(k), {action.data(), 20}, {value.data(), 20});
    }
    expect_levels(store.source());
    store.finish();
    expect_levels(PolicyFile(folder_ / "policy.h5"));
    EXPECT_GE(store.waited_seconds(), 0);
  }

  static void expect_levels(const PolicySource& policy) {
    std::vector<std::int16_t> action(20);
    std::vector<float> value(20);
    for (std::int16_t k = 0; k <= 6; ++k) {
      policy.read_action(TimeLevel(k), {action.data(), 20});
      EXPECT_THAT(action, testing::Each(k));
    }
    policy.read_value(TimeLevel(2), {value.data(), 20});
    EXPECT_THAT(value, testing::Each(20.0F));
  }

  PolicyStore store(std::size_t memory) {
    return {
        folder_ / "policy.h5", environment(), {actions_, mission_, test::by_cell}, "text", memory};
  }

  const EnvironmentReader& environment() {
    if (!reader_) reader_.emplace(folder_ / "ocean.h5");
    return *reader_;
  }

  test::TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_ = make_actions({1}, 8, {5, 4, 0.5, 0.5, 1, 1}, {9, 0, 1});
  Mission mission_;
};

TEST_F(PolicyStoreTest, ReturnsThePolicyFromMemory) {
  PolicyStore policies = store(PolicyStore::max_memory);
  expect_stored(policies);
  std::vector<float> value(20);
  EXPECT_THROW(policies.source().read_value(TimeLevel(3), {value.data(), 20}), RunError);
}

TEST_F(PolicyStoreTest, ReturnsAPolicyThatIsTooLargeFromItsFile) {
  PolicyStore policies = store(100);
  expect_stored(policies);
}

TEST_F(PolicyStoreTest, LeavesNoFileWhenAbandoned) {
  {
    PolicyStore policies = store(PolicyStore::max_memory);
    const std::vector<std::int16_t> action(20);
    const std::vector<float> value(20);
    policies.accept(0, TimeLevel(6), {action.data(), 20}, {value.data(), 20});
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().filename(), "ocean.h5");
  }
}

}  // namespace
}  // namespace tidewise
