// Compares a mission that several processes plan with the same mission of one process.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "base/parallel/communicator.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* parallel_mission = R"([environment]
file = "gyre.h5"
[vehicle]
speeds = [0.8, 1.6]
headings = 12
[mission]
objective = "net_energy"
start = [15.5, 6.5]
target = [15.5, 15.5]
target_radius = 1.5
departure = 2
[planner]
backend = "cpu"
[output]
directory = "out"
)";

/// Returns the lines of the program itself; mpirun adds other lines if a process fails.
std::string program_lines(const std::string& errors) {
  std::string lines;
  std::size_t begin = 0;
  while (begin < errors.size()) {
    const std::size_t end = std::min(errors.find('\n', begin), errors.size() - 1) + 1;
    const std::string line = errors.substr(begin, end - begin);
    // This warning appears on hosts with more cores than mpirun gives to the processes.
    const bool is_binding = line.starts_with("tidewise: warning: mpirun has bound");
    if (line.starts_with("tidewise:") && !is_binding) lines += line;
    begin = end;
  }
  return lines;
}

class Parallel : public test::ProgramFixture {
 protected:
  Parallel() {
    std::ofstream(folder_ / "m.toml") << parallel_mission;
    make_once("parallel", [&] {
      run({"env", "double-gyre", "--out", "gyre.h5", "--nx", "30", "--ny", "31", "--nt", "25",
           "--modes", "3", "--realizations", "60", "-q"});
    });
  }
  test::ProgramResult plan(int processes, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"plan", "m.toml"});
    return test::run_tidewise_together(processes, options, folder_.path());
  }
  template <class T>
  std::vector<T> policy(const std::string& run, const std::string& variable) const {
    return Hdf5File::open(folder_ / run / "policy.h5").read_all<T>(variable);
  }
};

TEST_F(Parallel, PolicyDoesNotDependOnTheNumberOfProcesses) {
  if (mpi_support() == MpiSupport::absent) GTEST_SKIP() << "this build has no MPI";
  const auto single = run({"plan", "m.toml", "--out", "alone", "--details"});
  for (const int processes : {2, 3}) {
    const std::string out = "together_" + std::to_string(processes);
    const auto result = plan(processes, {"--out", out, "--quiet", "--details"});
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(program_lines(result.errors), "");
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'),
              std::count(single.output.begin(), single.output.end(), '\n'));  // one process reports
    EXPECT_THAT(result.output, HasSubstr(std::to_string(processes) + " processes"));
    EXPECT_EQ(policy<float>(out, "value"), policy<float>("alone", "value"));
    EXPECT_EQ(policy<std::int16_t>(out, "action"), policy<std::int16_t>("alone", "action"));
    const json single_summary = summary("alone");
    const json several = summary(out);
    EXPECT_EQ(several["processes"], processes);
    EXPECT_EQ(several["bands"], processes);
    EXPECT_EQ(single_summary["processes"], 1);
    for (const char* key : {"value_at_start", "expected", "rollout", "problem"}) {
      EXPECT_EQ(several[key], single_summary[key]) << key;
    }
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / out)) {
      names.push_back(entry.path().filename());
    }
    EXPECT_THAT(names,
                testing::UnorderedElementsAre("policy.h5", "trajectories.nc", "summary.json"));
  }
}

TEST_F(Parallel, ReportsBadInputOnce) {
  if (mpi_support() == MpiSupport::absent) GTEST_SKIP() << "this build has no MPI";
  const auto single =
      test::run_tidewise({"plan", "m.toml", "--set", "mission.start=[1,900]"}, folder_.path());
  const auto result = plan(3, {"--set", "mission.start=[1,900]"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(program_lines(result.errors), single.errors);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(Parallel, FailureInOneBandEndsAll) {
  if (mpi_support() == MpiSupport::absent) GTEST_SKIP() << "this build has no MPI";
  {
    const Hdf5Handle file(H5Fopen((folder_ / "gyre.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                          H5Fclose);
    const Hdf5Handle dataset(H5Dopen2(file.id(), "u_mean", H5P_DEFAULT), H5Dclose);
    const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
    const hsize_t cell[] = {9, 28, 2};
    H5Sselect_elements(space.id(), H5S_SELECT_SET, 1, cell);
    const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    ASSERT_GE(H5Dwrite(dataset.id(), H5T_NATIVE_FLOAT, scalar.id(), space.id(), H5P_DEFAULT, &nan),
              0);
  }
  const auto single = test::run_tidewise({"plan", "m.toml", "-q"}, folder_.path());
  EXPECT_EQ(single.status, 2);
  EXPECT_THAT(single.errors, test::has_code("field_not_finite", "row 28, column 2"));
  const auto result = plan(2, {"-q"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(program_lines(result.errors), single.errors);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(Parallel, OtherCommandsRequireOneProcess) {
  if (mpi_support() == MpiSupport::absent) GTEST_SKIP() << "this build has no MPI";
  const auto result = test::run_tidewise_together(2, {"check", "m.toml"}, folder_.path());
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(program_lines(result.errors), test::has_code("command_not_parallel", "check"));
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 0);
  const auto batch = test::run_tidewise_together(2, {"batch", "b.toml"}, folder_.path());
  EXPECT_EQ(batch.status, 2);
  EXPECT_THAT(program_lines(batch.errors), test::has_code("command_not_parallel", "batch"));
}

TEST_F(Parallel, BuildWithoutMpiRefusesSeveralProcesses) {
  if (mpi_support() == MpiSupport::compiled) GTEST_SKIP() << "this build has MPI";
  ::setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  ::setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  const auto first = test::run_tidewise({"plan", "m.toml"}, folder_.path());
  EXPECT_EQ(first.status, 1);
  EXPECT_THAT(first.errors, HasSubstr("this build has no MPI"));
  ::setenv("OMPI_COMM_WORLD_RANK", "1", 1);
  const auto second = test::run_tidewise({"plan", "m.toml"}, folder_.path());
  EXPECT_EQ(second.errors + second.output, "");
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  ::unsetenv("OMPI_COMM_WORLD_SIZE");
  ::unsetenv("OMPI_COMM_WORLD_RANK");
}

}  // namespace
}  // namespace tidewise
