#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/memory/array.h"

namespace tidewise {

/// View of a flight log. Trivially copyable. All arrays but `column`: (step, column); each logged
/// flight has a column. If a flight's action is no_action, it had ended before that step and the
/// other values are undefined.
struct FlightLogView {
  std::size_t columns = 0;
  View<double> x;  ///< after the step [m or 1]
  View<double> y;
  View<float> energy;         ///< spent since departure
  View<float> harvested;      ///< since departure
  View<std::int16_t> action;  ///< taken in the step
  /// (flight): its column, or -1 if it is not logged
  View<const std::int32_t> column = {};

  /// Index of a column's step in the arrays.
  TIDEWISE_HOST_DEVICE std::size_t at(std::size_t step, std::size_t of_column) const {
    return step * columns + of_column;
  }
  /// The part of the log that begins at this step and column, for flights with these columns.
  FlightLogView from(std::size_t step, std::size_t first_column,
                     View<const std::int32_t> column_of_flight = {}) const {
    const std::size_t first = at(step, first_column);
    const auto rest = [first](const auto& values) {
      return values.part(first, values.size - first);
    };
    return {columns,         rest(x),      rest(y),         rest(energy),
            rest(harvested), rest(action), column_of_flight};
  }
};

/// Log of consecutive steps. Arrays as in FlightLogView.
template <MemorySpace Space = MemorySpace::host>
struct FlightLog {
  Array<double, Space> x, y;
  Array<float, Space> energy, harvested;
  Array<std::int16_t, Space> action;

  FlightLog(std::size_t steps, std::size_t columns)
      : x(steps * columns),
        y(steps * columns),
        energy(steps * columns),
        harvested(steps * columns),
        action(steps * columns),
        steps_(steps),
        columns_(columns) {}

  std::size_t steps() const { return steps_; }
  FlightLogView view() { return {columns_, x, y, energy, harvested, action}; }

 private:
  std::size_t steps_;
  std::size_t columns_;
};

/// FlightLogView::column of `flights` flights, of which those numbered `tracked` are logged.
inline std::vector<std::int32_t> log_columns(std::size_t flights,
                                             const std::vector<std::size_t>& tracked) {
  std::vector<std::int32_t> columns(flights, -1);
  for (std::size_t n = 0; n < tracked.size(); ++n) {
    columns[tracked[n]] = static_cast<std::int32_t>(n);
  }
  return columns;
}

/// Number of steps that a log may hold within `bytes`: at least 1, at most `max_steps`.
inline std::size_t log_steps(std::size_t bytes, std::size_t columns, std::size_t max_steps) {
  constexpr std::size_t bytes_per_point = 2 * sizeof(double) + 2 * sizeof(float) + 2;
  const std::size_t fitting = bytes / (std::max<std::size_t>(columns, 1) * bytes_per_point);
  return std::clamp<std::size_t>(fitting, 1, std::max<std::size_t>(max_steps, 1));
}

}  // namespace tidewise
