#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "mdp/fused/slices.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Limit of the probabilities in a dictionary, besides no_entry.
inline constexpr std::size_t max_coded_probabilities = 255;

/// 16 bytes of a slice's program.
struct alignas(unit_bytes) SliceUnit {
  unsigned char byte[unit_bytes];
};

/// A process in the packed layout (mdp/fused/slices.h) in host memory, without rounding.
template <class Real>
class PackedProcess {
 public:
  /// Packs with `threads` ≥ 1; does not refer to `process` afterwards. Errors: RunError for
  /// programs of more than 64 GB in all or a row of 2^26 entries.
  PackedProcess(const DecisionProcess<Real>& process, std::int32_t threads);
  /// As the constructor, but takes over the memory of successors and probabilities, whose content
  /// is lost until restore(). If it throws, the process is unchanged. The process must own these
  /// arrays.
  static PackedProcess unload(DecisionProcess<Real>& process, std::int32_t threads);
  /// Restores the unloaded process, and returns its memory; this object has no programs afterwards.
  void restore(DecisionProcess<Real>& process, std::int32_t threads);

  /// Views of the arrays, in host memory.
  PackedSlices<Real> slices() const;
  const Array<std::uint32_t>& begin() const { return begin_; }
  const Array<SliceUnit>& units() const { return units_; }
  const std::vector<Real>& dictionary() const { return dictionary_; }
  /// Bytes of the model that a sweep reads; shared programs count once.
  std::int64_t model_bytes() const;

 private:
  PackedProcess(const DecisionProcess<Real>& process, std::int32_t threads,
                DecisionProcess<Real>* unloaded);
  /// First of the slices that one thread writes; their programs are contiguous.
  std::int64_t chunk_begin(std::int64_t chunk) const;
  void write_programs(const DecisionProcess<Real>& process, std::int32_t threads,
                      DecisionProcess<Real>* unloaded);
  template <class Body>
  void for_slices_in_parts(std::int64_t chunk, const Body& body) const;
  void release(DecisionProcess<Real>& process, std::int64_t first, std::int64_t end) const;
  void restore_slice(DecisionProcess<Real>& process, std::int64_t slice,
                     const SliceUnit* program) const;

  std::int32_t state_count_;
  std::int32_t action_count_;
  Real discount_;
  std::int64_t chunks_;
  std::vector<Real> dictionary_;  // empty, or no_entry and up to 255 ascending probabilities
  Array<std::uint32_t> begin_;    // (slice)
  Array<SliceUnit> units_;
};

}  // namespace tidewise::mdp
