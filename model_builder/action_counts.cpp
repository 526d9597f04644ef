#include "model_builder/action_counts.h"

#include <limits>

#include "model_builder/cell_kernels.h"

namespace tidewise {
namespace {

/// The least and the greatest of some offsets.
struct Span {
  std::int32_t first;
  std::int32_t last;
};

/// Turns displacements of the flow along one axis into landing offsets, in place.
Span to_offsets(std::int32_t* values, std::size_t count, std::int32_t action) {
  std::int32_t first = std::numeric_limits<std::int32_t>::max();
  std::int32_t last = std::numeric_limits<std::int32_t>::min();
#pragma omp simd reduction(min : first) reduction(max : last)
  for (std::size_t r = 0; r < count; ++r) {
    const std::int32_t offset = landing_offset(values[r], action);
    values[r] = offset;
    first = offset < first ? offset : first;
    last = offset > last ? offset : last;
  }
  return {first, last};
}

}  // namespace

ActionCounter::ActionCounter(const Grid& grid, const TimeAxis& time,
                             View<const std::uint32_t> weights)
    : scale_(grid, time), weights_(weights) {}

void ActionCounter::count(const LevelView& level, const PaddedCoefficients& coefficients,
                          CellIndex cell, Displacement action, std::vector<Landing>& landings) {
  const std::size_t row_length = coefficients.row_length();
  if (x_.size() != row_length) {
    x_ = Array<std::int32_t>(row_length);
    y_ = Array<std::int32_t>(row_length);
  }
  modes_.gather(level, cell);
  cell_kernels().displacements(coefficients.arguments(modes_, scale_), x_.data(), y_.data());
  landings.clear();
  collect(action, static_cast<std::size_t>(level.realization_count), landings);
}

void ActionCounter::collect(Displacement action, std::size_t realizations,
                            std::vector<Landing>& landings) {
  const Span columns = to_offsets(x_.data(), realizations, action.x);
  const Span rows = to_offsets(y_.data(), realizations, action.y);
  const std::int32_t width = columns.last - columns.first + 1;
  const std::int32_t height = rows.last - rows.first + 1;
  const std::size_t size = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  window_.assign(2 * size, 0);
  // Neighbouring increments go to two windows in turn, so that they do not wait on each other.
  for (std::size_t r = 0; r < realizations; ++r) {
    const std::int32_t place = (y_[r] - rows.first) * width + (x_[r] - columns.first);
    window_[static_cast<std::size_t>(place) + (r & 1) * size] += weights_.empty() ? 1 : weights_[r];
  }
  std::size_t place = 0;
  for (std::int32_t j = rows.first; j <= rows.last; ++j) {
    for (std::int32_t i = columns.first; i <= columns.last; ++i, ++place) {
      const std::uint32_t count = window_[place] + window_[place + size];
      if (count != 0) landings.push_back({{i, j}, count});
    }
  }
}

}  // namespace tidewise
