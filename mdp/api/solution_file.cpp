
#include <string>
#include <utility>

#include "base/error.h"
#include "mdp/api/content.h"
#include "mdp/error/codes.h"
#include "mdp/file/solution.h"
#include "mdp/process/first_values.h"
#include "tidewise/process.h"

namespace tidewise::mdp {
namespace {

ProcessSolution<double> stored_form(const Solution& solution, std::size_t states) {
  const auto first_states = [&](const auto& values) {
    return std::vector(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(states));
  };
  ProcessSolution<double> stored;
  static_cast<SolveFigures&>(stored) = solution;
  stored.value = first_states(solution.value);
  stored.action = first_states(solution.policy);
  stored.bounds = {solution.lower, solution.upper};
  stored.lower = first_states(solution.min_value);
  stored.upper = first_states(solution.max_value);
  return stored;
}

std::vector<double> saved_action_values(const Process& process, const Solution& solution,
                                        std::size_t states) {
  if (solution.method == name_of_backward) {
    throw input_error(errors::action_values_of_first_step);
  }
  std::vector<double> q = action_values(process, solution.value);
  q.resize(states * static_cast<std::size_t>(process.action_count()));
  return q;
}

}  // namespace

void write_solution(const std::filesystem::path& path, const Process& process,
                    const Solution& solution, bool with_action_values, std::int32_t state_count) {
  require_one_per_state(solution.value.size(), process.state_count(), "the solution's values");
  const std::int32_t total = process.state_count();
  const std::int32_t count = state_count == 0 ? total : state_count;
  if (count < 0 || count > total) {
    throw input_error(errors::values_too_few, count, total);
  }
  if (with_action_values && path.extension() == ".txt") {
    throw input_error(errors::action_values_without_hdf5, path.string());
  }
  const auto states = static_cast<std::size_t>(count);
  const DecisionProcess<double>& arrays = process.content().process;
  SolutionTables tables{.action_count = process.action_count()};
  if (count == total) {
    tables.state_names = arrays.state_names;
    tables.action_names = arrays.action_names;
  }
  if (with_action_values) tables.q = saved_action_values(process, solution, states);
  const SolutionOrigin origin{"",
                              std::string(solution.method),
                              solution.backend == BackendChoice::cuda ? "cuda" : "cpu",
                              process.discount(),
                              solution.tolerance,
                              "written by a program that uses the library",
                              std::string(solution.policies),
                              process.fingerprint()};
  write_solution(path, stored_form(solution, states), origin, tables);
}

StoredValues read_solution_values(const std::filesystem::path& path) {
  StoredSolution stored = read_solution(path);
  return {std::move(stored.solution.value), std::move(stored.origin.model_fingerprint)};
}

}  // namespace tidewise::mdp
