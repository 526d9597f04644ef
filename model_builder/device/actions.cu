#include <algorithm>

#include "base/memory/device_transfer.h"
#include "model_builder/device/actions.h"

namespace tidewise {
namespace {

std::vector<Displacement> displacements_of(const std::vector<Action>& actions) {
  std::vector<Displacement> displacements;
  for (const Action& action : actions) displacements.push_back(action.displacement);
  return displacements;
}

std::vector<std::int32_t> along(const std::vector<Action>& actions,
                                std::int32_t Displacement::*axis) {
  std::vector<std::int32_t> along_axis;
  for (const Action& action : actions) along_axis.push_back(action.displacement.*axis);
  return along_axis;
}

/// The coarsest table of 32 entries and more in which no two thresholds share an entry, or else
/// one of 1024 entries.
LatticeAxis::Table table_of(const LatticeAxis& axis) {
  constexpr std::int32_t coarsest = fraction_bits - 5;
  constexpr std::int32_t finest = fraction_bits - 10;
  for (std::int32_t shift = coarsest; shift > finest; --shift) {
    LatticeAxis::Table table = axis.make_table(shift);
    if (table.extra.empty()) return table;
  }
  return axis.make_table(finest);
}

}  // namespace

DeviceActions::Axis::Axis(const LatticeAxis& axis) {
  const LatticeAxis::Table table = table_of(axis);
  entry = upload(table.entry);
  extra = upload(table.extra);
  first_bin = upload(axis.first_bin());
  const auto [least, greatest] =
      std::minmax_element(axis.first_bin().begin(), axis.first_bin().end());
  view = {entry.view(),
          table.shift,
          extra.view(),
          first_bin.view(),
          *least,
          *greatest,
          axis.bins_per_cell(),
          1.0F / static_cast<float>(axis.bins_per_cell())};
}

DeviceActions::DeviceActions(const std::vector<Action>& actions)
    : displacement_(upload(displacements_of(actions))),
      x_(LatticeAxis(along(actions, &Displacement::x))),
      y_(LatticeAxis(along(actions, &Displacement::y))) {
  least_ = greatest_ = actions.front().displacement;
  for (const Action& action : actions) {
    const Displacement a = action.displacement;
    least_ = {std::min(least_.x, a.x), std::min(least_.y, a.y)};
    greatest_ = {std::max(greatest_.x, a.x), std::max(greatest_.y, a.y)};
  }
}

bool DeviceActions::unit_shuffle() const {
  constexpr std::size_t lanes = 32;
  return x_.view.entry.size == lanes && y_.view.entry.size == lanes && x_.view.extra.empty() &&
         y_.view.extra.empty();
}

bool DeviceActions::fit_lattice() const {
  constexpr std::int32_t most_bins = 2047;  // floor_divide_by() takes the difference of two
  const auto fits = [](const DeviceLatticeAxis& axis) {
    return axis.bins_per_cell < most_bins && axis.least_first_bin > -most_bins &&
           axis.greatest_first_bin < most_bins;
  };
  return fits(x_.view) && fits(y_.view);
}

std::int32_t DeviceActions::reach() const {
  return std::max(
      {std::abs(least_.x), std::abs(least_.y), std::abs(greatest_.x), std::abs(greatest_.y)});
}

}  // namespace tidewise
