#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "mdp/interval/interval_iteration.h"
#include "mdp/process/direction.h"
#include "mdp/solve/solve_process.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

using test::row;
using test::rows_process;

/// A state that is left, but seldom: beside the probability of staying that of leaving rounds away.
struct RareExit {
  std::string name;
  DecisionProcess<double> process;
  std::vector<double> exact;  // by exact arithmetic over the numbers as double precision holds them
};

std::vector<RareExit> rare_exits() {
  std::vector<RareExit> cases;
  const auto add = [&](std::string name, std::vector<std::vector<test::Row>> rows,
                       std::vector<double> ends, std::vector<double> exact) {
    const auto states = static_cast<std::int32_t>(exact.size());
    auto process = rows_process<double>(states, 2, rows);
    process.initial_value = std::move(ends);
    cases.push_back({std::move(name), std::move(process), std::move(exact)});
  };
  add("stay 1, leave 1e-20 for 1", {{row({{0, 1}, {1, 1e-20}})}, {}}, {0, 1}, {1, 1});
  add("the same for -1", {{row({{0, 1}, {1, 1e-20}})}, {}}, {0, -1}, {-1, -1});
  add("the same at a cost of 1 a step", {{row({{0, 1}, {1, 1e-20}}, -1)}, {}}, {0, 0}, {-1e20, 0});
  const double least = std::ldexp(1, -53);
  add("leave 2^-53 at a cost of 1", {{row({{0, 1 - least}, {1, least}}, -1)}, {}}, {0, 0},
      {-std::ldexp(1, 53), 0});
  add("leave 2^-53 for 1", {{row({{0, 1 - least}, {1, least}})}, {}}, {0, 1}, {1, 1});
  add("leave 1e-20 for 1, or now for .5", {{row({{0, 1}, {2, 1e-20}}), row({{1, 1}})}, {}, {}},
      {0, .5, 1}, {1, .5, 1});
  add("two change places, leave 1e-20 for 1", {{row({{1, 1}})}, {row({{0, 1}, {2, 1e-20}})}, {}},
      {0, 0, 1}, {1, 1, 1});
  add("leave 1e-9 for 1", {{row({{0, 1 - 1e-9}, {1, 1e-9}})}, {}}, {0, 1}, {1, 1});
  return cases;
}

template <class Real>
void expect_true_bounds(const DecisionProcess<double>& in_double, const std::vector<double>& exact,
                        SolveMethod method) {
  SilentProgress progress;
  const auto process = convert<Real>(in_double);
  const auto solution = solve_process(process, {.method = method, .most_sweeps = 5000}, progress);
  for (std::size_t s = 0; s < exact.size(); ++s) {
    const double slack = 1e-7 * std::abs(exact[s]);  // `exact` is of double precision's numbers
    if (!solution.lower.empty()) {
      EXPECT_LE(solution.lower[s], exact[s] + slack) << s;
      EXPECT_GE(solution.upper[s], exact[s] - slack) << s;
    }
    EXPECT_LE(double(solution.value[s]) + solution.bounds.lower, exact[s] + slack) << s;
    EXPECT_GE(double(solution.value[s]) + solution.bounds.upper, exact[s] - slack) << s;
  }
}

TEST(RareExits, AreNoEnds) {
  for (const RareExit& one : rare_exits()) {
    for (const SolveMethod method : {SolveMethod::fused, SolveMethod::gauss_seidel,
                                     SolveMethod::policy_iteration, SolveMethod::block_divided}) {
      SCOPED_TRACE(testing::Message() << one.name << ", " << name_of(method));
      expect_true_bounds<double>(one.process, one.exact, method);
      expect_true_bounds<float>(one.process, one.exact, method);
    }
  }
}

}  // namespace
}  // namespace tidewise::mdp
