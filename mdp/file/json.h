#pragma once

#include <filesystem>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Reads {"S", "A", "gamma", "format": "CSR", "P": {"indptr", "indices", "data"}, "R": {same}},
/// keys in any order, numbers straight into arrays. Where a row of R lists the successors of P's
/// row in the same order, its rewards belong to them one by one; else by successor: what R lacks is
/// 0, what P lacks never counts. Optional keys of our own: "initial_state", "initial_values"
/// (state), "row_rewards" (row: what a row brings on average, all told, in place of R's),
/// "state_names", "action_names" and "labels" {name: [states]}. Any other key is refused. Errors:
/// InputError with file and JSON path, or line and column.
template <class Real>
DecisionProcess<Real> read_json_process(ByteStream& bytes, const ReadOptions& options);

/// Writes it; R holds what a transition brings all told. Errors: RunError when writing fails.
template <class Real>
void write_json_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                        Progress& progress);

}  // namespace tidewise::mdp
