#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "env/environment_info.h"
#include "solver/flight/vehicle.h"
#include "solver/fly/rollout.h"

namespace tidewise {

/// A look at the flights of one rollout; trivially copyable. All arrays: (flight).
struct EnsembleView {
  View<const std::int32_t> number;  ///< the realization, or in `chain` mode the flight's number
  View<Vehicle> vehicle;
  View<StepOutcome> state;
};

/// All flights of one rollout, which advance together. Arrays as in EnsembleView.
template <MemorySpace Space = MemorySpace::host>
struct Ensemble {
  Array<std::int32_t, Space> number;
  Array<Vehicle, Space> vehicle;
  Array<StepOutcome, Space> state;

  explicit Ensemble(std::size_t flights) : number(flights), vehicle(flights), state(flights) {}

  std::size_t size() const { return number.size(); }
  EnsembleView view() { return {number, vehicle, state}; }
};

/// The numbers of the flights that are asked for. Errors: InputError for a realization that the
/// environment does not have.
std::vector<std::int32_t> flight_numbers(const EnvironmentInfo& info,
                                         const RolloutOptions& options);

/// The flights at their departure. `closed`: whether the start's cell is closed then.
Ensemble<> depart(const EnvironmentInfo& info, const Mission& mission, RolloutMode mode,
                  const std::vector<std::int32_t>& numbers, std::uint8_t masked);

/// Weights summed up to and with each realization, for RealizationDraw; empty without weights.
std::vector<std::uint32_t> summed_weights(const EnvironmentInfo& info, const PositionRule& rule);

}  // namespace tidewise
