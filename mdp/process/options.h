#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tidewise/solving.h"

namespace tidewise::mdp {

template <class Real>
struct DecisionProcess;

/// A process that is used only by the solve, or none.
using UnloadableProcess =
    std::variant<std::monostate, DecisionProcess<float>*, DecisionProcess<double>*>;

/// Options as methods take them: the backend is cpu or cuda, `threads` ≥ 1, endings are resolved,
/// and initial values are in the process.
struct SolveOptions : SolverOptions {
  SolveOptions() : SolverOptions{.method = Method::fused, .threads = 1} {}
  explicit SolveOptions(SolverOptions requested) : SolverOptions(std::move(requested)) {
    threads = std::max(threads, 1);
  }

  /// If true, with γ = 1 states without an admissible policy get the value −∞ and the others are
  /// solved; otherwise the process is refused.
  bool may_be_infinite = false;
  /// Sweeps of modified policy iteration between improvements; not used with StoppingRule::policy.
  std::int32_t evaluation_sweeps = 20;
  /// Method::fused on the CPU with γ < 1 switches to inexact policy iteration if changes shrink
  /// slowly.
  bool may_switch_method = false;
  /// True if the user did not choose a method. On the host another method then continues if one
  /// gives up, and with γ = 1 and StoppingRule::error there are no sweeps if policy iteration with
  /// direct solves suits every loop (component_values.h).
  bool may_choose_method = false;
  /// If this is the process to be solved, its rows may be released while another layout holds them.
  /// They are restored unchanged when the solve returns or throws. Borrowed.
  UnloadableProcess unloadable = {};
  /// Records of sweeps are appended here; null: none. Borrowed.
  std::vector<SweepRecord>* history = nullptr;
};

/// Sets the admissible policies (Endings) for a process with or without a target, and whether
/// values may be infinite: they may if `requested` is not automatic, or for costs to a target.
inline void settle_endings(SolveOptions& options, Endings requested, bool has_target,
                           Direction direction) {
  const bool is_chosen = requested != Endings::automatic;
  options.endings = !is_chosen && has_target ? Endings::sure : requested;
  options.may_be_infinite = is_chosen || (has_target && direction == Direction::minimize);
}

/// Options for value iteration by the fused method: sweeps over the rows.
inline SolveOptions with_rows_layout(SolveOptions options) {
  options.layout = FusedLayout::rows;
  return options;
}

/// True if not all sweeps of a method consider every action.
inline bool is_policy_iteration(Method method) {
  return method == Method::policy_iteration || method == Method::inexact_policy_iteration;
}

// Lookups in the table of methods (mdp/methods/table.h):
/// Name on the command line, such as "value-iteration".
std::string_view name_of(Method method);
/// True if no GPU supports the method.
bool is_for_host_alone(Method method);
/// True if the value of the method is a fixed point, which another sweep would change only by its
/// error.
bool has_fixed_point(Method method);
/// The policies that are compared (Endings), "sure" or "free", if that matters; else "".
std::string_view compared_policies(double discount, const SolveOptions& options);

/// Name of the method without an error except rounding, for readers of files, which do not use the
/// table of methods.
inline constexpr std::string_view name_of_backward = "backward";

/// Name on the command line.
std::string_view name_of(Evaluator evaluator);
/// Name in solution files, such as "within-tolerance".
std::string_view name_of(Outcome outcome);

}  // namespace tidewise::mdp
