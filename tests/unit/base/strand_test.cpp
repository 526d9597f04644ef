#include "base/parallel/strand.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/error.h"

namespace tidewise {
namespace {

TEST(Strand, RunsEveryPieceInOrder) {
  std::vector<int> done;
  Strand strand(2);
  for (int n = 0; n < 100; ++n) strand.put([&done, n] { done.push_back(n); });
  strand.finish();
  ASSERT_EQ(done.size(), 100u);
  for (int n = 0; n < 100; ++n) EXPECT_EQ(done[static_cast<std::size_t>(n)], n);
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
  std::atomic<int> started = 0;
  std::atomic<bool> may_end = false;
  std::thread watcher;
  {
    Strand strand(8);
    const auto wait = [&] {
      ++started;
      while (!may_end) std::this_thread::yield();
    };
    strand.put(wait);
    auto token = std::make_shared<int>(1);
    const std::weak_ptr<int> token_watch = token;
    while (started == 0) std::this_thread::yield();
    strand.put([wait, token = std::move(token)] { wait(); });
    watcher = std::thread([&may_end, token_watch] {
      while (!token_watch.expired()) std::this_thread::yield();
      may_end = true;
    });
  }
  watcher.join();
  EXPECT_EQ(started, 1);
}

}  // namespace
}  // namespace tidewise
