#include <memory>
#include <type_traits>
#include <utility>

#include "base/memory/device.h"
#include "solver/reachable/device_solver.h"

namespace tidewise {

DeviceLevelsInMemory::DeviceLevelsInMemory(const InMemoryLevels& held)
    : held_(held), device_(current_device()) {
  const auto upload_plane = [](auto& device, const auto& host) {
    device = std::remove_reference_t<decltype(device)>(host.size);
    copy_bytes(MemorySpace::device, device.data(), MemorySpace::host, host.data,
               host.size * sizeof(*host.data));
  };
  for (TimeLevel k = held.first(); k <= held.last(); ++k.value) {
    const LevelView level = held.level(k);
    LevelFields<MemorySpace::device>& fields = fields_.emplace_back();
    if (held.shares_modes()) {
      if (k == held.first()) {
        auto modes = std::make_shared<SharedModes<MemorySpace::device>>();
        upload_plane(modes->u, level.u_mode);
        upload_plane(modes->v, level.v_mode);
        fields.shared_modes = std::move(modes);
      } else {
        fields.shared_modes = fields_.front().shared_modes;
      }
    } else {
      upload_plane(fields.u_mode, level.u_mode);
      upload_plane(fields.v_mode, level.v_mode);
    }
    upload_plane(fields.u_mean, level.u_mean);
    upload_plane(fields.v_mean, level.v_mean);
    upload_plane(fields.scalar, level.scalar);
    upload_plane(fields.masked, level.masked);
    upload_plane(fields.dry, level.dry);
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
