#pragma once

#include <algorithm>
#include <cstdint>

#include "base/memory/array.h"

namespace tidewise {

/// View of a flight log. Trivially copyable. All arrays: (step, flight). If a flight's action is
/// no_action, it had ended before that step and the other values are undefined.
struct FlightLogView {
  std::size_t flights = 0;
  View<double> x;  ///< after the step [m or 1]
  View<double> y;
  View<float> energy;         ///< spent since departure
  View<float> harvested;      ///< since departure
  View<std::int16_t> action;  ///< taken in the step

  /// Index of a flight's step in the arrays.
  TIDEWISE_HOST_DEVICE std::size_t at(std::size_t step, std::size_t flight) const {
    return step * flights + flight;
  }
  /// The part of the log that begins at this step and flight.
  FlightLogView from(std::size_t step, std::size_t flight) const {
    const std::size_t first = at(step, flight);
    const auto rest = [first](const auto& values) {
      return values.part(first, values.size - first);
    };
    return {flights, rest(x), rest(y), rest(energy), rest(harvested), rest(action)};
  }
};

/// Log of consecutive steps of all flights. Arrays as in FlightLogView.
template <MemorySpace Space = MemorySpace::host>
struct FlightLog {
  Array<double, Space> x, y;
  Array<float, Space> energy, harvested;
  Array<std::int16_t, Space> action;

  FlightLog(std::size_t steps, std::size_t flights)
      : x(steps * flights),
        y(steps * flights),
        energy(steps * flights),
        harvested(steps * flights),
        action(steps * flights),
        steps_(steps),
        flights_(flights) {}

  std::size_t steps() const { return steps_; }
  FlightLogView view() { return {flights_, x, y, energy, harvested, action}; }

 private:
  std::size_t steps_;
  std::size_t flights_;
};

/// Number of steps that a log may hold within `bytes`: at least 1, at most `max_steps`.
inline std::size_t log_steps(std::size_t bytes, std::size_t flights, std::size_t max_steps) {
  constexpr std::size_t bytes_per_point = 2 * sizeof(double) + 2 * sizeof(float) + 2;
  const std::size_t fitting = bytes / (std::max<std::size_t>(flights, 1) * bytes_per_point);
  return std::clamp<std::size_t>(fitting, 1, std::max<std::size_t>(max_steps, 1));
}

}  // namespace tidewise
