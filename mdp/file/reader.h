#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/text/byte_stream.h"

namespace tidewise::mdp {

/// What a model is read for.
enum class ReadObjective {
  reward,      ///< the total reward, until a target state is reached where there is a target
  probability  ///< the probability of reaching a target state: rewards and what terminal states are
               ///< worth are dropped, targets are worth 1, and the discount is 1. States that no
               ///< policy (every policy, for the least) leads to a target must be made terminal by
               ///< the caller: make_terminal(process, states, 0)
};

enum class TransitionRewards { keep, drop };

struct ReadOptions {
  /// In place of the file's discount, or of a probability's; without either it is 1.
  std::optional<double> discount = {};
  /// What each transition brings (DecisionProcess::entry_reward): simulators and writers need it,
  /// solvers do not.
  TransitionRewards transition_rewards = TransitionRewards::keep;
  /// Labels and numbers of states, separated by commas, such as "finished, 7" (target_states.h).
  /// These states become terminal. Empty: none.
  std::string target = {};
  ReadObjective objective = ReadObjective::reward;
};

/// Reads a process, sound by require_sound(): .json, .xml or .h5; a file of another ending is known
/// by its first bytes. docs/mdp/formats.md has all forms.
/// Errors: InputError in one line with the file and the line, the JSON path or the HDF5 variable.
template <class Real>
DecisionProcess<Real> read_process(const std::filesystem::path& path, const ReadOptions& options,
                                   Progress& progress);

/// Writes a process in the form that the ending names; atomic. An .xml has no labels. `history`:
/// how it was made, for .h5. Errors: InputError for another ending, RunError when writing fails.
template <class Real>
void write_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                   const std::string& history, Progress& progress);

/// Refuses a path whose ending names no form that write_process() knows, and one where no file can
/// be made: for asking before long work. Errors: InputError.
void require_writable(const std::filesystem::path& path);

/// Sets the discount that `options` asks for. Errors: InputError for one out of [0, 1].
template <class Real>
void apply_discount(const ReadOptions& options, DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
