// Environments are streamed. The memory of a plan therefore grows with the number of levels only by
// the rows of actions, if it keeps those.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/memory/device.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

class Memory : public testing::Test {
 protected:
  /// Returns the peak memory [B] of a plan without flights on an environment of `levels` levels of
  /// 0.5 MB.
  std::int64_t peak(const std::string& levels, const std::string& decide_every) const {
    const std::string environment = "gyre" + levels + ".h5";
    std::ofstream(folder_ / "m.toml") << "[environment]\nfile = \"" << environment << R"("
[vehicle]
speeds = [1.0]
headings = 4
[mission]
start = [40.5, 12.5]
target = [40.5, 66.5]
decide_every = )" << decide_every << R"(
[rollout]
mode = "none"
)";
    run({"plan", "m.toml", "--out", "run" + levels, "--backend", "cpu", "--threads", "1", "-q",
         "--overwrite"});
    return nlohmann::json::parse(
        std::ifstream(folder_ / ("run" + levels) / "summary.json"))["peak_memory_bytes"];
  }

  void run(const std::vector<std::string>& arguments) const {
    const auto result = test::run_tidewise_alone(arguments, folder_.path());
    ASSERT_EQ(result.status, 0) << result.errors;
  }

  test::TemporaryFolder folder_;
};

TEST_F(Memory, GrowsOnlyWithRowsOfActions) {
  for (const char* levels : {"10", "110"}) {  // the second has 54 MB more
    run({"env", "double-gyre", "--out", std::string("gyre") + levels + ".h5", "--nx", "80", "--ny",
         "80", "--nt", levels, "--modes", "10", "--realizations", "10", "-q"});
  }
  const std::int64_t with_hold = peak("10", "2");  // an action hold keeps no rows
  EXPECT_GT(with_hold, 1'000'000);
  EXPECT_LT(peak("110", "2") - with_hold, 10'000'000);
  constexpr std::int64_t row = 80;  // [B] as 'check' estimates, with the actions
  EXPECT_LT(peak("110", "1") - peak("10", "1"), 100 * 80 * 80 * row + 10'000'000);
}

// HDF5 aborts a process if its first requests for memory fail.
TEST_F(Memory, ReportsInsufficientMemoryInOneLine) {
  // CUDA's libraries crash while they are loaded, before the program can report an error.
  if (cuda_support() != CudaSupport::absent) GTEST_SKIP();
  run({"env", "double-gyre", "--out", "gyre.h5", "--nx", "20", "--ny", "20", "--nt", "4", "--modes",
       "2", "--realizations", "4", "-q"});
  const std::string program = test::tidewise_program().string();
  const auto run_within = [&](int kibibytes) {
    return test::run_command(
        {"/bin/sh", "-c",
         "ulimit -v " + std::to_string(kibibytes) + "; exec '" + program + "' env info gyre.h5 -q"},
        folder_.path());
  };
  // Below the memory that the program needs to start, the system's loader or a library reports the
  // error. That limit depends on the build.
  const auto is_from_program = [](const test::ProgramResult& result) {
    return result.status == 0 || result.errors.starts_with("tidewise: error: ");
  };
  int kibibytes = 60'000;
  while (kibibytes < 16'000'000 && !is_from_program(run_within(kibibytes * 17 / 16))) {
    kibibytes = kibibytes * 17 / 16;
  }
  int succeeded = 0;
  int failed = 0;
  for (const int max = kibibytes + 140'000; kibibytes <= max; kibibytes += 2'000) {
    const auto result = run_within(kibibytes);
    if (succeeded + failed == 0 && !is_from_program(result)) continue;
    ASSERT_TRUE(result.status == 0 || result.status == 1) << kibibytes << ' ' << result.status;
    succeeded += result.status == 0 ? 1 : 0;
    failed += result.status;
    if (result.status == 0) continue;
    EXPECT_TRUE(result.errors.starts_with("tidewise: error: ")) << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  }
  EXPECT_GT(succeeded, 0);
  EXPECT_GT(failed, 0);
}

}  // namespace
}  // namespace tidewise
