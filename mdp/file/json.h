#pragma once

#include <filesystem>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Reads {"S", "A", "gamma", "format": "CSR", "P": {"indptr", "indices", "data"}, "R": {same}} with
/// keys in any order. If a row of R lists the successors of P's row in the same order, rewards are
/// assigned one by one. Otherwise they are assigned by successor: a successor that R lacks has
/// reward 0, and one that P lacks is ignored. Optional keys of this project: "initial_state",
/// "initial_values" (state), "row_rewards" (row: the whole expected reward of a row, which replaces
/// R's), "state_names", "action_names" and "labels" {name: [states]}. Other keys are refused.
/// Errors: InputError with file and JSON path, or line and column.
template <class Real>
DecisionProcess<Real> read_json_process(ByteStream& bytes, const ReadOptions& options);

/// Writes this format; R holds the whole reward of each transition. Errors: RunError when writing
/// fails.
template <class Real>
void write_json_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                        Progress& progress);

}  // namespace tidewise::mdp
