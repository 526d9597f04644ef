#pragma once

#include "mdp/file/json_arrays.h"
#include "mdp/text/byte_stream.h"

namespace tidewise::mdp {

/// Reads the JSON, and judges what can be judged number by number: keys, types, ranges, row starts
/// that ascend. Errors: InputError with file and JSON path, or line and column.
template <class Real>
JsonModel<Real> parse_json_model(ByteStream& bytes);

}  // namespace tidewise::mdp
