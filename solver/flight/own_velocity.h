#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "base/random.h"
#include "base/standard_normal.h"
#include "model_builder/step/actions.h"
#include "solver/flight/steering.h"

namespace tidewise {

/// Velocity through the water of a vehicle that steers for the velocity `intended`. Errors of its
/// speed and heading are drawn once per dive (docs/model.md, 4); `flight` and `dive` number the
/// draws. GPUs compute logarithms and sines with other bits, so flights with errors run on the CPU
/// (planner/backend/unsupported.h).
TIDEWISE_HOST_DEVICE inline Current own_velocity(const Current& intended, const VehicleError& error,
                                                 std::int32_t flight, std::int32_t dive) {
#if defined(__CUDA_ARCH__)
  (void)error, (void)flight, (void)dive;
  return intended;
#else
  const double speed = std::hypot(intended.u, intended.v);
  if (!error.any() || !(speed > 0)) return intended;
  const Philox random(error.seed);
  const auto draw = [&](std::uint32_t index) {
    // Counters that no other draws of flights use (RealizationDraw, observations).
    constexpr std::uint32_t first = 16;
    return standard_normal(random, static_cast<std::uint32_t>(flight),
                           static_cast<std::uint32_t>(dive), first + index);
  };
  const double stretch = 1 + error.speed * draw(0) / speed;
  const double turn = error.heading * draw(1);
  const double cosine = stretch * std::cos(turn);
  const double sine = stretch * std::sin(turn);
  return {intended.u * cosine - intended.v * sine, intended.u * sine + intended.v * cosine};
#endif
}

}  // namespace tidewise
