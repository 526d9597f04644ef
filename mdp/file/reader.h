#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/text/byte_stream.h"

namespace tidewise::mdp {

/// The quantity to optimize in a model.
enum class ReadObjective {
  reward,  ///< the total reward, until a target state is reached if there is a target
  /// The probability of reaching a target state: rewards and values of terminal states are dropped,
  /// targets have the value 1, and the discount is 1. The caller must call
  /// make_terminal(process, states, 0) for the states from which no policy reaches a target or, if
  /// the probability is minimized, from which not every policy reaches one.
  probability
};

/// Rewards of transitions when a process is read.
enum class TransitionRewards { keep, drop };

/// Options of read_process().
struct ReadOptions {
  /// Replaces the discount of the file; without either it is 1.
  std::optional<double> discount = {};
  /// Rewards of transitions (DecisionProcess::entry_reward): needed by simulators and writers, not
  /// by solvers.
  TransitionRewards transition_rewards = TransitionRewards::keep;
  /// Labels and numbers of states, separated by commas, such as "finished, 7" (target_states.h),
  /// which become terminal. Empty: none.
  std::string target = {};
  ReadObjective objective = ReadObjective::reward;
};

/// Reads a process from .json, .xml or .h5 and checks it with require_sound(). With another ending
/// the first bytes determine the format. docs/mdp/formats.md has all formats. Errors: InputError in
/// one line with the file and the line, the JSON path or the HDF5 variable.
template <class Real>
DecisionProcess<Real> read_process(const std::filesystem::path& path, const ReadOptions& options,
                                   Progress& progress);

/// Writes a process in the format of the ending; atomic. An .xml has no labels. `history`: its
/// origin, for .h5. Errors: InputError for another ending, RunError when writing fails.
template <class Real>
void write_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                   const std::string& history, Progress& progress);

/// Checks before long work that write_process() supports the ending and that the file can be
/// created. Errors: InputError.
void require_writable(const std::filesystem::path& path);

/// Sets the discount of `options`. Errors: InputError if it is not in [0, 1].
template <class Real>
void apply_discount(const ReadOptions& options, DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
