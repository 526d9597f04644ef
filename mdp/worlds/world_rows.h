#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/process/row_writer.h"

namespace tidewise::mdp {

// Shared by the makers of worlds.

/// Refuses a count below 1. Errors: InputError.
inline void require_count(const char* what, std::int32_t count) {
  if (count >= 1) return;
  throw input_error(errors::world_size_invalid, count, what);
}

/// Refuses an invalid discount. Errors: InputError.
inline void require_discount(double discount) {
  if (discount >= 0 && discount <= 1) return;
  throw input_error(errors::discount_invalid, discount);
}

/// Adds a row. Errors: RunError if it is invalid, which is a bug of the function that makes the
/// world.
template <class Real>
void add_sound_row(RowWriter<Real>& writer, std::vector<Transition>& row, double reward) {
  const std::string fault = writer.add_row(row, reward);
  if (!fault.empty()) throw RunError("a world was made with an invalid row: " + fault);
}

/// Completes a world with its discount.
template <class Real>
DecisionProcess<Real> finish_world(RowWriter<Real>& writer, double discount) {
  DecisionProcess<Real> process = writer.finish();
  process.discount = discount;
  return process;
}

}  // namespace tidewise::mdp
