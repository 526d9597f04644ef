#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/common_options.h"
#include "mdp/process/direction.h"
#include "mdp/process/options.h"
#include "planner/backend/backend.h"
#include "planner/outputs/outputs.h"

namespace tidewise {

/// The goal of a solve: the sum of rewards, or the probability of reaching the target.
enum class SolveGoal { reward, probability };

/// The options of `tidewise research solve`.
struct SolveArguments {
  std::string model;
  std::string out;
  std::string initial;  ///< a solution to begin with
  bool writes_q = false;
  std::map<std::string_view, std::string> named;  ///< texts of options of mdp::OptionUse::method
  mdp::SolveOptions options{mdp::SolverOptions()};
  BackendRequest backend;
  std::optional<double> gamma;
  Precision precision = Precision::float64;
  mdp::Direction direction = mdp::Direction::maximize;
  SolveGoal goal = SolveGoal::reward;
  std::string target;                 ///< labels and numbers of states, e.g. "finished, 7"
  std::vector<std::string> settings;  ///< METHOD.KEY=VALUE
  Overwrite overwrite = Overwrite::refused;
};

/// Adds the options that choose and tune a method.
void add_method_options(Command command, SolveArguments& arguments);

/// Stores the options of add_method_options() and the settings in `arguments.options`. Errors:
/// InputError for invalid values, and for options of another method than the chosen one.
void take_method_options(Command command, SolveArguments& arguments);

/// The method's validated options for a run on `backend`. Errors: InputError for invalid options
/// and combinations.
mdp::SolveOptions validate_method_options(const SolveArguments& arguments, const Backend& backend);

}  // namespace tidewise
