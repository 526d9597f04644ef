#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise::test {

/// Runs of the program itself in a folder of their own.
class ProgramFixture : public testing::Test {
 protected:
  /// One that succeeds.
  ProgramResult run(const std::vector<std::string>& arguments) const {
    auto result = run_tidewise(arguments, folder_.path());
    EXPECT_EQ(result.status, 0) << result.errors;
    return result;
  }
  /// The one line of a refusal; nothing may be written.
  std::string refused(const std::vector<std::string>& arguments) const {
    const std::string before = listing(folder_.path());
    const auto result = run_tidewise(arguments, folder_.path());
    EXPECT_EQ(result.status, 2) << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_EQ(listing(folder_.path()), before);
    return result.errors;
  }

  const TemporaryFolder folder_;
};

}  // namespace tidewise::test
