#include "base/parallel/communicator.h"

#include <gtest/gtest.h>

#include <string>

#include "support/communicator_checks.h"

/// Runs under mpirun. The argument is the number of processes that mpirun started.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto communicator = tidewise::join_processes();
  EXPECT_EQ(std::to_string(communicator->size()), argc > 1 ? argv[1] : "");
  EXPECT_EQ(communicator->rank(), tidewise::find_launch().rank);
  EXPECT_EQ(communicator->local_size(), communicator->size());  // all on this host
  EXPECT_EQ(communicator->local_rank(), communicator->rank());
  tidewise::test::check_communicator(*communicator);
  return testing::Test::HasFailure() ? 1 : 0;
}
