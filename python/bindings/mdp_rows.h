#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tidewise/process.h"

namespace tidewise::python {

/// Compressed sparse rows of the caller: columns may be in any order and repeated, and entries may
/// be 0.
struct SparseRows {
  std::span<const std::int64_t> begin;   // (row + 1)
  std::span<const std::int32_t> column;  // (entry)
  std::span<const double> probability;   // (entry)
};

/// A dense array (action, from, to) and its strides, in elements.
struct DenseActions {
  const double* probability;
  std::int64_t action_stride;
  std::int64_t from_stride;
  std::int64_t to_stride;
};

/// All parts of a process except its rows. An infinitely bad reward means that the state does not
/// have the action.
struct ProcessHeader {
  std::int32_t state_count = 0;
  std::int32_t action_count = 0;
  std::span<const double> reward;               // (row)
  std::span<const double> terminal_value = {};  // (state) or empty
  double discount = 1;
  mdp::Direction direction = mdp::Direction::maximize;
};

/// True if a process can read rows s·A + a without conversion: columns ascend without repetition,
/// probabilities are above 0, and every action has a reward. Errors: InputError for invalid starts
/// of rows.
bool can_be_read_in_place(const ProcessHeader& header, const SparseRows& rows);

/// Makes a process of one matrix with rows s·A + a, or of one matrix per action with rows s.
/// Errors: those of mdp::Process.
mdp::Process process_of(const ProcessHeader& header, const std::vector<SparseRows>& matrices);
/// Makes a process of a dense array. Errors: as above.
mdp::Process process_of(const ProcessHeader& header, const DenseActions& dense);

}  // namespace tidewise::python
