#pragma once

#include <filesystem>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// The files of one model in PRISM's explicit form; those that are not there are null.
struct PrismFiles {
  ByteStream* transitions = nullptr;         ///< .tra, needed
  ByteStream* state_rewards = nullptr;       ///< .srew
  ByteStream* transition_rewards = nullptr;  ///< .trew
  ByteStream* labels = nullptr;              ///< .lab
};

/// Reads them. A Markov chain becomes a process of one action. The initial state is the first that
/// is labelled init. options.target and options.objective say what for.
/// Errors: InputError with file and line.
template <class Real>
DecisionProcess<Real> read_prism_process(const PrismFiles& files, const ReadOptions& options);
/// Reads `path`, a .tra, and the .srew, .trew and .lab beside it that are there.
template <class Real>
DecisionProcess<Real> read_prism_process(const std::filesystem::path& path,
                                         const ReadOptions& options, Progress& progress);

/// Writes .srew, .trew and .lab, then `path`, a .tra. Lost are the discount, names of states, and
/// the values that iteration begins with. Errors: InputError for terminal states with a value,
/// which the form has no place for; RunError when writing fails.
template <class Real>
void write_prism_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                         Progress& progress);

/// Gives a process the labels of a .lab file; the first state that is labelled init is where it
/// begins. Errors: InputError with file and line.
template <class Real>
void take_prism_labels(ByteStream& labels, DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
