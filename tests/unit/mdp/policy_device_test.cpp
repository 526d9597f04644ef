// Policy iteration with cuSPARSE on a GPU, compared with the host; device_bits_test.cpp tests the
// GPU's own product.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/memory/device_transfer.h"
#include "base/progress.h"
#include "mdp/backup/policy_sweep.h"
#include "mdp/methods/functions.h"
#include "mdp/policy/policy_product.h"
#include "mdp/process/device_process.h"
#include "support/device.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

template <class Real>
class PoliciesOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    TIDEWISE_REQUIRE_DEVICE();
    if (!has_policy_product()) GTEST_SKIP() << "this build does not hold cuSPARSE";
  }
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(PoliciesOnDevice, Reals);

/// Returns cuSPARSE's solution, after comparing its values with the host's within twice the
/// tolerance, plus rounding.
template <class Real>
ProcessSolution<Real> solve_by_cusparse(const DecisionProcess<Real>& process,
                                        SolveOptions options) {
  SilentProgress silent;
  const auto host = iterate_policies(process, options, silent);
  options.evaluator = Evaluator::cusparse;
  auto device = policies_on_device(process, options, silent);
  EXPECT_TRUE(host.converged);
  EXPECT_TRUE(device.converged);
  double scale = 1;
  for (const Real value : host.value) scale = std::max<double>(scale, std::abs(value));
  EXPECT_THAT(
      device.value,
      testing::Pointwise(testing::DoubleNear(2 * options.tolerance + 1e-5 * scale), host.value));
  return device;
}

TYPED_TEST(PoliciesOnDevice, AgreesWithTheHostByCusparse) {
  SolveOptions options(
      {.method = Method::policy_iteration, .tolerance = sizeof(TypeParam) == 4 ? 1e-2 : 1e-7});
  for (test::RandomProcess settings : test::policy_processes()) {
    for (const double discount : {0.0, 0.9, 0.99}) {
      settings.discount = discount;
      const auto process = test::make_process<TypeParam>(settings);
      const auto optimum = test::reference_values(process);
      for (const std::int32_t sweeps : {0, 1, 20}) {
        SCOPED_TRACE(testing::Message() << "seed " << settings.seed << ", discount " << discount
                                        << ", sweeps " << sweeps);
        options.evaluation_sweeps = sweeps;
        EXPECT_TRUE(
            test::is_greedy(process, optimum, solve_by_cusparse(process, options).action, 5e-3));
      }
    }
  }
}

/// Compares sweeps of two policies with those of the host, with indices of the given width.
template <class Real>
void expect_sweeps(ProjectionWidth width) {
  const auto process = test::make_process<Real>({.seed = 9, .states = 3000, .actions = 3});
  std::vector<Real> value(3000);
  for (std::size_t s = 0; s < value.size(); ++s) value[s] = static_cast<Real>(s % 17) - 8;
  const DeviceStream stream;
  const DeviceProcess<Real> device_process(process);
  const auto product = make_policy_product(device_process.view(), stream, width);
  const auto device_value = upload(value);
  DeviceArray<Real> device_next(value.size());
  for (const bool takes_last : {false, true}) {
    std::vector<std::int32_t> action(3000, -1);
    for (std::int32_t s = 0; s < 3000; ++s) {
      for (std::int32_t a = 0; a < 3; ++a) {
        const bool is_chosen = takes_last || action[std::size_t(s)] < 0;
        if (process.is_allowed(process.row(s, a)) && is_chosen) action[std::size_t(s)] = a;
      }
    }
    const auto device_action = upload(action);
    product->project(device_action.view(), device_value.view());
    auto residual = upload(std::vector<EvaluationLook::Bits>{~EvaluationLook::Bits{0}, 0});
    product->sweep(device_value.view(), device_next.view(),
                   {0, residual.data(), residual.data() + 1});
    stream.synchronize();
    Array<Real> next;
    copy(next, device_next);
    std::vector<Real> expected(3000);
    double greatest_change = 0;
    const EvaluateState<Real> evaluate{view_of(process), action, value, expected};
    std::int64_t entries = 0;
    for (std::int32_t s = 0; s < 3000; ++s) {
      const auto index = static_cast<std::size_t>(s);
      evaluate(index);
      ASSERT_NEAR(next[index], expected[index], 1e-5) << "state " << s;
      greatest_change =
          std::max(greatest_change, std::abs(double(next[index]) - double(value[index])));
      if (action[index] < 0) continue;
      const auto row = static_cast<std::size_t>(process.row(s, action[index]));
      entries += process.row_begin[row + 1] - process.row_begin[row];
    }
    EXPECT_EQ(product->entry_count(), entries);
    double device_change = 0;
    const EvaluationLook::Bits bits = fetch(residual.data() + 1, stream);
    std::memcpy(&device_change, &bits, sizeof device_change);
    EXPECT_EQ(device_change, greatest_change);
  }
}

TYPED_TEST(PoliciesOnDevice, ProjectsAndMultiplies) {
  expect_sweeps<TypeParam>(ProjectionWidth::automatic);
  expect_sweeps<TypeParam>(ProjectionWidth::wide);
}

TYPED_TEST(PoliciesOnDevice, EndsWithAStablePolicy) {
  SolveOptions options({.method = Method::policy_iteration,
                        .tolerance = sizeof(TypeParam) == 4 ? 1e-2 : 1e-7,
                        .stop = StoppingRule::policy});
  for (const test::RandomProcess& settings : test::policy_processes()) {
    const auto process = test::make_process<TypeParam>(settings);
    const auto optimum = test::reference_values(process);
    EXPECT_TRUE(
        test::is_greedy(process, optimum, solve_by_cusparse(process, options).action, 5e-3));
  }
}

TYPED_TEST(PoliciesOnDevice, SolvesDiscountOneIfPoliciesEnd) {
  solve_by_cusparse(
      test::make_costly_process<TypeParam>({.seed = 10, .states = 5000, .terminal_share = 0.1}),
      SolveOptions({.method = Method::policy_iteration, .tolerance = 1e-5}));
}

}  // namespace
}  // namespace tidewise::mdp
