#include "model_builder/lattice/axis.h"

#include <algorithm>

#include "model_builder/step/displacement.h"

namespace tidewise {
namespace {

constexpr std::int32_t fraction_mask = one_cell - 1;

}  // namespace

LatticeAxis::LatticeAxis(const std::vector<std::int32_t>& action_displacement) {
  // (X + A + 2^19) >> 20 = Δ where Δ·2^20 + B <= X < (Δ+1)·2^20 + B, with B = −A − 2^19.
  thresholds_.push_back(0);
  for (const std::int32_t a : action_displacement) {
    thresholds_.push_back((-a - half_cell) & fraction_mask);
  }
  std::sort(thresholds_.begin(), thresholds_.end());
  thresholds_.erase(std::unique(thresholds_.begin(), thresholds_.end()), thresholds_.end());
  for (const std::int32_t a : action_displacement) first_bin_.push_back(bin(-a - half_cell));
  small_ = make_table(15);
  large_ = make_table(10);
}

std::int32_t LatticeAxis::bin(std::int32_t displacement) const {
  const auto at_or_under =
      std::upper_bound(thresholds_.begin(), thresholds_.end(), displacement & fraction_mask) -
      thresholds_.begin();
  return (displacement >> fraction_bits) * bins_per_cell() +
         static_cast<std::int32_t>(at_or_under) - 1;
}

LatticeAxis::Table LatticeAxis::make_table(std::int32_t shift) const {
  Table table{shift, {}, {}};
  const std::int32_t width = 1 << shift;
  for (std::int32_t start = 0; start < one_cell; start += width) {
    // (frac + entry) >> 20 is the count of thresholds at or under the entry's start, less one, and
    // one more where frac has reached the entry's own threshold. Further thresholds of an entry are
    // extra: compared with every displacement, so no later entry counts them.
    const auto inside = std::upper_bound(thresholds_.begin(), thresholds_.end(), start);
    const auto end = std::lower_bound(inside, thresholds_.end(), start + width);
    std::int32_t entry = (static_cast<std::int32_t>(inside - thresholds_.begin() - 1) -
                          static_cast<std::int32_t>(table.extra.size())) *
                         one_cell;
    if (inside != end) {
      entry += one_cell - *inside;
      table.extra.insert(table.extra.end(), inside + 1, end);
    }
    table.entry.push_back(entry);
  }
  return table;
}

AxisTables LatticeAxis::tables() const {
  const auto borrow = [](const Table& table) {
    return BinTable{table.entry.data(), table.shift, table.extra.data(),
                    static_cast<std::int32_t>(table.extra.size())};
  };
  return {bins_per_cell(), borrow(small_), borrow(large_)};
}

}  // namespace tidewise
