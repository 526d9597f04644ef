#include "base/parallel/queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/error.h"

namespace tidewise {
namespace {

TEST(Conveyor, TakesEveryItemInOrder) {
  std::vector<int> taken;
  Conveyor<int> conveyor(2, [&](int&& item) { taken.push_back(item); });
  for (int n = 0; n < 100; ++n) conveyor.put(n);
  conveyor.finish();
  ASSERT_EQ(taken.size(), 100u);
  for (int n = 0; n < 100; ++n) EXPECT_EQ(taken[static_cast<std::size_t>(n)], n);
}

TEST(Conveyor, GivesBackWhatTheThreadThrew) {
  Conveyor<int> conveyor(1, [](int&& item) {
    if (item == 3) throw RunError("full");
  });
  EXPECT_THROW(
      {
        for (int n = 0; n < 100; ++n) conveyor.put(n);
      },
      RunError);
  EXPECT_THROW(conveyor.finish(), RunError);
}

TEST(Conveyor, TheLastItemsErrorComesWithFinish) {
  Conveyor<int> conveyor(1, [](int&&) { throw RunError("full"); });
  conveyor.put(0);
  EXPECT_THROW(conveyor.finish(), RunError);
}

TEST(Conveyor, ItemsThatWaitAreDroppedWhenItIsGivenUp) {
  std::atomic<int> taken = 0;
  std::atomic<bool> go_on = false;
  std::thread watcher;
  {
    Conveyor<std::shared_ptr<int>> conveyor(8, [&](std::shared_ptr<int>&&) {
      ++taken;
      while (!go_on) std::this_thread::yield();
    });
    conveyor.put(std::make_shared<int>(0));
    auto last = std::make_shared<int>(1);
    const std::weak_ptr<int> waiting = last;
    while (taken == 0) std::this_thread::yield();
    conveyor.put(std::move(last));
    watcher = std::thread([&go_on, waiting] {
      while (!waiting.expired()) std::this_thread::yield();
      go_on = true;
    });
  }
  watcher.join();
  EXPECT_EQ(taken, 1);
}

}  // namespace
}  // namespace tidewise
