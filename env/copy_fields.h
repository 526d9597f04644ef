#pragma once

#include "env/level_fields.h"

namespace tidewise {

/// Copies the fields of one level between memory spaces, except the masks of single profiles.
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
}

}  // namespace tidewise
