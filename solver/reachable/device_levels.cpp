#include <memory>
#include <type_traits>
#include <utility>

#include "base/memory/device.h"
#include "solver/reachable/device_solver.h"

namespace tidewise {

DeviceLevelsInMemory::DeviceLevelsInMemory(const InMemoryLevels& held)
    : held_(held), device_(current_device()) {
  const auto bring = [](auto& there, const auto& here) {
    there = std::remove_reference_t<decltype(there)>(here.size);
    copy_bytes(MemorySpace::device, there.data(), MemorySpace::host, here.data,
               here.size * sizeof(*here.data));
  };
  for (TimeLevel k = held.first(); k <= held.last(); ++k.value) {
    const LevelView level = held.level(k);
    LevelFields<MemorySpace::device>& fields = fields_.emplace_back();
    if (held.shares_modes()) {
      if (k == held.first()) {
        auto modes = std::make_shared<SharedModes<MemorySpace::device>>();
        bring(modes->u, level.u_mode);
        bring(modes->v, level.v_mode);
        fields.shared_modes = std::move(modes);
      } else {
        fields.shared_modes = fields_.front().shared_modes;
      }
    } else {
      bring(fields.u_mode, level.u_mode);
      bring(fields.v_mode, level.v_mode);
    }
    bring(fields.u_mean, level.u_mean);
    bring(fields.v_mean, level.v_mean);
    bring(fields.scalar, level.scalar);
    bring(fields.masked, level.masked);
    bring(fields.dry, level.dry);
  }
}

LevelView DeviceLevelsInMemory::level(TimeLevel k) const {
  LevelView level = held_.level(k);
  const auto& fields = fields_[static_cast<std::size_t>(k.value - held_.first().value)];
  level.u_mean = fields.u_mean.view();
  level.v_mean = fields.v_mean.view();
  level.u_mode = fields.u_modes();
  level.v_mode = fields.v_modes();
  level.coefficient = {};
  level.scalar = fields.scalar.view();
  level.masked = fields.masked.view();
  level.dry = fields.dry.view();
  return level;
}

}  // namespace tidewise
