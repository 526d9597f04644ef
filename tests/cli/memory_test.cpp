// Environments are streamed: the memory that a plan takes does not grow with the number of levels,
// but for the rows of its actions, where it keeps those.

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
  /// Peak memory [B] of a plan without flights on an environment of `levels` levels of 0.5 MB.
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
  for (const char* levels : {"10", "110"}) {  // 54 MB of levels more
    run({"env", "double-gyre", "--out", std::string("gyre") + levels + ".h5", "--nx", "80", "--ny",
         "80", "--nt", levels, "--modes", "10", "--realizations", "10", "-q"});
  }
  const std::int64_t held = peak("10", "2");  // no rows of held actions are kept
  EXPECT_GT(held, 1'000'000);
  EXPECT_LT(peak("110", "2") - held, 10'000'000);
  constexpr std::int64_t row = 80;  // what check reckons with, and the actions
  EXPECT_LT(peak("110", "1") - peak("10", "1"), 100 * 80 * 80 * row + 10'000'000);
}

// HDF5 ends a process whose first requests are refused.
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
  // Less than the program itself takes, which depends on what it was built with: there the system's
  // loader complains, and then libraries that begin before it.
  const auto is_ours = [](const test::ProgramResult& result) {
    return result.status == 0 || result.errors.starts_with("tidewise: error: ");
  };
  int kibibytes = 60'000;
  while (kibibytes < 16'000'000 && !is_ours(run_within(kibibytes * 17 / 16))) {
    kibibytes = kibibytes * 17 / 16;
  }
  int begun = 0;
  int refused = 0;
  for (const int max = kibibytes + 140'000; kibibytes <= max; kibibytes += 2'000) {
    const auto result = run_within(kibibytes);
    if (begun + refused == 0 && !is_ours(result)) continue;
    ASSERT_TRUE(result.status == 0 || result.status == 1) << kibibytes << ' ' << result.status;
    begun += result.status == 0 ? 1 : 0;
    refused += result.status;
    if (result.status == 0) continue;
    EXPECT_TRUE(result.errors.starts_with("tidewise: error: ")) << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  }
  EXPECT_GT(begun, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace tidewise
