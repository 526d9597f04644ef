#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include "app/cli/backend_options.h"
#include "app/cli/common_options.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/hdf5/file.h"
#include "base/hdf5/file_kind.h"
#include "mdp/savings/file.h"
#include "mdp/savings/solve_savings.h"
#include "mdp/savings/validation.h"
#include "output/run/attributes.h"
#include "planner/outputs/outputs.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string out;
  std::string model;
  std::vector<std::int32_t> sizes;  // assets, productivities
  std::optional<double> interest;
  BackendRequest backend;
  Overwrite overwrite = Overwrite::refused;
};

mdp::SavingsProblem make_problem(const Arguments& arguments) {
  const std::vector<std::int32_t>& sizes = arguments.sizes;
  if (!arguments.model.empty()) {
    if (!sizes.empty() || arguments.interest) {
      throw input_error(errors::options_exclude_each_other, "--model",
                        sizes.empty() ? "--interest" : "--assets");
    }
    return mdp::read_savings_problem(arguments.model);
  }
  mdp::SavingsProblem problem;
  const std::int32_t assets = sizes.empty() ? 1000 : sizes.front();
  if (sizes.size() > 2 || assets < 4 || assets > 100000000) {
    throw input_error(errors::savings_asset_count, fmt::join(sizes, ","));
  }
  const std::int32_t productivities = sizes.size() > 1 ? sizes[1] : 7;
  // The usual calibration of the literature.
  constexpr double persistence = 0.9;  // persistence of the logarithm of productivity
  constexpr double deviation = 0.2;    // standard deviation of its innovations
  problem.productivity = mdp::make_productivity(mdp::ProductivityMethod::rouwenhorst,
                                                productivities, persistence, deviation);
  problem.assets = mdp::make_assets(assets, 0, 100);
  problem.wage = 1;
  problem.interest = arguments.interest.value_or(0.03);
  problem.discount = 0.96;
  mdp::validate_savings(problem);
  return problem;
}

/// Writes value, savings and consumption of a method, as variables whose names end in its name.
void write_solution(Hdf5File& file, const std::string& method, const mdp::SavingsSolution& solution,
                    const mdp::EulerErrors& euler) {
  const auto write = [&](const std::string& what, const std::vector<double>& values,
                         const std::string& meaning) {
    const std::string name = what + "_" + method;
    file.define_variable(name, NumberType::float64, {"productivity", "assets"});
    describe(file, name, "1", meaning);
    file.write_all(name, values);
  };
  write("value", solution.value, "expected utility from here on");
  write("savings", solution.saving, "assets of the next period");
  write("consumption", solution.consumption, "consumption of this period");
  write("euler_error", euler.error,
        "share of consumption by which the Euler equation is missed; NaN where the saving is held "
        "by an end of the grid");
}

/// A method's solution and its errors of the Euler equation.
struct SolvedMethod {
  std::string name;
  mdp::SavingsSolution solution;
  mdp::EulerErrors euler;
};

void write_file(const std::string& path, const mdp::SavingsProblem& problem,
                const std::vector<SolvedMethod>& solved, const std::string& history) {
  AtomicFile atomic(path);
  Hdf5File file = Hdf5File::create(atomic.temporary_path());
  set_source_attributes(file, "Household savings: value and policy");
  file.set_attribute("/", "history", history);
  mdp::write_savings_problem(file, problem);
  describe(file, "transition", "1", "probability of the next period's productivity");
  for (const SolvedMethod& entry : solved)
    write_solution(file, entry.name, entry.solution, entry.euler);
  file.close();
  atomic.commit();
}

