#pragma once

#include <cstdint>
#include <vector>

#include "mdp/numpy/byte_source.h"

namespace tidewise::mdp {

/// Compressed sparse rows as they come: columns of a row in any order, also more than once.
struct SparseMatrix {
  std::int64_t row_count = 0;
  std::int64_t column_count = 0;
  std::vector<std::int64_t> begin;   ///< first entry of each row, and the end, (row + 1)
  std::vector<std::int32_t> column;  ///< (entry)
  std::vector<double> value;         ///< (entry)
};

/// What scipy.sparse.save_npz() wrote of a CSR, CSC or COO matrix or array of two dimensions.
/// Errors: InputError naming file and member.
SparseMatrix read_sparse_matrix(const ByteSource& source);

}  // namespace tidewise::mdp
