#include "app/solve/output.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "app/error/codes.h"
#include "base/error.h"
#include "base/file/same_file.h"
#include "mdp/process/direction.h"
#include "mdp/process/fingerprint.h"
#include "mdp/solve/solve_process.h"
#include "planner/outputs/outputs.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

fs::path unfinished_path(const fs::path& out) {
  fs::path checkpoint = out;
  return checkpoint.replace_filename(out.stem().string() + ".unfinished.h5");
}

/// The state of a file: no solution, an unfinished one, or a complete one.
enum class SolutionState { no_solution, unfinished, complete };

SolutionState solution_state(const fs::path& path) {
  try {
    const mdp::Outcome outcome = mdp::read_solution(path).solution.outcome;
    const bool is_text = path.extension() == ".txt";  // only complete solutions are text
    return is_text || mdp::is_answer(outcome) ? SolutionState::complete : SolutionState::unfinished;
  } catch (const InputError&) {
    return SolutionState::no_solution;
  }
}

void validate_q(const SolveArguments& arguments) {
  if (!arguments.writes_q) return;
  if (fs::path(arguments.out).extension() == ".txt") {
    throw input_error(errors::q_without_hdf5, arguments.out);
  }
  const mdp::Method method = arguments.options.method;
  if (!mdp::has_fixed_point(method)) {
    throw input_error(errors::q_of_method_unknown, mdp::name_of(method),
                      method == mdp::Method::backward ? "the first step's" : "learned ones");
  }
}

template <class Real>
mdp::SolutionTables tables_of(const SolveArguments& arguments,
                              const mdp::DecisionProcess<Real>& process, std::int32_t threads,
                              const std::vector<Real>& value) {
  mdp::SolutionTables tables{.action_count = process.action_count,
                             .state_names = process.state_names,
                             .action_names = process.action_names};
  if (!arguments.writes_q) return tables;
  tables.q = find_action_values(process, value, threads);
  if (arguments.direction == mdp::Direction::minimize) {
    for (double& q : tables.q) q = 0 - q;
  }
  return tables;
}

}  // namespace

void validate_solution_output(const std::string& out, Overwrite overwrite,
                              const std::vector<fs::path>& inputs) {
  Outputs outputs(overwrite);
  outputs.add_inputs(inputs);
  const auto is_solution = [](const fs::path& path) {
    return solution_state(path) != SolutionState::no_solution;
  };
  outputs.add_output("--out", out, {"solution", is_solution});
  outputs.validate();
}

void validate_output(const SolveArguments& arguments) {
  const fs::path out = arguments.out;
  if (out.extension() != ".h5" && out.extension() != ".txt") {
    throw input_error(errors::solution_ending_unknown, out.string());
  }
  validate_solution_output(arguments.out, arguments.overwrite,
                           {arguments.model, arguments.initial});
  // The file may be the solution that --initial names, from which the work continues.
  const fs::path checkpoint = unfinished_path(out);
  if (arguments.overwrite == Overwrite::refused && fs::exists(checkpoint) &&
      solution_state(checkpoint) != SolutionState::unfinished) {
    throw input_error(errors::checkpoint_exists, out.string(), checkpoint.string());
  }
  refuse_overwriting("--out", checkpoint, {arguments.model});
  validate_q(arguments);
}

template <class Real>
std::string write_output(const SolveArguments& arguments, const mdp::SolveOptions& options,
                         const mdp::DecisionProcess<Real>& process, mdp::SolutionOrigin origin,
                         mdp::ProcessSolution<Real>& solution) {
  const bool is_complete = mdp::is_answer(solution.outcome);
  const auto& value = solution.value;
  const auto infinite =
      std::count_if(value.begin(), value.end(), [](Real entry) { return !std::isfinite(entry); });
  if (!is_complete && infinite != static_cast<std::ptrdiff_t>(solution.infinite.size())) return "";
  origin.model_fingerprint = mdp::fingerprint(process);
  const mdp::SolutionTables tables = tables_of(arguments, process, options.threads, value);
  if (arguments.direction == mdp::Direction::minimize) mdp::negate_rewards(solution);
  const fs::path path = is_complete ? fs::path(arguments.out) : unfinished_path(arguments.out);
  mdp::write_solution(path, solution, origin, tables);
  return path.string();
}

#define TIDEWISE_INSTANTIATE(Real)                                                          \
  template std::string write_output(const SolveArguments&, const mdp::SolveOptions&,        \
                                    const mdp::DecisionProcess<Real>&, mdp::SolutionOrigin, \
                                    mdp::ProcessSolution<Real>&);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

}  // namespace tidewise
