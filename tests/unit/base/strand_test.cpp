#include "base/parallel/strand.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/error.h"

namespace tidewise {
namespace {

TEST(Strand, DoesEveryPieceInOrder) {
  std::vector<int> taken;
  Strand strand(2);
  for (int n = 0; n < 100; ++n) strand.put([&taken, n] { taken.push_back(n); });
  strand.finish();
  ASSERT_EQ(taken.size(), 100u);
  for (int n = 0; n < 100; ++n) EXPECT_EQ(taken[static_cast<std::size_t>(n)], n);
}

TEST(Strand, RethrowsTheError) {
  Strand strand(1);
  EXPECT_THROW(
      {
        for (int n = 0; n < 100; ++n) {
          strand.put([n] {
            if (n == 3) throw RunError("full");
          });
        }
      },
      RunError);
  EXPECT_THROW(strand.finish(), RunError);
}

TEST(Strand, RethrowsTheLastErrorInFinish) {
  Strand strand(1);
  strand.put([] { throw RunError("full"); });
  EXPECT_THROW(strand.finish(), RunError);
}

TEST(Strand, DropsWaitingPiecesWhenDestroyed) {
  std::atomic<int> taken = 0;
  std::atomic<bool> go_on = false;
  std::thread watcher;
  {
    Strand strand(8);
    const auto take = [&] {
      ++taken;
      while (!go_on) std::this_thread::yield();
    };
    strand.put(take);
    auto held = std::make_shared<int>(1);
    const std::weak_ptr<int> waiting = held;
    while (taken == 0) std::this_thread::yield();
    strand.put([take, held = std::move(held)] { take(); });
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
