#include "base/parallel/communicator.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "base/error.h"
#include "support/communicator_checks.h"

namespace tidewise {
namespace {

TEST(Communicator, ExchangesAmongAnyNumberOfThreads) {
  for (const int count : {1, 2, 3, 5}) {
    SCOPED_TRACE(count);
    auto group = make_thread_communicators(count);
    std::vector<std::jthread> threads;
    for (auto& member : group) {
      threads.emplace_back([&member] { test::check_communicator(*member); });
    }
  }
}

TEST(Communicator, EndsAllThreadsWhenOneAborts) {
  auto group = make_thread_communicators(3);
  std::vector<std::jthread> threads;
  threads.emplace_back([&] { EXPECT_THROW(group[0]->receive(2, 1), RunError); });
  threads.emplace_back([&] { EXPECT_THROW(group[1]->all_max(1), RunError); });
  threads.emplace_back([&] { EXPECT_THROW(group[2]->abort(1), RunError); });
}

TEST(Communicator, ReportsTheFirstErrorOfItsThreads) {
  const auto ranks = make_thread_communicators(4);
  std::atomic<int> leave_calls = 0;
  try {
    work_as_ranks(
        ranks,
        [](Communicator& rank) {
          if (rank.rank() == 2) throw InputError("a reason");
          if (rank.rank() == 3) (void)rank.receive(2, 1);
          rank.barrier();
        },
        [&](Communicator&) { ++leave_calls; });
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "a reason");
  }
  EXPECT_EQ(leave_calls, 4);
}

TEST(Communicator, KeepsThreadsUntilAllHaveEnded) {
  const auto ranks = make_thread_communicators(4);
  std::atomic<int> ended = 0;
  std::atomic<bool> left_early = false;
  work_as_ranks(
      ranks, [&](Communicator&) { ++ended; },
      [&](Communicator&) {
        if (ended != 4) left_early = true;
      });
  EXPECT_FALSE(left_early);
}

TEST(Communicator, IsAGroupOfOneInASingleProcess) {
  EXPECT_EQ(find_launch().size, 1);
  const auto single = join_processes();
  EXPECT_EQ(single->size(), 1);
  test::check_communicator(*single);
}

TEST(Communicator, FindsTheLaunchInTheEnvironment) {
  ::setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
  ::setenv("OMPI_COMM_WORLD_RANK", "2", 1);
  EXPECT_EQ(find_launch().size, 3);
  EXPECT_EQ(find_launch().rank, 2);
  ::unsetenv("OMPI_COMM_WORLD_SIZE");
  ::unsetenv("OMPI_COMM_WORLD_RANK");
  ::setenv("SLURM_STEP_NUM_TASKS", "4", 1);
  ::setenv("SLURM_PROCID", "1", 1);
  EXPECT_EQ(find_launch().size, 4);
  EXPECT_EQ(find_launch().rank, 1);
  if (mpi_support() == MpiSupport::absent) {
    EXPECT_THROW(join_processes(), RunError);
  }
  ::setenv("SLURM_STEP_NUM_TASKS", "1", 1);  // the shell of 'srun --pty'
  EXPECT_EQ(find_launch().size, 1);
  ::unsetenv("SLURM_STEP_NUM_TASKS");
  EXPECT_EQ(find_launch().size, 1);  // a job's script is a single process
  ::unsetenv("SLURM_PROCID");
}

}  // namespace
}  // namespace tidewise
