#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "mdp/numpy/byte_source.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The files of a process that scipy and numpy wrote.
struct NumpyFiles {
  /// One .npz of (S·A, S) with rows state · A + action, or one of (S, S) for each action.
  std::vector<std::unique_ptr<ByteSource>> probabilities;
  /// None; one .npz of the same shape for each of them, what transitions bring; or one .npz of
  /// (S, A) or .npy of (S, A), (S·A,) or (S,).
  std::vector<std::unique_ptr<ByteSource>> rewards;
};

/// Those that belong to `path`: name.npz with name.R.npy or name.R.npz beside it; or any of
/// name.P0.npz, name.P1.npz … with all of these, and name.R.npy, name.R.npz or name.R0.npz,
/// name.R1.npz … Errors: InputError for a file that cannot be read, for an action that is missing
/// between others, and for rewards in two forms.
NumpyFiles open_numpy_files(const std::filesystem::path& path);

/// `path` without what makes it one of open_numpy_files(): what other files beside it are called.
std::filesystem::path numpy_stem(const std::filesystem::path& path);

/// Makes a process of them, with the discount 1. A row without entries, or whose reward is −∞, is
/// an action that the state does not have. `keep_rewards`: as RowWriter's. Errors: InputError
/// naming file, and state and action where there are any.
template <class Real>
DecisionProcess<Real> read_numpy_process(const NumpyFiles& files, bool keep_rewards);

}  // namespace tidewise::mdp
