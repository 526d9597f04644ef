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

}  // namespace

DeviceActions::DeviceActions(const std::vector<Action>& actions)
    : displacement_(upload(displacements_of(actions))) {
  least_ = greatest_ = actions.front().displacement;
  for (const Action& action : actions) {
    const Displacement a = action.displacement;
    least_ = {std::min(least_.x, a.x), std::min(least_.y, a.y)};
    greatest_ = {std::max(greatest_.x, a.x), std::max(greatest_.y, a.y)};
  }
}

std::int32_t DeviceActions::reach() const {
  return std::max(
      {std::abs(least_.x), std::abs(least_.y), std::abs(greatest_.x), std::abs(greatest_.y)});
}

}  // namespace tidewise
