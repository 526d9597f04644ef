#pragma once

#include <cstdint>
#include <vector>

#include "tidewise/backend.h"

/// Options for solving decision processes (process.h).
namespace tidewise::mdp {

/// Sense of the optimization: maximize rewards or minimize costs.
enum class Direction { maximize, minimize };

/// Criterion that ends iteration.
enum class StoppingRule {
  error,  ///< the value is proved to be within `tolerance` of the optimum
  change,  ///< a sweep changes every value by less than `tolerance`: max |ΔV| < θ in the literature
  /// Method::policy_iteration with γ < 1: an improvement changes no action. Each policy is
  /// evaluated until a sweep changes every value by less than `tolerance`, or for `max_sweeps`
  /// sweeps.
  policy
};

/// Measure of the error in StoppingRule::error.
enum class ErrorMeasure {
  automatic,  ///< with γ = 1 both, in each state the finer one; else absolute
  absolute,   ///< error ≤ `tolerance`
  relative    ///< error ≤ `tolerance` times the absolute value of the state
};

/// Admissible policies if γ = 1; solve() finds the best one among them. A state from which no
/// policy is admissible has the value −∞, or ∞ for costs, as in the literature.
enum class Endings {
  /// As `free`, but a model in which no policy surely terminates is refused, because that is
  /// usually a mistake in the model. A process with a target: as `sure`, and refused unless costs
  /// are minimized.
  automatic,
  free,  ///< also policies that stay for ever in a loop without rewards, which has the value 0
  sure   ///< only policies that terminate with probability 1
};

/// Result of a solve.
enum class Outcome {
  /// The bounds prove that the value is within the tolerance of the optimum; with
  /// StoppingRule::change, a sweep changes it by less than the tolerance.
  within_tolerance,
  /// Rounding keeps the bounds wider than the tolerance. More sweeps do not help; another precision
  /// or a larger tolerance does.
  limited_by_rounding,
  gave_up,  ///< more sweeps may help
  endless   ///< γ = 1: rewards are gained without end, so that there is no optimum
};
/// True if the value is usable, even if the tolerance was not reached.
constexpr bool is_answer(Outcome outcome) {
  return outcome == Outcome::within_tolerance || outcome == Outcome::limited_by_rounding;
}

/// A record of one sweep.
struct SweepRecord {
  std::int64_t sweeps = 0;  ///< number of sweeps so far
  double seconds = 0;       ///< since iteration began
  double residual = 0;      ///< largest change of a value in the sweep
  /// Bound of the distance of the values from the optimum, without rounding; infinite with γ = 1.
  double error = 0;
};

/// Solution methods; docs/mdp/methods.md describes each.
enum class Method {
  automatic,  ///< the method that should be fastest for the process
  value_iteration,
  gauss_seidel,
  block_divided,
  result_divided,
  policy_iteration,  ///< modified policy iteration
  inexact_policy_iteration,
  fused,      ///< value iteration over a memory layout optimized for the hardware
  backward,   ///< backward induction over SolverOptions::horizon steps
  q_learning  ///< Q-learning by simulation, without bounds
};

/// Method of policy evaluation. For Method::policy_iteration: `serial` on the CPU, `cuda` or
/// `cusparse` on a GPU, `block` on either; on a GPU `block` uses a block of threads for each state
/// (mdp/backup/block_sum.h). For Method::inexact_policy_iteration: `sweeps` only, or `krylov` steps
/// from the first sweep on. Automatic: the default of the backend, and Krylov steps if sweeps
/// converge slowly.
enum class Evaluator { automatic, serial, cuda, block, cusparse, sweeps, krylov };

/// Layout of the model in memory for Method::fused and Method::backward; automatic takes the one
/// that should be fastest.
enum class FusedLayout { automatic, rows, sell, packed };

/// Variants of Method::block_divided. Buffering: values of other blocks are gathered once per
/// launch. Prioritising: a thread updates the state of highest priority among its own.
enum class BlockVariant { plain, buffering, prioritising, both };
/// True for variants that gather values of other blocks.
constexpr bool buffers(BlockVariant variant) {
  return variant == BlockVariant::buffering || variant == BlockVariant::both;
}
/// True for variants that choose states by priority.
constexpr bool prioritises(BlockVariant variant) {
  return variant == BlockVariant::prioritising || variant == BlockVariant::both;
}

/// Options of Method::block_divided.
struct BlockOptions {
  BlockVariant variant = BlockVariant::plain;
  std::int32_t states = 0;             ///< states per block, at most 2048; 0: 256
  std::int32_t sweeps = 4;             ///< sweeps within a block before its values are written back
  std::int32_t states_per_thread = 4;  ///< prioritising: states from which a thread chooses
  /// Prioritising: states that a thread changes in each sweep; 0: as many as it has, so that a
  /// launch makes as many updates as the other variants.
  std::int32_t changed_states = 0;
};

/// First state of an episode of Q-learning.
enum class EpisodeStart {
  random,  ///< any state that is not terminal, with equal probability
  initial  ///< the initial state of the process
};

/// Options of Method::q_learning. The defaults learn a mine field of 46 × 46 cells reliably
/// (bench/results/q_learning.md).
struct QLearningOptions {
  std::int32_t agents = 512;        ///< agents that learn in parallel
  std::int64_t steps = 100'000;     ///< steps of each agent
  std::int64_t episode_steps = 20;  ///< limit; an episode also ends in a terminal state
  double learning_rate = 1;         ///< initial learning rate α
  double learning_decay = 0.03;     ///< the rate is α / (1 + decay · visits of the pair)
  double exploration = 0.3;         ///< initial probability ε of a random action
  double exploration_end = 0.3;     ///< final ε
  /// Decrease of ε per step until exploration_end; 0: geometric decrease until the last step.
  double exploration_decrement = 0;
  /// The result is the mean of Q over the visits in this last share of the steps; 0: the last Q.
  /// Source: Polyak and Juditsky, SIAM J. Control Optim. 30, 1992.
  double averaged_share = 0.5;
  std::uint64_t seed = 1;                      ///< seed of the random numbers
  EpisodeStart begins = EpisodeStart::random;  ///< first state of an episode
  std::int32_t lanes = 0;  ///< GPU threads per agent: a power of two, at most 32; 0: one per action
  std::int32_t curve_points = 0;  ///< number of intermediate policies to keep, for benchmarks
};

/// Precision of probabilities and values during a solve; results are double.
enum class Precision { float64, float32 };

/// Options of solve().
struct SolverOptions {
  Method method = Method::automatic;           ///< solution method
  BackendChoice backend = BackendChoice::cpu;  ///< CPU or GPU
  std::int32_t device = 0;                     ///< number of the GPU
  std::int32_t threads = 0;                    ///< CPU threads; 0: all cores
  double tolerance = 1e-4;                     ///< allowed distance of the value from the optimum
  StoppingRule stop = StoppingRule::error;     ///< criterion that ends iteration
  ErrorMeasure error_measure = ErrorMeasure::automatic;  ///< meaning of `tolerance`
  Endings endings = Endings::automatic;                  ///< admissible policies if γ = 1
  /// Limit of all sweeps; with StoppingRule::policy, of each evaluation.
  std::int64_t max_sweeps = 1'000'000;
  /// Steps of Method::backward; ≥ 1 selects it if the method is automatic.
  std::int64_t horizon = 0;
  /// Initial guess of the values, (state), such as the solution of a similar process; empty: the
  /// initial values of the process. Terminal states keep their values. With Method::backward: the
  /// values after the last step.
  std::vector<double> first_value = {};
  bool keeps_history = false;  ///< fills Solution::history
  bool keeps_steps = false;    ///< Method::backward on the processor: fills step_value, step_policy
  Precision precision = Precision::float64;     ///< precision during the solve
  Evaluator evaluator = Evaluator::automatic;   ///< method of policy evaluation
  FusedLayout layout = FusedLayout::automatic;  ///< layout of the model in memory
  BlockOptions blocks = {};                     ///< options of Method::block_divided
  QLearningOptions q_learning = {};             ///< options of Method::q_learning
};

/// Outcome and cost of a solve.
struct SolveFigures {
  Outcome outcome = Outcome::gave_up;  ///< result
  bool converged = false;              ///< outcome is Outcome::within_tolerance
  std::int64_t sweeps = 0;             ///< backups of all states; of block methods, launches
  std::int64_t improvements = 0;       ///< policy improvements, in policy iteration
  double seconds = 0;                  ///< time of the method: layouts, transfers, sweeps
  double sweep_seconds = 0;            ///< time of the sweeps
  double residual = 0;                 ///< largest change of a value in one more sweep
  double rounding = 0;  ///< bound of the rounding error of a sweep, to be added to the residual
  /// With γ = 1: states, ascending, in which rewards are proved to be unbounded, so that they have
  /// no value; empty without a proof.
  std::vector<std::int32_t> endless = {};
};

}  // namespace tidewise::mdp
