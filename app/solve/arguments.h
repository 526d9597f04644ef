#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/common_options.h"
#include "mdp/process/direction.h"
#include "mdp/process/options.h"
#include "planner/backend/backend.h"
#include "planner/outputs/outputs.h"

namespace tidewise {

/// What of a model counts: the rewards on the way, or reaching the target at all.
enum class SolveGoal { reward, probability };

/// When to end: mdp::StoppingRule, and of the error the share of each state's value.
enum class SolveStop { error, relative, change };

/// What `tidewise research solve` was told.
struct SolveArguments {
  std::string model;
  std::string out;
  std::string initial;  ///< a solution to begin with
  bool writes_q = false;
  mdp::SolveOptions options{mdp::SolverOptions()};
  BackendRequest backend;
  std::optional<double> gamma;
  std::vector<double> exploration;  ///< of q-learning: ε first, last, decrement; empty: its own
  Precision precision = Precision::float64;
  mdp::Direction direction = mdp::Direction::greatest;
  SolveGoal goal = SolveGoal::reward;
  SolveStop stop = SolveStop::error;
  std::optional<mdp::Endings> endings;  ///< absent: sure where there is a target, else automatic;
                                        ///< with it, or least costs to a target, values may be
                                        ///< infinite
  std::string target;                   ///< labels and numbers of states, e.g. "finished, 7"
  std::string mission;                  ///< for an ocean's explicit model
  std::vector<std::string> settings;    ///< of that mission
  Overwrite overwrite = Overwrite::refused;
};

/// Adds the options that choose and tune a method.
void add_method_options(Command command, SolveArguments& arguments);

/// Of --method auto what options that were given leave no choice in: --layout belongs to the fused
/// method. Another method is left as it is.
mdp::Method settle_method(Command command, mdp::Method method);

/// Refuses options that were given and belong to another method than the chosen one, such as
/// --horizon without --method backward: what the user meant would silently not be done.
/// Errors: InputError.
void require_own_options(Command command, mdp::Method method);

/// The method's options, judged, for a run on `backend`. Errors: InputError for options that
/// cannot be, or do not go together.
mdp::SolveOptions validate_method_options(const SolveArguments& arguments, const Backend& backend);

}  // namespace tidewise
