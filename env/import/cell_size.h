#pragma once

#include <cstddef>

#include "env/import/source/forecast_source.h"

namespace tidewise::ingest {

/// The fineness of a flow relative to the spacing of its points. A forecast is linear between its
/// points, and an environment is linear between its cells. If cells do not lie on the points, each
/// kink at a point is cut off, and eddies a few points wide become weaker.
struct FlowDetail {
  /// Root of the sum of the mean squares of second differences, of u and v along both axes [m s-1].
  double kink = 0;
  double speed = 0;    ///< root mean square [m s-1]
  double spacing = 0;  ///< spacing of the source's points [m]

  /// Root mean square error of the flow, as a share of its speed, after interpolation between cells
  /// of size `cells` [m]. With cells as wide as the spacing of the points, a kink d at a random
  /// place in a cell reduces the mean square by d²/90. Of cells n times smaller, one in n has a
  /// kink, of d/n, so the reduction is d²/(90 n³).
  double interpolation_error(double cells) const;
  /// True if that error is at most 1/50.
  bool allows(double cells) const { return interpolation_error(cells) <= 0.02; }
};

/// Computes FlowDetail from fields of one component of one member each; NaN is land.
class DetailGatherer {
 public:
  /// Adds a field, (row, column). Uses every `stride`th row and column, from `first_row` and
  /// `first_column` on.
  void add(const double* field, std::size_t rows, std::size_t columns, std::size_t stride = 1,
           std::size_t first_row = 0, std::size_t first_column = 0);
  /// The result, for points with a spacing of `spacing` [m].
  FlowDetail detail(double spacing) const;

 private:
  void add_kink(const double* point, std::size_t offset);

  double squares_ = 0;
  double kink_squares_ = 0;
  std::size_t points_ = 0;
  std::size_t kinks_ = 0;
};

/// Measures the detail at three of the source's times from `first` to `last` [s since 1970], in all
/// members. `source` holds u and v.
FlowDetail measure_flow_detail(ForecastSource& source, double first, double last);

/// The number of cells per spacing of the source, and its limits.
struct CellChoice {
  int parts = 1;      ///< cells per spacing of the source, along either axis
  int wanted = 1;     ///< `parts` without the limit of memory
  bool slow = false;  ///< even with the smallest cells the vehicle moves too few cells per step
};

/// Chooses the size of cells. They are half of the source's spacing if cells of that spacing would
/// leave an error of more than 1/50. A vehicle that moves `distance` [m] per step should also move
/// one and a half cells per step, with cells of at least a quarter of the spacing. All levels have
/// at most 2·10⁸ cells, for which a plan stores best actions and values. `cells`: cells of all
/// levels at the source's own spacing. `distance`: 0 without a vehicle.
CellChoice choose_cells(const FlowDetail& detail, double distance, double cells);

}  // namespace tidewise::ingest
