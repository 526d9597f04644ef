#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "base/memory/view.h"
#include "mdp/fused/packed_process.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Writes the programs of consecutive slices in sequence. A program that equals a remembered one is
/// written once.
template <class Real>
class SliceWriter {
 public:
  /// Borrows both. `dictionary`: that of PackedProcess, or empty.
  SliceWriter(const DecisionProcess<Real>& process, const std::vector<Real>& dictionary)
      : process_(process), dictionary_(dictionary) {}

  /// Returns the begin of the slice's program in units().
  std::size_t write(std::int64_t slice);
  View<const SliceUnit> units() const { return {units_.data(), size_}; }
  /// The units, to be moved elsewhere.
  SliceUnit* data() { return units_.data(); }
  /// Forgets the slices before this one, so that their rows may be released.
  void forget_before(std::int64_t slice);
  /// Number of units of positions with probabilities as numbers.
  std::size_t plain_lane_units() const { return plain_lane_units_; }

 private:
  /// The rows of one action in the current slice.
  struct Rows {
    std::uint32_t lanes = 0;  // lanes with the action
    std::int64_t longest = 0;
    std::int64_t begin[slice_states];
    std::int64_t end[slice_states];
  };
  /// A recently written slice, and the begin of its program.
  struct Recent {
    std::int64_t slice = -1;
    std::size_t begin = 0;
  };
  struct Known {
    std::uint64_t hash = 0;
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  bool is_recent(std::int64_t slice);
  bool are_alike(std::int64_t slice, std::int64_t other) const;
  void write_action(std::int64_t slice, std::int32_t action);
  Rows rows_of(std::int64_t slice, std::int32_t action) const;
  bool merge_terms(std::int64_t slice, const Rows& rows);
  void write_lanes(std::int64_t slice, const Rows& rows, std::uint32_t& kind);
  bool is_narrow(std::int64_t slice, const Rows& rows) const;
  unsigned char* add_bytes(std::size_t bytes);
  std::size_t share(std::size_t begin);

  const DecisionProcess<Real>& process_;
  const std::vector<Real>& dictionary_;
  Array<SliceUnit> units_;  // size_ of them are written
  std::size_t size_ = 0;
  std::vector<SliceTerm<Real>> terms_;
  std::array<Recent, 6> recent_;  // different programs, last used first
  int mismatches_ = 0;            // consecutive slices that matched none of them
  std::vector<Known> known_ = std::vector<Known>(4096);
  std::size_t plain_lane_units_ = 0;
};

}  // namespace tidewise::mdp
