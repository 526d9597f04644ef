#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "env/environment_info.h"
#include "solver/flight/vehicle.h"
#include "solver/fly/rollout.h"

namespace tidewise {

/// One thread makes the steps of up to this number of flights. Additional threads would take longer
/// to wake, or to spin while other programs use the cores, than to make the steps.
inline constexpr std::size_t max_flights_of_thread = 256;

/// View of the flights of one rollout. Trivially copyable. All arrays: (flight).
struct EnsembleView {
  View<const std::int32_t> number;  ///< the realization; in `chain` mode the flight's number
  View<Vehicle> vehicle;
  View<StepOutcome> state;
};

/// All flights of one rollout, which advance together. Arrays as in EnsembleView.
template <MemorySpace Space = MemorySpace::host>
struct Ensemble {
  Array<std::int32_t, Space> number;
  Array<Vehicle, Space> vehicle;
  Array<StepOutcome, Space> state;

  /// Allocates memory for this number of flights.
  explicit Ensemble(std::size_t flights) : number(flights), vehicle(flights), state(flights) {}

  std::size_t size() const { return number.size(); }
  EnsembleView view() { return {number, vehicle, state}; }
};

/// Numbers of the requested flights. Errors: InputError for a realization that the environment does
/// not have.
std::vector<std::int32_t> flight_numbers(const EnvironmentInfo& info,
                                         const RolloutOptions& options);

/// The flights at departure. `masked`: mask of the start's cell at that time.
Ensemble<> depart(const EnvironmentInfo& info, const Mission& mission, RolloutMode mode,
                  const std::vector<std::int32_t>& numbers, std::uint8_t masked);

/// Cumulative weights of the realizations, for RealizationDraw; empty without weights.
std::vector<std::uint32_t> summed_weights(const EnvironmentInfo& info, const PositionRule& rule);

}  // namespace tidewise
