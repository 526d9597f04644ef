// Limits of methods: values out of range, and the number of sweeps.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "mdp/process/row_writer.h"
#include "mdp/solve/solve_process.h"
#include "support/device.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

struct MethodCase {
  std::string name;
  SolveOptions options;
};

std::vector<MethodCase> host_cases() {
  std::vector<MethodCase> cases;
  const auto add = [&](const char* name, Method method) -> SolveOptions& {
    cases.push_back({name, {}});
    cases.back().options.method = method;
    cases.back().options.threads = 2;
    return cases.back().options;
  };
  add("value_iteration", Method::value_iteration);
  add("gauss_seidel", Method::gauss_seidel);
  add("result_divided", Method::result_divided);
  add("policy_iteration", Method::policy_iteration);
  add("fused_rows", Method::fused).layout = FusedLayout::rows;
  add("fused_packed", Method::fused).layout = FusedLayout::packed;
  add("blocks", Method::block_divided);
  add("blocks_buffering", Method::block_divided).blocks.variant = BlockVariant::buffering;
  add("blocks_prioritising", Method::block_divided).blocks.variant = BlockVariant::prioritising;
  add("blocks_both", Method::block_divided).blocks.variant = BlockVariant::both;
  return cases;
}

/// Returns the cases on the host, and those on a device for methods that GPUs support.
std::vector<MethodCase> host_and_device_cases() {
  std::vector<MethodCase> cases = host_cases();
  for (MethodCase method_case : host_cases()) {
    if (is_for_host_alone(method_case.options.method)) continue;
    method_case.name += "_on_device";
    method_case.options.backend = BackendChoice::cuda;
    method_case.options.evaluator = Evaluator::cuda;
    cases.push_back(method_case);
  }
  return cases;
}

class ProcessLimits : public testing::TestWithParam<MethodCase> {
 protected:
  const SolveOptions& options() const { return GetParam().options; }
  bool on_device() const { return options().backend == BackendChoice::cuda; }
};

TEST_P(ProcessLimits, ThrowForInfiniteValues) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  for (const double discount : {0.99, 1.0}) {
    // State 0 may stay with a gain or end in state 1; nothing leads to state 2.
    RowWriter<float> writer(3, 2);
    std::vector<Transition> stay{{0, 1, 1e38}};
    std::vector<Transition> leave{{1, 1, 0}};
    std::vector<Transition> none;
    ASSERT_EQ(writer.add_row(stay), "");
    ASSERT_EQ(writer.add_row(leave), "");
    ASSERT_EQ(writer.add_row(none), "");
    ASSERT_EQ(writer.add_row(none), "");
    std::vector<Transition> either{{0, 0.5, 0}, {1, 0.5, 0}};
    ASSERT_EQ(writer.add_row(either), "");
    auto process = writer.finish();
    process.discount = discount;
    SilentProgress progress;
    if (discount < 1) {
      EXPECT_THROW((void)solve_process(process, options(), progress), RunError);
    } else {
      // The proof of the gain needs no sweep.
      const auto solution = solve_process(process, options(), progress);
      EXPECT_EQ(solution.outcome, Outcome::endless);
      EXPECT_EQ(solution.endless, std::vector<std::int32_t>{0});
      EXPECT_EQ(solution.sweeps, 0);
    }
  }
}

TEST_P(ProcessLimits, ReturnASolutionAtTheSweepLimit) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  const auto process = test::make_process<double>({.seed = 4, .states = 300, .discount = 0.99});
  for (const std::int64_t max : {-1, 0, 1, 2, 3, 17, 65}) {
    SCOPED_TRACE(max);
    SolveOptions limited = options();
    limited.max_sweeps = max;
    SilentProgress progress;
    const auto solution = solve_process(process, limited, progress);
    EXPECT_FALSE(solution.converged);
    EXPECT_LE(solution.sweeps, std::max<std::int64_t>(max, 1));
    for (std::int32_t s = 0; s < process.state_count; ++s) {
      const auto index = std::size_t(s);
      ASSERT_TRUE(std::isfinite(solution.value[index])) << s;
      if (process.is_terminal(s)) {
        ASSERT_EQ(solution.action[index], -1) << s;
      } else {
        ASSERT_TRUE(solution.action[index] >= 0 && solution.action[index] < process.action_count)
            << s;
        ASSERT_TRUE(process.is_allowed(process.row(s, solution.action[index]))) << s;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ProcessLimits, testing::ValuesIn(host_and_device_cases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace tidewise::mdp
