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

/// A process that nobody but the solve reads meanwhile, or none.
using UnloadableProcess =
    std::variant<std::monostate, DecisionProcess<float>*, DecisionProcess<double>*>;

/// What is asked for, as methods take it: the backend cpu or cuda, `threads` ≥ 1, endings settled,
/// first values in the process.
struct SolveOptions : SolverOptions {
  SolveOptions() : SolverOptions{.method = Method::fused, .threads = 1} {}
  explicit SolveOptions(SolverOptions asked) : SolverOptions(std::move(asked)) {
    threads = std::max(threads, 1);
  }

  /// With γ = 1: states from which no policy is that counts are worth −∞ and the others are solved;
  /// else the process is refused.
  bool may_be_infinite = false;
  /// Of modified policy iteration, between improvements; not of StoppingRule::policy.
  std::int32_t evaluation_sweeps = 20;
  /// fused, by the processor, γ < 1: goes over to inexact policy iteration where its changes are
  /// seen to shrink slowly.
  bool may_switch_method = false;
  /// Whether the method was left to choose: on the host others then go on where it gives up, and
  /// with γ = 1 and StoppingRule::error no method sweeps where policy iteration with direct solves
  /// takes every loop (component_values.h).
  bool is_left_to_choose = false;
  /// Where it is the very process that is solved, its rows may leave memory while they lie in
  /// another layout. They are back, the same, when the solve returns or throws;
  /// borrowed.
  UnloadableProcess unloadable = {};
  /// Where looks at sweeps are written down, for who wants to see how values came to rest;
  /// borrowed.
  std::vector<SweepRecord>* history = nullptr;
};

/// Settles with which policies options compare (Endings), of a process that has a target or none,
/// and whether values may be infinite: where `asked` is not automatic, or costs to a target are
/// wanted.
inline void settle_endings(SolveOptions& options, Endings asked, bool has_target,
                           Direction direction) {
  const bool is_said = asked != Endings::automatic;
  options.endings = !is_said && has_target ? Endings::sure : asked;
  options.may_be_infinite = is_said || (has_target && direction == Direction::least);
}

/// What value iteration asks of the fused method: sweeps over the rows as they are.
inline SolveOptions over_rows(SolveOptions options) {
  options.layout = FusedLayout::rows;
  return options;
}

/// Whether a method's sweeps do not all look at every action.
inline bool is_policy_iteration(Method method) {
  return method == Method::policy_iteration || method == Method::inexact_policy_iteration;
}

// What the table of methods (mdp/methods/table.h) says of one:
/// "value-iteration" and so on, as the command line has it.
std::string_view name_of(Method method);
/// Whether no GPU does it.
bool is_for_host_alone(Method method);
/// Whether its value is a fixed point, which another sweep would leave as it is but for the error.
bool has_fixed_point(Method method);
/// Which policies are compared (Endings), "sure" or "free", where that makes a difference; else "".
std::string_view compared_policies(double discount, const SolveOptions& options);

/// That of the method whose value has no error but rounding's, for readers of files, which know no
/// more of methods than this.
inline constexpr std::string_view name_of_backward = "backward";

std::string_view name_of(Evaluator evaluator);
/// "within-tolerance" and so on, as files of solutions have it.
std::string_view name_of(Outcome outcome);

}  // namespace tidewise::mdp
