#include "base/parallel/team.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <set>
#include <thread>
#include <vector>

#include "base/error.h"

namespace tidewise {
namespace {

std::vector<int> visits(std::int64_t count, std::int32_t threads) {
  std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
  for_pieces(count, threads, [&](std::int64_t piece, TeamRank rank) {
    EXPECT_GE(rank, 0);
    EXPECT_LT(rank, threads);
    ++times[static_cast<std::size_t>(piece)];
  });
  return {times.begin(), times.end()};
}

TEST(Team, RunsEachPieceOnce) {
  for (const std::int32_t threads : {1, 2, 3, 7}) {
    for (const std::int64_t count : {0, 1, 2, 5, 1000}) {
      for (int repetition = 0; repetition < 20; ++repetition) {
        EXPECT_EQ(visits(count, threads), std::vector<int>(static_cast<std::size_t>(count), 1))
            << threads << " threads";
      }
    }
  }
}

TEST(Team, RunsPiecesConcurrently) {
  // Pieces that wait for each other only end if each has a thread.
  std::atomic<int> started = 0;
  for_pieces(3, 3, [&](std::int64_t, TeamRank) {
    ++started;
    while (started < 3) std::this_thread::yield();
  });
  EXPECT_EQ(started, 3);
}

TEST(Team, TakesPiecesOfABusyThread) {
  // Piece 0 waits for all others, including those assigned to its own thread.
  std::atomic<int> done = 0;
  for_pieces(64, 2, [&](std::int64_t piece, TeamRank) {
    if (piece != 0) {
      ++done;
      return;
    }
    while (done < 63) std::this_thread::yield();
  });
  EXPECT_EQ(done, 63);
}

struct Sum {
  std::int64_t value = 0;
  void include(const Sum& other) { value += other.value; }
};

TEST(Team, CombinesTheResultsOfPieces) {
  for (const std::int32_t threads : {1, 4}) {
    const auto sum = gather_pieces<Sum>(
        1001, threads, [](std::int64_t piece, Sum& partial) { partial.value += piece; });
    EXPECT_EQ(sum.value, 500 * 1001);
  }
  std::vector<std::atomic<int>> times(10);
  for_each_shared(10, 3, 2, [&](std::int64_t n) { ++times[static_cast<std::size_t>(n)]; });
  for (const auto& count : times) EXPECT_EQ(count, 1);
}

TEST(Team, RethrowsTheFirstError) {
  for (int repetition = 0; repetition < 10; ++repetition) {
    EXPECT_THROW(for_pieces(100, 3,
                            [](std::int64_t piece, TeamRank) {
                              if (piece == 57) throw RunError("fifty-seven");
                            }),
                 RunError);
  }
  EXPECT_EQ(visits(100, 3), std::vector<int>(100, 1));  // it remains usable
}

TEST(Team, RunsNestedCallsOnOneThread) {
  std::atomic<int> inner = 0;
  for_pieces(4, 2, [&](std::int64_t, TeamRank) {
    std::set<std::thread::id> ids;
    for_pieces(10, 3, [&](std::int64_t, TeamRank rank) {
      ids.insert(std::this_thread::get_id());
      EXPECT_EQ(rank, 0);
      ++inner;
    });
    EXPECT_EQ(ids.size(), 1U);
  });
  EXPECT_EQ(inner, 40);
}

TEST(Team, IsSeparateForEachThread) {
  std::vector<std::jthread> callers;
  callers.reserve(3);
  std::atomic<int> done = 0;
  for (int n = 0; n < 3; ++n) {
    callers.emplace_back([&] {
      for (int repetition = 0; repetition < 50; ++repetition) {
        for_pieces(20, 3, [&](std::int64_t, TeamRank) { ++done; });
      }
    });
  }
  callers.clear();
  EXPECT_EQ(done, 3000);
}

TEST(Team, WorksInAForkedChild) {
  EXPECT_EQ(visits(50, 3), std::vector<int>(50, 1));
  for (const bool uses_team : {true, false}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const bool as_expected = !uses_team || visits(50, 3) == std::vector<int>(50, 1);
      std::exit(as_expected ? 0 : 1);  // ends the child's team, but not the parent's
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

TEST(Team, SleepsWhileWaiting) {
  for_pieces(4, 4, [](std::int64_t, TeamRank) {});
  const std::clock_t before = std::clock();  // CPU time of the whole process
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds, 0.1);  // three spinning threads would take at least 0.3 s of a core
}

}  // namespace
}  // namespace tidewise
