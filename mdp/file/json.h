#pragma once

#include <filesystem>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Reads {"S", "A", "gamma", "format": "CSR", "P": {"indptr", "indices", "data"}, "R": {same}},
/// keys in any order, numbers directly into arrays. If a row of R lists the successors of P's row
/// in the same order, rewards are assigned one by one; else by successor: one that R lacks is 0,
/// one that P lacks is ignored. Optional keys of our own: "initial_state", "initial_values"
/// (state), "row_rewards" (row: the whole expected reward of a row, in place of R's),
/// "state_names", "action_names" and "labels" {name: [states]}. Other keys are refused. Errors:
/// InputError with file and JSON path, or line and column.
template <class Real>
DecisionProcess<Real> read_json_process(ByteStream& bytes, const ReadOptions& options);

/// Writes this format; R holds the whole reward of each transition. Errors: RunError when writing
/// fails.
template <class Real>
void write_json_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                        Progress& progress);

}  // namespace tidewise::mdp
