#include "base/parallel/queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/error.h"

namespace tidewise {
namespace {

TEST(BoundedQueue, TakesEveryItemInOrder) {
  std::vector<int> taken;
  BoundedQueue<int> queue(2, [&](int&& item) { taken.push_back(item); });
  for (int n = 0; n < 100; ++n) queue.put(n);
  queue.finish();
  ASSERT_EQ(taken.size(), 100u);
  for (int n = 0; n < 100; ++n) EXPECT_EQ(taken[static_cast<std::size_t>(n)], n);
}

TEST(BoundedQueue, GivesBackWhatTheThreadThrew) {
  BoundedQueue<int> queue(1, [](int&& item) {
    if (item == 3) throw RunError("full");
  });
  EXPECT_THROW(
      {
        for (int n = 0; n < 100; ++n) queue.put(n);
      },
      RunError);
  EXPECT_THROW(queue.finish(), RunError);
}

TEST(BoundedQueue, TheLastItemsErrorComesWithFinish) {
  BoundedQueue<int> queue(1, [](int&&) { throw RunError("full"); });
  queue.put(0);
  EXPECT_THROW(queue.finish(), RunError);
}

TEST(BoundedQueue, ItemsThatWaitAreDroppedWhenItIsGivenUp) {
  std::atomic<int> taken = 0;
  std::atomic<bool> go_on = false;
  std::thread watcher;
  {
    BoundedQueue<std::shared_ptr<int>> queue(8, [&](std::shared_ptr<int>&&) {
      ++taken;
      while (!go_on) std::this_thread::yield();
    });
    queue.put(std::make_shared<int>(0));
    auto last = std::make_shared<int>(1);
    const std::weak_ptr<int> waiting = last;
    while (taken == 0) std::this_thread::yield();
    queue.put(std::move(last));
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
