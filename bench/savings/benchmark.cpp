#include "bench/savings/benchmark.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/machine.h"
#include "mdp/savings/solve_savings.h"

namespace tidewise {
namespace {

struct Size {
  mdp::SavingsMethod method;
  std::int32_t assets;
  std::int32_t productivities;
  bool is_large;
};

constexpr Size sizes[] = {{mdp::SavingsMethod::on_grid, 330, 3, false},
                          {mdp::SavingsMethod::off_grid, 128, 30, false},
                          {mdp::SavingsMethod::on_grid, 40'000, 30, true},
                          {mdp::SavingsMethod::off_grid, 2000, 100, true},
                          {mdp::SavingsMethod::off_grid, 20'000, 30, true}};

BenchmarkReport measure(const Size& size, const SavingsBenchmarkOptions& options,
                        bool& has_equal_values, Progress& progress) {
  const bool is_off_grid = size.method == mdp::SavingsMethod::off_grid;
  const std::int32_t assets = options.is_small && size.is_large ? size.assets / 100 : size.assets;
  mdp::SavingsProblem problem;
  problem.assets = mdp::make_assets(assets, 0, 100);
  problem.productivity =
      mdp::make_productivity(mdp::ProductivityMethod::rouwenhorst, size.productivities, 0.9, 0.2);
  mdp::SavingsOptions solving;
  solving.method = size.method;
  solving.threads = options.threads;
  BenchmarkReport report;
  report.title =
      fmt::format("Household savings {}, {} assets × {} productivities",
                  is_off_grid ? "by golden section" : "on the grid", assets, size.productivities);
  report.machine = describe_machine();
  report.unit = "ms";
  std::vector<double> first_value;
  std::vector<BenchmarkContender> contenders;
  const auto add = [&](const std::string& name, const mdp::SavingsOptions& variant, auto solve) {
    contenders.push_back({name, [&, variant, solve](std::int32_t) {
                            const mdp::SavingsSolution solution = solve(problem, variant, progress);
                            if (first_value.empty()) first_value = solution.value;
                            if (solution.value != first_value) has_equal_values = false;
                            return 1e3 * solution.seconds;
                          }});
  };
  if (options.threads > 1 && !size.is_large) {
    mdp::SavingsOptions single_thread = solving;
    single_thread.threads = 1;
    add("CPU, 1 thread", single_thread, mdp::solve_savings);
  }
  const std::string host = fmt::format("CPU, {} thread(s)", options.threads);
  add(host, solving, mdp::solve_savings);
  if (options.on_device) {
    const std::string global = "GPU";
    mdp::SavingsOptions global_only = solving;
    global_only.uses_shared_memory = false;
    add(global, global_only, mdp::solve_savings_on_device);
    report.ratios.push_back({host, global});
    if (is_off_grid && mdp::fits_shared_memory(problem)) {
      const std::string shared = "GPU, shared memory";
      add(shared, solving, mdp::solve_savings_on_device);
      report.ratios.push_back({global, shared});
    }
  }
  measure_in_turn(contenders, options.repeats, WarmUp::one_round, report, progress);
  return report;
}

}  // namespace

std::string SavingsBenchmarkReport::to_text() const {
  std::string text;
  for (const BenchmarkReport& problem : problems) text += problem.to_text() + "\n";
  return text +
         fmt::format("All sides found {} values.\n", has_equal_values ? "the same" : "DIFFERENT");
}

nlohmann::ordered_json SavingsBenchmarkReport::to_json() const {
  nlohmann::ordered_json json{{"values_are_equal", has_equal_values}};
  for (const BenchmarkReport& problem : problems) json["problems"].push_back(problem.to_json());
  return json;
}

SavingsBenchmarkReport benchmark_savings(const SavingsBenchmarkOptions& options,
                                         Progress& progress) {
  SavingsBenchmarkReport report;
  for (const Size& size : sizes) {
    report.problems.push_back(measure(size, options, report.has_equal_values, progress));
  }
  return report;
}

}  // namespace tidewise
