#pragma once

#include <cstdint>
#include <vector>

#include "tidewise/backend.h"

/// Choices of those who solve decision processes (process.h).
namespace tidewise::mdp {

/// Whether rewards are to be made as large as possible or, being costs, as small.
enum class Direction { greatest, least };

/// When iteration ends.
enum class StoppingRule {
  error,   ///< the value is known to be within `tolerance` of the optimum
  change,  ///< a sweep changes no value by `tolerance` or more: the literature's max |ΔV| < θ
  /// Method::policy_iteration with γ < 1: an improvement keeps every action. Each policy is
  /// evaluated until a sweep changes no value by `tolerance` or more, or for `most_sweeps`.
  policy
};

/// What the error that StoppingRule::error allows is measured by.
enum class ErrorMeasure {
  automatic,  ///< with γ = 1 both, the finer one in each state; else absolute
  absolute,   ///< `tolerance`
  relative    ///< `tolerance` of each state's value
};

/// With γ = 1: which policies are compared. States from which none of them is are worth −∞, costs
/// ∞, as the literature has it.
enum class Endings {
  automatic,  ///< as free, but where none surely comes to an end the model is refused: that is more
              ///< often a mistake in it than meant. Of a process with a target as sure, refused
              ///< likewise unless the least costs are wanted
  free,       ///< also those that go round for ever in a loop without rewards, which is worth 0
  sure        ///< those that surely come to an end
};

/// What came of solving.
enum class Outcome {
  /// The value is as near to the optimum as was asked, which its bounds prove; with
  /// StoppingRule::change a sweep changes it by less than the tolerance.
  within_tolerance,
  /// Bounds are known, and wider than was asked by what rounding does: more sweeps would not help,
  /// another precision or a larger tolerance would.
  limited_by_rounding,
  gave_up,  ///< more sweeps may help
  endless   ///< γ = 1: rewards are gained without end, so that there is no optimum
};
/// Whether there is a value to go by, if not as near as was asked.
constexpr bool is_answer(Outcome outcome) {
  return outcome == Outcome::within_tolerance || outcome == Outcome::limited_by_rounding;
}

/// A look at a sweep while a process is solved.
struct SweepRecord {
  std::int64_t sweeps = 0;  ///< done by then
  double seconds = 0;       ///< since the method began to iterate
  double residual = 0;      ///< the most that the sweep changed a value by
  /// The most that values are off the optimum then, but for rounding; infinite with γ = 1.
  double error = 0;
};

/// How to find the optimum; docs/mdp/methods.md has each.
enum class Method {
  automatic,  ///< what should be fastest for the process
  value_iteration,
  gauss_seidel,
  block_divided,
  result_divided,
  policy_iteration,  ///< modified
  inexact_policy_iteration,
  fused,      ///< value iteration over a layout that suits the machine
  backward,   ///< of SolverOptions::horizon steps
  q_learning  ///< by simulation; of 'tidewise research solve' alone, the library's solve() refuses
              ///< it
};

struct SolverOptions {
  Method method = Method::automatic;
  BackendChoice backend = BackendChoice::cpu;
  std::int32_t device = 0;   ///< which GPU, where one is taken
  std::int32_t threads = 0;  ///< of the processor; 0: all cores that there are
  double tolerance = 1e-4;   ///< how far the value may be from the optimum
  StoppingRule stop = StoppingRule::error;
  ErrorMeasure error_measure = ErrorMeasure::automatic;
  Endings endings = Endings::automatic;
  std::int64_t most_sweeps = 1'000'000;  ///< in all; with StoppingRule::policy of an evaluation
  std::int64_t horizon = 0;  ///< steps of Method::backward, ≥ 1; automatic is that then
  /// What iteration begins with in place of the process's own values, such as the solution of a
  /// process like it, (state). Terminal states keep what they are worth. Of Method::backward: what
  /// states are worth at the end. Empty: the process's own.
  std::vector<double> first_value = {};
  bool keeps_history = false;  ///< fills Solution::history
  bool keeps_steps = false;    ///< Method::backward on the processor: fills step_value, step_policy
};

/// What a solve came to, in figures.
struct SolveFigures {
  Outcome outcome = Outcome::gave_up;
  bool converged = false;         ///< whether that is Outcome::within_tolerance
  std::int64_t sweeps = 0;        ///< backups of all states; of a block method, launches
  std::int64_t improvements = 0;  ///< of the policy, in policy iteration
  double seconds = 0;             ///< all of the method's work: layouts, transfers, sweeps
  double sweep_seconds = 0;       ///< of them, sweeps alone
  double residual = 0;            ///< the most that one more sweep would change a value by
  double rounding = 0;            ///< the most that rounding within a sweep can add to it
  /// Where γ = 1: states in which rewards are proved to be gained without end, so that they have no
  /// value, ascending; empty where there is no proof.
  std::vector<std::int32_t> endless = {};
};

}  // namespace tidewise::mdp
