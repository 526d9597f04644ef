#pragma once

#include <cstdint>
#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/cell_kernels.h"

namespace tidewise {

/// One axis of the lattice engine. Every action splits the unit cell at one fraction; the distinct
/// fractions of all actions, and 0, are the thresholds that part a cell into fine bins. A landing
/// offset of an action is then exactly bins_per_cell() consecutive fine bins.
class LatticeAxis {
 public:
  /// `action_displacement`: A of each action along this axis, in 2^-20 of a cell. (action)
  explicit LatticeAxis(const std::vector<std::int32_t>& action_displacement);

  std::int32_t bins_per_cell() const { return static_cast<std::int32_t>(thresholds_.size()); }
  /// Sorted, distinct, the first is 0.
  const std::vector<std::int32_t>& thresholds() const { return thresholds_; }
  /// The fine bin of displacement X: whole cells · bins_per_cell + thresholds at or under the
  /// fraction, less one.
  std::int32_t bin(std::int32_t displacement) const;
  /// First fine bin of offset 0 under an action; offset Δ begins Δ · bins_per_cell later. (action)
  const std::vector<std::int32_t>& first_bin() const { return first_bin_; }
  /// The same knowledge as bin(), for the vector kernels; borrows this object's memory.
  AxisTables tables() const;

  /// A BinTable of 2^20 >> shift entries that owns its memory.
  struct Table {
    std::int32_t shift;
    std::vector<std::int32_t> entry;
    std::vector<std::int32_t> extra;
  };
  Table make_table(std::int32_t shift) const;

 private:
  std::vector<std::int32_t> thresholds_;
  std::vector<std::int32_t> first_bin_;
  Table small_;
  Table large_;
};

}  // namespace tidewise
