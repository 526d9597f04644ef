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
  q_learning  ///< by simulation: no bounds are known
};

/// How a policy is evaluated. Method::policy_iteration: `serial` by the processor, `cuda` or
/// `cusparse` by a GPU, `block` by either, on a GPU with a block of threads for each state
/// (mdp/backup/block_sum.h). Method::inexact_policy_iteration: by `sweeps` only, or by `krylov`
/// steps from the first sweep on. Automatic: the backend's own, and Krylov steps where sweeps are
/// slow.
enum class Evaluator { automatic, serial, cuda, block, cusparse, sweeps, krylov };

/// Method::fused and Method::backward: the layout of the model in memory; automatic takes the one
/// that should be fastest.
enum class FusedLayout { automatic, rows, sell, packed };

/// The variants of Method::block_divided. Buffering: values of other blocks are gathered once a
/// launch. Prioritising: a thread updates the state of its own that has the highest priority.
enum class BlockVariant { plain, buffering, prioritising, both };
constexpr bool buffers(BlockVariant variant) {
  return variant == BlockVariant::buffering || variant == BlockVariant::both;
}
constexpr bool prioritises(BlockVariant variant) {
  return variant == BlockVariant::prioritising || variant == BlockVariant::both;
}

/// Method::block_divided.
struct BlockOptions {
  BlockVariant variant = BlockVariant::plain;
  std::int32_t states = 0;             ///< of a block, at most 2048; 0: 256
  std::int32_t sweeps = 4;             ///< within a block, before it is written back
  std::int32_t states_per_thread = 4;  ///< prioritising: states that a thread chooses from
  /// Prioritising: states that a thread changes for each sweep; 0: as many as it has, so that a
  /// launch makes as many updates as the other variants.
  std::int32_t changed_states = 0;
};

/// Where an episode of Q-learning begins.
enum class EpisodeStart {
  random,  ///< in any state that is not terminal, each as likely
  initial  ///< in the process's initial state
};

/// Method::q_learning. The defaults learn a mine field of 46 × 46 cells reliably
/// (bench/results/q_learning.md).
struct QLearningOptions {
  std::int32_t agents = 512;
  std::int64_t steps = 100'000;     ///< of each agent
  std::int64_t episode_steps = 20;  ///< at most; an episode also ends in a terminal state
  double learning_rate = 1;         ///< α at first …
  double learning_decay = 0.03;     ///< … α / (1 + decay · visits of the pair)
  double exploration = 0.3;         ///< ε at first …
  double exploration_end = 0.3;     ///< … and at last
  /// ε falls by this in each step until it is exploration_end; 0: geometrically, until the last.
  double exploration_decrement = 0;
  /// The result is the mean of Q over the visits in this last share of the steps; 0: the last Q.
  /// Source: Polyak and Juditsky, SIAM J. Control Optim. 30, 1992.
  double averaged_share = 0.5;
  std::uint64_t seed = 1;
  EpisodeStart begins = EpisodeStart::random;
  std::int32_t lanes = 0;  ///< GPU threads per agent: a power of two to 32; 0: one per action
  std::int32_t curve_points = 0;  ///< policies that the methods keep on the way, for benchmarks
};

/// Of probabilities and values while a process is solved; results are double.
enum class Precision { float64, float32 };

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
  Precision precision = Precision::float64;
  Evaluator evaluator = Evaluator::automatic;
  FusedLayout layout = FusedLayout::automatic;
  BlockOptions blocks = {};
  QLearningOptions q_learning = {};
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
