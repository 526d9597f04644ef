#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mdp/process/decision_process.h"
#include "mdp/text/byte_stream.h"
#include "mdp/text/chunked_vector.h"

namespace tidewise::mdp {

/// A matrix over rows in compressed sparse form, as in the file.
template <class Real>
struct JsonMatrix {
  ChunkedVector<std::int64_t> indptr;
  ChunkedVector<std::int32_t> indices;
  ChunkedVector<Real> data;
};

/// The content of a model's JSON file.
template <class Real>
struct JsonModel {
  std::optional<std::int32_t> states;
  std::optional<std::int32_t> actions;
  std::optional<double> discount;
  std::optional<std::int32_t> initial_state;
  std::optional<JsonMatrix<Real>> probabilities;  ///< P
  std::optional<JsonMatrix<Real>> rewards;        ///< R
  std::optional<std::vector<Real>> row_rewards;
  std::vector<Real> initial_values;
  std::vector<std::string> state_names;
  std::vector<std::string> action_names;
  std::vector<StateLabel> labels;
};

/// Parses the JSON and checks each number: keys, types, ranges, ascending row starts. Errors:
/// InputError with file and JSON path, or line and column.
template <class Real>
JsonModel<Real> parse_json_model(ByteStream& bytes);

}  // namespace tidewise::mdp
