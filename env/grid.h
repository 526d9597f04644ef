#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/host_device.h"
#include "base/index.h"

namespace tidewise {

using CellIndex = Index<struct CellTag>;  ///< j·nx + i
using TimeLevel = Index<struct TimeTag>;  ///< k = 0 … Nt−1

/// A regular grid of cells. x grows with the column i, y northwards with the row j.
struct Grid {
  std::int32_t nx = 0;
  std::int32_t ny = 0;
  double x_first = 0;  ///< centre of column 0 [m or 1]
  double y_first = 0;  ///< centre of row 0 [m or 1]
  double dx = 0;       ///< spacing [m or 1], > 0
  double dy = 0;
  /// The environment's row that is row 0 of this grid, if the grid is a window (row_window.h). Only
  /// messages use it.
  std::int32_t first_row = 0;

  bool operator==(const Grid&) const = default;
  TIDEWISE_HOST_DEVICE std::int32_t cell_count() const { return nx * ny; }
  TIDEWISE_HOST_DEVICE CellIndex cell(std::int32_t i, std::int32_t j) const {
    return CellIndex(j * nx + i);
  }
  /// Column of a cell.
  TIDEWISE_HOST_DEVICE std::int32_t column(CellIndex cell) const { return cell.value % nx; }
  /// Row of a cell.
  TIDEWISE_HOST_DEVICE std::int32_t row(CellIndex cell) const { return cell.value / nx; }
  /// x of the centre of column i [m or 1].
  TIDEWISE_HOST_DEVICE double x(std::int32_t i) const { return x_first + i * dx; }
  /// y of the centre of row j [m or 1].
  TIDEWISE_HOST_DEVICE double y(std::int32_t j) const { return y_first + j * dy; }
  /// Column of the cell that contains x, lower edge included. It may lie outside 0 … nx−1, and does
  /// for NaN.
  TIDEWISE_HOST_DEVICE std::int32_t column_at(double x) const {
    return index_of(std::floor((x - x_first) / dx + 0.5));
  }
  /// Row of the cell that contains y; as column_at().
  TIDEWISE_HOST_DEVICE std::int32_t row_at(double y) const {
    return index_of(std::floor((y - y_first) / dy + 0.5));
  }
  /// True if column i and row j are in the grid.
  TIDEWISE_HOST_DEVICE bool contains(std::int32_t i, std::int32_t j) const {
    return i >= 0 && i < nx && j >= 0 && j < ny;
  }

 private:
  /// A whole number as int32, clamped to ±(2^30 − 1) so that differences also fit.
  TIDEWISE_HOST_DEVICE static std::int32_t index_of(double whole) {
    constexpr std::int32_t far = (1 << 30) - 1;
    if (!(whole > -far)) return -far;  // NaN too
    return whole < far ? static_cast<std::int32_t>(whole) : far;
  }
};

/// Equally spaced times.
struct TimeAxis {
  std::int32_t level_count = 0;
  double first = 0;  ///< [s or 1]
  double step = 0;   ///< Δt [s or 1], > 0

  /// Time of level k [s or 1].
  double at(TimeLevel k) const { return first + k.value * step; }
};

/// first, first + step, … : the values of a coordinate variable.
inline std::vector<double> axis_values(double first, double step, std::int32_t count) {
  std::vector<double> values(static_cast<std::size_t>(std::max(count, 0)));
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = first + static_cast<double>(n) * step;
  return values;
}

}  // namespace tidewise
