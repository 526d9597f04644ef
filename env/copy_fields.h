#pragma once

#include <memory>
#include <utility>

#include "env/level_fields.h"

namespace tidewise {

/// Copies the fields of one level between memory spaces, except the masks of single profiles.
/// Shared modes are copied when `to` has none; levels of one environment share them.
template <MemorySpace To, MemorySpace From>
void copy_fields(LevelFields<To>& to, const LevelFields<From>& from) {
  copy(to.u_mean, from.u_mean);
  copy(to.v_mean, from.v_mean);
  copy(to.u_mode, from.u_mode);
  copy(to.v_mode, from.v_mode);
  copy(to.coefficient, from.coefficient);
  copy(to.scalar, from.scalar);
  copy(to.masked, from.masked);
  copy(to.dry, from.dry);
  if (from.shared_modes && !to.shared_modes) {
    auto modes = std::make_shared<SharedModes<To>>();
    copy(modes->u, from.shared_modes->u);
    copy(modes->v, from.shared_modes->v);
    to.shared_modes = std::move(modes);
  }
}

}  // namespace tidewise
