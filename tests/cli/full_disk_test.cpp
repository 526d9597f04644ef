// On a full disk, each command that writes must print one line, return exit status 1 and leave no
// files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "support/program_fixture.h"

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class FullDisk : public test::ProgramFixture {
 protected:
  FullDisk() {
    run({"env", "double-gyre", "--out", "gyre.h5", "--nx", "40", "--ny", "40", "--nt", "30",
         "--modes", "3", "--realizations", "60", "-q"});
    std::ofstream(folder_ / "m.toml") << R"([environment]
file = "gyre.h5"
[vehicle]
speeds = [1.0]
headings = 8
[mission]
start = [20.5, 8.5]
target = [20.5, 32.5]
)";
  }

  void expect_failure_without_files(const std::vector<std::string>& arguments) const {
    const std::string before = test::listing(folder_.path());
    const auto result = test::run_tidewise_on_full_disk(arguments, folder_.path(), 100'000);
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.errors, StartsWith("tidewise: error: "));
    EXPECT_THAT(result.errors, HasSubstr("check the space left"));
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_EQ(test::listing(folder_.path()), before);
  }
};

TEST_F(FullDisk, StopsWritingProcessesAndSolutions) {
  // The process is read as text, because the limit on file sizes also applies to the memory through
  // which HDF5 files are read.
  run({"research", "mdp", "gridworld", "--out", "w.json", "--nx", "150", "-q"});
  for (const char* model : {"g.h5", "g.json", "g.xml"}) {
    expect_failure_without_files(
        {"research", "mdp", "gridworld", "--out", model, "--nx", "150", "-q"});
  }
  expect_failure_without_files({"research", "mdp", "convert", "w.json", "--out", "c.json", "-q"});
  for (const char* solution : {"s.h5", "s.txt"}) {
    expect_failure_without_files(
        {"research", "solve", "w.json", "--out", solution, "--backend", "cpu", "-q"});
  }
}

TEST_F(FullDisk, StopsMakingAnEnvironment) {
  expect_failure_without_files({"env", "double-gyre", "--out", "other.h5", "--nx", "60", "--ny",
                                "60", "--nt", "10", "--modes", "3", "--realizations", "60", "-q"});
}

TEST_F(FullDisk, StopsBuildingAModel) {
  expect_failure_without_files({"research", "build", "m.toml", "--out", "model.h5", "-q"});
}

TEST_F(FullDisk, StopsPlanning) {
  expect_failure_without_files({"plan", "m.toml", "--out", "run", "-q"});
}

}  // namespace
}  // namespace tidewise