std::string describe_method(const SolvedMethod& entry) {
  const mdp::SavingsSolution& solution = entry.solution;
  const mdp::EulerErrors& euler = entry.euler;
  const auto digits = [](double error) {
    return error > 0 ? fmt::format("{:.3g} (10^{:.2f})", error, std::log10(error)) : "0";
  };
  std::string text = fmt::format(
      "{:<14}{} improvements, {} sweeps, {:.3g} s; the value is within {:.2g} of its limit\n",
      entry.name, solution.improvements, solution.sweeps, solution.seconds, solution.error_bound);
  text += fmt::format("{:<14}Euler equation: mean error {}, greatest {}, over {} states\n", "",
                      digits(euler.mean), digits(euler.max), euler.unconstrained);
  text += fmt::format(
      "{:<14}{} states save no more than the borrowing limit; there β(1+r) E[u'(c')]/u'(c) exceeds "
      "1 by "
      "{:.3g} "
      "at most\n",
      "", euler.constrained, euler.greatest_violation);
  return text;
}

void run(const Arguments& arguments, const CommandContext& context) {
  const mdp::SavingsProblem problem = make_problem(arguments);
  const Backend backend = take_backend(arguments.backend);
  if (std::filesystem::path(arguments.out).extension() != ".h5") {
    throw input_error(errors::savings_output_not_hdf5, arguments.out);
  }
  Outputs outputs(arguments.overwrite);
  outputs.add_output("--out", arguments.out,
                     hdf5_kind_by_variable("file of 'tidewise research mdp savings'", "assets"));
  if (!arguments.model.empty()) outputs.add_input(arguments.model);
  outputs.validate();
  const auto progress = context.make_progress();
  mdp::SavingsOptions options;
  options.interpolation = mdp::Interpolation::cubic;
  options.tolerance = 1e-8;
  options.threads = backend.threads;
  std::vector<SolvedMethod> solved;
  const auto solve = [&](mdp::SavingsMethod method, const std::string& name) {
    options.method = method;
    mdp::SavingsSolution solution = backend.kind == BackendKind::cuda
                                        ? solve_savings_on_device(problem, options, *progress)
                                        : mdp::solve_savings(problem, options, *progress);
    mdp::EulerErrors euler = mdp::euler_errors(problem, solution);
    solved.push_back({name, std::move(solution), std::move(euler)});
  };
  solve(mdp::SavingsMethod::on_grid, "on_grid");
  solve(mdp::SavingsMethod::off_grid, "off_grid");
  write_file(arguments.out, problem, solved, context.command_line);

  print("{:<14}{} assets from {:g} to {:g}, {} productivities\n", "problem", problem.assets.size(),
        problem.assets.front(), problem.assets.back(), problem.productivity.count());
  for (const SolvedMethod& entry : solved) print("{}", describe_method(entry));
  const auto comparison = compare_savings(problem, solved[0].solution, solved[1].solution);
  print(
      "{:<14}on the grid the value is at most {:.3g} below and {:.3g} above that off the grid; "
      "savings differ by {:.2f} spacings of the grid on average, {:.2f} at most\n",
      "together", comparison.greatest_shortfall, comparison.greatest_excess,
      comparison.mean_difference, comparison.greatest_difference);
  print("{:<14}{}: {}\n", "computed on", backend.name, backend.device);
  print("{:<14}{}\n", "written to", arguments.out);
}

}  // namespace

void add_mdp_savings(Command mdp, const Context& context) {
  Command command = mdp.add_command(
      "savings", "A household's savings, on the grid and off it by golden section",
      "Example:\n  tidewise research mdp savings --out savings.h5 --assets 2000 --interest 0.02");
  Arguments& a = add_arguments(command, context, run);
  command.add_option("--out", a.out, "The file to write: .h5").required().type_name("FILE");
  add_overwrite_flag(command, a.overwrite);
  command
      .add_option("--assets", a.sizes,
                  "Points of the grid of assets, and states of the productivity (default: 1000,7)")
      .comma_separated()
      .type_name("N[,STATES]");
  command.add_option("--interest", a.interest, "Interest a period").show_default("0.03");
  command
      .add_option("--model", a.model,
                  "A problem with its own transition matrix and utility, in place of --assets and "
                  "--interest: .h5; docs/mdp/worlds.md")
      .type_name("FILE");
  add_backend_options(command, a.backend);
}

}  // namespace tidewise
