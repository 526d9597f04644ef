#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "mdp/fused/slices.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// 16 bytes of a slice's program.
struct alignas(unit_bytes) SliceUnit {
  unsigned char byte[unit_bytes];
};

/// A process in the packed layout (mdp/fused/slices.h), in host memory. Nothing of it is rounded.
template <class Real>
class PackedProcess {
 public:
  /// By `threads` ≥ 1. Keeps nothing of `process`. Errors: RunError for programs over 64 GB in all
  /// or a row of 2^26 entries.
  PackedProcess(const DecisionProcess<Real>& process, std::int32_t threads);

  /// Of host memory, and these are its arrays.
  PackedSlices<Real> slices() const;
  const Array<std::uint32_t>& begin() const { return begin_; }
  const Array<SliceUnit>& units() const { return units_; }
  const std::vector<Real>& dictionary() const { return dictionary_; }
  /// What one sweep reads of the model; programs that slices share count once.
  std::int64_t model_bytes() const;

 private:
  std::size_t write_programs(const DecisionProcess<Real>& process, std::int32_t threads);

  std::int32_t state_count_;
  std::int32_t action_count_;
  Real discount_;
  std::vector<Real> dictionary_;  // empty, or no_entry and up to 255 ascending probabilities
  Array<std::uint32_t> begin_;    // (slice)
  Array<SliceUnit> units_;
};

}  // namespace tidewise::mdp
