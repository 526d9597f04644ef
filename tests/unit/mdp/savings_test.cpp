// The household savings problem, compared with hand calculations, closed forms and the Euler
// equation, and its two methods with each other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "mdp/savings/file.h"
#include "mdp/savings/problem.h"
#include "mdp/savings/solve_savings.h"
#include "mdp/savings/validation.h"
#include "support/device.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise::mdp {
namespace {

SavingsProblem make_problem(std::int32_t assets = 400, std::int32_t productivities = 5) {
  SavingsProblem problem;
  problem.assets = make_assets(assets, 0, 60);
  problem.productivity =
      make_productivity(ProductivityMethod::rouwenhorst, productivities, 0.9, 0.2);
  problem.interest = 0.03;
  problem.discount = 0.94;
  return problem;
}

SavingsSolution solution_of(const SavingsProblem& problem, SavingsMethod method,
                            Interpolation interpolation = Interpolation::cubic,
                            std::int32_t threads = 1) {
  SavingsOptions options;
  options.method = method;
  options.interpolation = interpolation;
  options.threads = threads;
  SilentProgress progress;
  return solve_savings(problem, options, progress);
}

double mean_of(const Productivity& productivity, double (*function)(double)) {
  std::vector<double> share(productivity.count(), 1.0 / double(productivity.count()));
  for (int n = 0; n < 5000; ++n) {
    std::vector<double> next(share.size(), 0.0);
    for (std::size_t i = 0; i < share.size(); ++i) {
      for (std::size_t j = 0; j < share.size(); ++j) {
        next[j] += share[i] * productivity.transition[i * share.size() + j];
      }
    }
    share = next;
  }
  double sum = 0;
  for (std::size_t i = 0; i < share.size(); ++i) sum += share[i] * function(productivity.level[i]);
  return sum;
}

TEST(ProductivityChain, MatchesAHandCalculation) {
  // Two states ±σ/√(1−ρ²), which are kept with probability (1 + ρ)/2.
  const auto productivity = make_productivity(ProductivityMethod::rouwenhorst, 2, 0.6, 0.4);
  EXPECT_THAT(productivity.transition,
              testing::ElementsAre(testing::DoubleEq(0.8), testing::DoubleEq(0.2),
                                   testing::DoubleEq(0.2), testing::DoubleEq(0.8)));
  EXPECT_NEAR(std::log(productivity.level[1] / productivity.level[0]), 2 * 0.4 / 0.8, 1e-14);
  const auto three = make_productivity(ProductivityMethod::rouwenhorst, 3, 0.6, 0.4);
  EXPECT_NEAR(three.transition[0], 0.64, 1e-15);
  EXPECT_NEAR(three.transition[1], 0.32, 1e-15);
  EXPECT_NEAR(three.transition[3], 0.16, 1e-15);
  EXPECT_NEAR(three.transition[4], 0.68, 1e-15);
}

TEST(ProductivityChain, KeepsVarianceAndPersistence) {
  for (const auto method : {ProductivityMethod::rouwenhorst, ProductivityMethod::tauchen}) {
    const auto productivity = make_productivity(method, 25, 0.9, 0.2);
    for (std::size_t i = 0; i < 25; ++i) {
      const auto row = productivity.transition.begin() + static_cast<std::ptrdiff_t>(25 * i);
      EXPECT_NEAR(std::accumulate(row, row + 25, 0.0), 1, 1e-14);
    }
    EXPECT_NEAR(mean_of(productivity, [](double x) { return x; }), 1, 1e-10);
    const double mean = mean_of(productivity, [](double x) { return std::log(x); });
    const double square = mean_of(productivity, [](double x) { return std::log(x) * std::log(x); });
    // Tauchen's variance is approximate; Rouwenhorst's is exact.
    const double exact = 0.04 / (1 - 0.81);
    EXPECT_NEAR(square - mean * mean, exact,
                method == ProductivityMethod::rouwenhorst ? 1e-10 : 0.1 * exact);
  }
  EXPECT_EQ(make_productivity(ProductivityMethod::tauchen, 1, 0.5, 1).level.at(0), 1);
  EXPECT_EQ(make_productivity(ProductivityMethod::tauchen, 5, 0.5, 0).count(), 1u);
}

TEST(ProductivityChain, RefusesInvalidOptions) {
  const auto make = [](std::int32_t count, double persistence, double volatility) {
    return make_productivity(ProductivityMethod::tauchen, count, persistence, volatility);
  };
  EXPECT_THROW(make(0, 0.5, 1), InputError);
  EXPECT_THROW(make(3, 1, 1), InputError);
  EXPECT_THROW(make(3, 0.5, -1), InputError);
  EXPECT_THROW(make(3, 0.5, NAN), InputError);
}

TEST(Savings, MatchesTheClosedFormWithoutIncome) {
  // w = 0, no risk: c = (1−β)(1+r) a and a' = β(1+r) a. This is valid far from the lowest
  // asset, where saving is limited.
  SavingsProblem problem;
  problem.assets = make_assets(2000, 1e-3, 50);
  problem.productivity = {{1.0}, {1.0}};
  problem.wage = 0;
  problem.interest = 0.02;
  problem.discount = 0.9;
  const auto solution = solution_of(problem, SavingsMethod::off_grid);
  const double growth = 1.02;
  const double beta = 0.9;
  for (std::size_t n = 0; n < problem.assets.size(); ++n) {
    const double a = problem.assets[n];
    if (a < 2) continue;
    EXPECT_NEAR(solution.saving[n], beta * growth * a, 2e-4 * a) << a;
    EXPECT_NEAR(solution.consumption[n], (1 - beta) * growth * a, 2e-4 * a) << a;
    const double value = std::log((1 - beta) * growth * a) / (1 - beta) +
                         beta * std::log(beta * growth) / ((1 - beta) * (1 - beta));
    EXPECT_NEAR(solution.value[n], value, 2e-3) << a;
  }
  const auto on_grid = solution_of(problem, SavingsMethod::on_grid);
  for (std::size_t n = 0; n + 1 < problem.assets.size(); ++n) {
    const double a = problem.assets[n];
    if (a < 2) continue;
    const double spacing = problem.assets[n + 1] - a;
    EXPECT_NEAR(on_grid.saving[n], beta * growth * a, 2 * spacing) << a;
  }
}

TEST(Savings, KeepsAssetsIfPatienceEqualsInterest) {
  SavingsProblem problem;
  problem.assets = make_assets(50, 1, 20);
  problem.productivity = {{1.0}, {1.0}};
  problem.wage = 0;
  problem.interest = 0.25;
  problem.discount = 0.8;  // β(1+r) = 1: a' = a, V = ln(r a)/(1−β)
  const auto solution = solution_of(problem, SavingsMethod::on_grid);
  for (std::size_t n = 0; n < problem.assets.size(); ++n) {
    EXPECT_EQ(solution.saving[n], problem.assets[n]);
    EXPECT_NEAR(solution.value[n], std::log(0.25 * problem.assets[n]) / 0.2, 1e-7);
  }
}

TEST(Savings, FindsTheBestOfTheGrid) {
  // The value satisfies the Bellman equation with the assets of the grid as choices.
  const SavingsProblem problem = make_problem(60, 3);
  const auto solution = solution_of(problem, SavingsMethod::on_grid);
  for (std::size_t e = 0; e < 3; ++e) {
    for (std::size_t i = 0; i < 60; ++i) {
      double best = -1e300;
      for (std::size_t j = 0; j < 60; ++j) {
        const double c =
            1.03 * problem.assets[i] + problem.productivity.level[e] - problem.assets[j];
        if (c <= 0) break;
        double continuation = 0;
        for (std::size_t to = 0; to < 3; ++to) {
          continuation += problem.productivity.transition[e * 3 + to] * solution.value[to * 60 + j];
        }
        best = std::max(best, std::log(c) + 0.94 * continuation);
      }
      EXPECT_NEAR(solution.value[e * 60 + i], best, 2e-8);
    }
  }
}

TEST(Savings, AgreesBetweenMethods) {
  double shortfall = 1e9;
  for (const std::int32_t assets : {100, 400}) {
    const SavingsProblem problem = make_problem(assets);
    const auto on_grid = solution_of(problem, SavingsMethod::on_grid);
    const auto off_grid = solution_of(problem, SavingsMethod::off_grid);
    const auto comparison = compare_savings(problem, on_grid, off_grid);
    // More choices are never worse, except for interpolation.
    EXPECT_LE(comparison.greatest_excess, 1e-4);
    EXPECT_LT(comparison.greatest_shortfall, shortfall / 4);
    shortfall = comparison.greatest_shortfall;
    EXPECT_LE(comparison.greatest_difference, 2);
    EXPECT_LE(comparison.mean_difference, 0.6);
  }
  EXPECT_LT(shortfall, 5e-3);
}

TEST(Savings, HasMonotonePolicies) {
  const SavingsProblem problem = make_problem();
  for (const auto method : {SavingsMethod::on_grid, SavingsMethod::off_grid}) {
    const auto solution = solution_of(problem, method);
    const std::size_t count = problem.assets.size();
    for (std::size_t n = 0; n + 1 < solution.saving.size(); ++n) {
      if (n % count == count - 1) continue;
      EXPECT_GE(solution.saving[n + 1], solution.saving[n] - 1e-6);
      EXPECT_GT(solution.value[n + 1], solution.value[n]);
      EXPECT_GT(solution.consumption[n], 0);
    }
  }
}

TEST(Savings, SatisfiesTheEulerEquation) {
  double before = 1;
  for (const std::int32_t assets : {100, 200, 400, 800}) {
    const SavingsProblem problem = make_problem(assets);
    const auto errors = euler_errors(problem, solution_of(problem, SavingsMethod::off_grid));
    EXPECT_GT(errors.unconstrained, 4 * assets);
    EXPECT_GT(errors.constrained, 0);
    EXPECT_LT(errors.mean, before / 1.8) << assets;
    EXPECT_LT(errors.greatest_violation, 1e-2) << assets;
    before = errors.mean;
  }
  EXPECT_LT(before, 1e-5);
}

TEST(Savings, HasShrinkingEulerErrorsOnFinerGrids) {
  double before = 1;
  for (const std::int32_t assets : {100, 400, 1600}) {
    const SavingsProblem problem = make_problem(assets);
    const auto errors = euler_errors(problem, solution_of(problem, SavingsMethod::on_grid));
    // The greatest error scales with the spacing; the mean depends on how savings match the grid.
    EXPECT_LT(errors.max, before / 2.5) << assets;
    EXPECT_LT(errors.mean, 2 / std::sqrt(assets) / 10) << assets;
    before = errors.max;
  }
}

TEST(Savings, IsLessAccurateWithLinearInterpolation) {
  const SavingsProblem problem = make_problem();
  const auto linear =
      euler_errors(problem, solution_of(problem, SavingsMethod::off_grid, Interpolation::linear));
  const auto cubic = euler_errors(problem, solution_of(problem, SavingsMethod::off_grid));
  EXPECT_LT(linear.mean, 1e-2);
  EXPECT_LT(cubic.mean, linear.mean / 10);
}

/// Returns a table of a utility with points so close that interpolation adds almost no error.
UtilityTable table_of(double min, double max, double (*utility)(double)) {
  UtilityTable table;
  constexpr int points = 4000;
  for (int n = 0; n <= points; ++n) {
    const double c = n == points ? max : min * std::pow(max / min, n / double{points});
    table.consumption.push_back(c);
    table.utility.push_back(utility(c));
  }
  return table;
}

TEST(Savings, InterpolatesATableOfTheLogarithm) {
  SavingsProblem problem = make_problem(120, 3);
  const auto exact = solution_of(problem, SavingsMethod::off_grid);
  const auto exact_errors = euler_errors(problem, exact);
  problem.utility = table_of(1e-3, 70, [](double c) { return std::log(c); });
  for (const auto method : {SavingsMethod::on_grid, SavingsMethod::off_grid}) {
    const auto with_table = solution_of(problem, method);
    if (method == SavingsMethod::on_grid) continue;
    for (std::size_t n = 0; n < exact.value.size(); ++n) {
      EXPECT_NEAR(with_table.value[n], exact.value[n], 1e-6);
      EXPECT_NEAR(with_table.saving[n], exact.saving[n], 1e-3);
    }
    EXPECT_NEAR(euler_errors(problem, with_table).mean, exact_errors.mean, 1e-5);
  }
}

TEST(Savings, MatchesTheClosedFormOfAnotherUtility) {
  // u = −1/c, w = 0, no risk: c = (1 + r − (β (1 + r))^½) a.
  SavingsProblem problem;
  problem.assets = make_assets(2000, 1e-2, 50);
  problem.productivity = {{1.0}, {1.0}};
  problem.wage = 0;
  problem.interest = 0.02;
  problem.discount = 0.9;
  problem.utility = table_of(1e-4, 51, [](double c) { return -1 / c; });
  const auto solution = solution_of(problem, SavingsMethod::off_grid);
  const double share = 1.02 - std::sqrt(0.9 * 1.02);
  for (std::size_t n = 0; n < problem.assets.size(); ++n) {
    const double a = problem.assets[n];
    if (a < 4) continue;
    EXPECT_NEAR(solution.consumption[n], share * a, 1e-3 * a) << a;
  }
}

TEST(Savings, FindsIntervalsOfAnyGrid) {
  SavingsProblem problem = make_problem(4, 2);
  problem.assets.clear();
  for (int n = 0; n < 300; ++n) problem.assets.push_back(n * 0.2);
  const auto errors = euler_errors(problem, solution_of(problem, SavingsMethod::off_grid));
  EXPECT_LT(errors.mean, 1e-3);
}

TEST(Savings, ReadsBackAProblem) {
  const test::TemporaryFolder folder;
  SavingsProblem problem = make_problem(20, 3);
  problem.utility = table_of(1e-3, 70, [](double c) { return std::sqrt(c); });
  Hdf5File file = Hdf5File::create(folder / "problem.h5");
  write_savings_problem(file, problem);
  file.close();
  const SavingsProblem reread = read_savings_problem((folder / "problem.h5").string());
  EXPECT_EQ(reread.assets, problem.assets);
  EXPECT_EQ(reread.productivity.level, problem.productivity.level);
  EXPECT_EQ(reread.productivity.transition, problem.productivity.transition);
  EXPECT_EQ(reread.utility.utility, problem.utility.utility);
  EXPECT_EQ(reread.interest, problem.interest);
  EXPECT_EQ(reread.discount, problem.discount);
}

TEST(Savings, AllowsDebtWithinTheLimit) {
  SavingsProblem problem = make_problem();
  problem.assets = make_assets(300, -2, 40);
  const auto solution = solution_of(problem, SavingsMethod::off_grid);
  EXPECT_GE(*std::min_element(solution.saving.begin(), solution.saving.end()), -2);
  EXPECT_GT(euler_errors(problem, solution).constrained, 0);
}

TEST(Savings, DoesNotDependOnTheNumberOfThreads) {
  const SavingsProblem problem = make_problem();
  for (const auto method : {SavingsMethod::on_grid, SavingsMethod::off_grid}) {
    const auto single_thread = solution_of(problem, method);
    const auto three_threads = solution_of(problem, method, Interpolation::cubic, 3);
    EXPECT_EQ(single_thread.value, three_threads.value);
    EXPECT_EQ(single_thread.saving, three_threads.saving);
    EXPECT_EQ(single_thread.sweeps, three_threads.sweeps);
  }
}

TEST(Savings, RefusesProblemsWithoutASolution) {
  const auto expect_refusal = [](auto change) {
    SavingsProblem problem = make_problem(10, 2);
    change(problem);
    SilentProgress progress;
    EXPECT_THROW(solve_savings(problem, {}, progress), InputError);
  };
  expect_refusal([](SavingsProblem& problem) { problem.discount = 1; });
  expect_refusal([](SavingsProblem& problem) { problem.interest = -1; });
  expect_refusal([](SavingsProblem& problem) { problem.wage = -1; });
  expect_refusal([](SavingsProblem& problem) { problem.wage = 0; });  // no consumption at a = 0
  expect_refusal([](SavingsProblem& problem) { problem.assets = make_assets(3, 0, 1); });
  expect_refusal([](SavingsProblem& problem) { problem.assets = make_assets(10, -1000, 1); });
  expect_refusal([](SavingsProblem& problem) { problem.assets = make_assets(10, 1, 0); });
  const auto expect_code = [](const char* code, auto change) {
    SavingsProblem problem = make_problem(10, 2);
    change(problem);
    try {
      validate_savings(problem);
      ADD_FAILURE() << code;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), test::has_code(code));
    }
  };
  expect_code("savings_transition_shape",
              [](SavingsProblem& problem) { problem.productivity.transition.pop_back(); });
  expect_code("savings_transition_sum",
              [](SavingsProblem& problem) { problem.productivity.transition[0] += 0.1; });
  expect_code("savings_transition_negative", [](SavingsProblem& problem) {
    problem.productivity.transition = {1.5, -0.5, 0, 1};
  });
  expect_code("savings_level_invalid",
              [](SavingsProblem& problem) { problem.productivity.level[1] = 0; });
  expect_code("utility_shape", [](SavingsProblem& problem) { problem.utility = {{1, 2}, {1}}; });
  expect_code("utility_not_concave", [](SavingsProblem& problem) {
    problem.utility = table_of(1e-3, 70, [](double c) { return c * c; });
  });
  expect_code("utility_range", [](SavingsProblem& problem) {
    problem.utility = table_of(1e-3, 10, [](double c) { return std::log(c); });
  });
  SilentProgress progress;
  SavingsOptions options;
  options.tolerance = 0;
  EXPECT_THROW(solve_savings(make_problem(10, 2), options, progress), InputError);
  options.tolerance = 1e-8;
  options.max_improvements = 1;
  EXPECT_THROW(solve_savings(make_problem(10, 2), options, progress), RunError);
}

TEST(DeviceSavings, HasTheSameBits) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const std::int32_t assets : {4, 33, 257, 1000, 3000}) {
    SavingsProblem problem = make_problem(assets, 7);
    if (assets == 257) {
      problem.utility = table_of(1e-3, 70, [](double c) { return std::sqrt(c); });
    }
    for (const auto method : {SavingsMethod::on_grid, SavingsMethod::off_grid}) {
      for (const auto interpolation : {Interpolation::linear, Interpolation::cubic}) {
        SavingsOptions options;
        options.method = method;
        options.interpolation = interpolation;
        SilentProgress progress;
        const auto on_host = solve_savings(problem, options, progress);
        const auto on_device = solve_savings_on_device(problem, options, progress);
        EXPECT_EQ(on_device.value, on_host.value);
        EXPECT_EQ(on_device.saving, on_host.saving);
        EXPECT_EQ(on_device.consumption, on_host.consumption);
        EXPECT_EQ(on_device.sweeps, on_host.sweeps);
        options.uses_shared_memory = false;
        EXPECT_EQ(solve_savings_on_device(problem, options, progress).value, on_host.value);
      }
    }
  }
}

}  // namespace
}  // namespace tidewise::mdp
