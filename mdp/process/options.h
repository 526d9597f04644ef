#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "tidewise/solving.h"

namespace tidewise::mdp {

enum class SolveMethod {
  automatic,                 ///< what choose_method() says of the process
  value_iteration,           ///< Jacobi sweeps over rows as they are
  gauss_seidel,              ///< sweeps that read what they have just written, in order of states
  block_divided,             ///< Block Divided Iteration: several sweeps within a block of states
  result_divided,            ///< Result Divided Iteration: a thread a successor, an action, a state
  policy_iteration,          ///< modified policy iteration
  inexact_policy_iteration,  ///< policies evaluated as far as is of use, by sweeps or Krylov steps
  fused,                     ///< Jacobi sweeps over a sliced layout, many without asking the host
  backward,                  ///< finite-horizon backward induction
  q_learning                 ///< tabular Q-learning by simulation
};

/// Who evaluates a policy, or how. Of policy iteration: `serial` by the processor, `cuda` or
/// `cusparse` by a GPU; of the inexact: by `sweeps` alone, by `krylov` steps from the first sweep
/// on. Automatic: the backend's own, and Krylov steps where sweeps are seen to be slow.
enum class Evaluator { automatic, serial, cuda, cusparse, sweeps, krylov };

/// Block Divided Iteration and its two variants.
enum class BlockVariant { plain, buffering, prioritising };

/// How the fused method and backward induction lay the model out; automatic takes what should be
/// fastest.
enum class FusedLayout { automatic, rows, sell, packed };

/// How the fused method's sweeps follow one another on a device: many launches in a CUDA graph, or
/// one kernel whose blocks wait for each other. Automatic takes what should be faster.
enum class FusedLaunch { automatic, graph, persistent };

enum class ComputeOn { host, device };

/// Where an episode of Q-learning begins.
enum class EpisodeStart {
  random,  ///< in any state that is not terminal, each as likely
  initial  ///< in the process's initial state
};

/// Tabular Q-learning.
struct QLearningOptions {
  std::int32_t agents = 512;
  std::int64_t steps = 100'000;       ///< of each agent
  std::int64_t episode_steps = 1000;  ///< an agent begins anew after so many, or at an end
  double learning_rate = 1;           ///< α at first …
  double learning_decay = 0.03;       ///< … α / (1 + decay · visits of the pair)
  double exploration = 1.0;           ///< ε at first …
  double exploration_end = 0.05;      ///< … and at last, geometrically
  std::uint64_t seed = 1;
  EpisodeStart begins = EpisodeStart::random;
};

template <class Real>
struct DecisionProcess;

/// A process that nobody but the solve reads meanwhile, or none.
using UnloadableProcess =
    std::variant<std::monostate, DecisionProcess<float>*, DecisionProcess<double>*>;

struct SolveOptions {
  SolveMethod method = SolveMethod::fused;
  ComputeOn compute_on = ComputeOn::host;
  std::int32_t threads = 1;  ///< ≥ 1, of the host
  double tolerance = 1e-4;
  StoppingRule stop = StoppingRule::error;
  ErrorMeasure error_measure = ErrorMeasure::automatic;
  Endings endings = Endings::automatic;
  /// With γ = 1: states from which no policy is that counts are worth −∞ and the others are solved;
  /// else the process is refused.
  bool may_be_infinite = false;
  std::int64_t most_sweeps = 1'000'000;  ///< a method that needs more gives up: not converged
  Evaluator evaluator = Evaluator::automatic;
  std::int32_t evaluation_sweeps = 20;  ///< of modified policy iteration, between improvements
  BlockVariant block_variant = BlockVariant::plain;
  std::int32_t block_states = 0;  ///< of a block; 0: the method's own choice
  std::int32_t block_sweeps = 4;  ///< within a block, before it is written back
  FusedLayout layout = FusedLayout::automatic;
  FusedLaunch launch = FusedLaunch::automatic;  ///< on a device
  /// fused, by the processor, γ < 1: goes over to inexact policy iteration where its changes are
  /// seen to shrink slowly.
  bool may_switch_method = false;
  /// Whether the method was left to choose: on the host others then go on where it gives up, and
  /// with γ = 1 and StoppingRule::error none need sweep at all where elimination takes every loop
  /// (exact_blocks.h).
  bool is_left_to_choose = false;
  std::int64_t horizon = 0;  ///< steps of backward induction
  QLearningOptions q_learning = {};
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

/// Whether a method's sweeps do not all look at every action.
inline bool is_policy_iteration(SolveMethod method) {
  return method == SolveMethod::policy_iteration || method == SolveMethod::inexact_policy_iteration;
}

/// Whether no GPU does it.
inline bool is_for_host_alone(SolveMethod method) {
  return method == SolveMethod::gauss_seidel || method == SolveMethod::inexact_policy_iteration;
}

/// "value-iteration" and so on, as the command line has it.
std::string_view name_of(SolveMethod method);
std::string_view name_of(Evaluator evaluator);
/// "within-tolerance" and so on, as files of solutions have it.
std::string_view name_of(Outcome outcome);
/// Which policies are compared (Endings), "sure" or "free", where that makes a difference; else "".
std::string_view compared_policies(double discount, const SolveOptions& options);

}  // namespace tidewise::mdp
