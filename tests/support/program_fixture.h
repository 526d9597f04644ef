#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
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

/// The same, on a small double gyre with two obstacles.
class SmallGyreFixture : public ProgramFixture {
 protected:
  /// 30 × 30 cells, 45 levels, 60 realizations.
  void make_gyre(const std::string& name) const {
    run({"env", "double-gyre", "--out", name, "--nx", "30", "--ny", "30", "--nt", "45", "--modes",
         "3", "--realizations", "60", "-q"});
  }
  /// Writes m.toml, a mission northwards through it.
  void write_mission(const std::string& environment, const std::string& run_directory,
                     int departure) const {
    std::ofstream(folder_ / "m.toml") << "[environment]\nfile = \"" << environment << R"("
[vehicle]
speeds = [0.8, 1.6]
headings = 12
energy = { c_f = 1.0, c_t = 0.05 }
[mission]
start = [15.5, 6.5]
target = [15.5, 24.5]
target_radius = 1.5
departure = )" << departure << "\n[output]\ndirectory = \""
                                      << run_directory << "\"\n";
  }
};

}  // namespace tidewise::test
