#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "mdp/fused/slices.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// What a dictionary of probabilities holds besides no_entry.
inline constexpr std::size_t most_coded_probabilities = 255;

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
  /// The same, and takes the memory of successors and probabilities from the process, which are
  /// lost until restore(); not where it throws. Their arrays are its own.
  static PackedProcess unload(DecisionProcess<Real>& process, std::int32_t threads);
  /// Gives the process that was unloaded back what it held, and its own memory with it: there are
  /// no programs any more.
  void restore(DecisionProcess<Real>& process, std::int32_t threads);

  /// Of host memory, and these are its arrays.
  PackedSlices<Real> slices() const;
  const Array<std::uint32_t>& begin() const { return begin_; }
  const Array<SliceUnit>& units() const { return units_; }
  const std::vector<Real>& dictionary() const { return dictionary_; }
  /// What one sweep reads of the model; programs that slices share count once.
  std::int64_t model_bytes() const;

 private:
  PackedProcess(const DecisionProcess<Real>& process, std::int32_t threads,
                DecisionProcess<Real>* unloaded);
  /// Slices that one thread writes; their programs lie side by side.
  std::int64_t chunk_begin(std::int64_t chunk) const;
  void write_programs(const DecisionProcess<Real>& process, std::int32_t threads,
                      DecisionProcess<Real>* unloaded);
  template <class Body>
  void for_slices_at_once(std::int64_t chunk, const Body& body) const;
  void release(DecisionProcess<Real>& process, std::int64_t first, std::int64_t end) const;
  void put_back(DecisionProcess<Real>& process, std::int64_t slice, const SliceUnit* program) const;

  std::int32_t state_count_;
  std::int32_t action_count_;
  Real discount_;
  std::int64_t chunks_;
  std::vector<Real> dictionary_;  // empty, or no_entry and up to 255 ascending probabilities
  Array<std::uint32_t> begin_;    // (slice)
  Array<SliceUnit> units_;
};

}  // namespace tidewise::mdp
