#pragma once

#include "solver/fly/ensemble.h"

namespace tidewise {

/// The flights in device memory, for work that is put on `stream` from now on; `ensemble` must stay
/// until the stream has come to it.
inline Ensemble<MemorySpace::device> send(const Ensemble<>& ensemble, const DeviceStream& stream) {
  Ensemble<MemorySpace::device> there(ensemble.size());
  copy(there.number, ensemble.number, stream);
  copy(there.vehicle, ensemble.vehicle, stream);
  copy(there.state, ensemble.state, stream);
  return there;
}

}  // namespace tidewise
