#pragma once

#include <cstddef>

#include "env/import/source/forecast_source.h"

namespace tidewise::ingest {

/// How fine a flow is beside the points that it is given at. A forecast is linear between its
/// points, and an environment is linear between its cells: where cells do not lie on the points,
/// each kink at a point is cut off, and eddies of a few points' width come out weaker.
struct FlowDetail {
  /// Root of the mean squares of second differences, those of u and v along both axes added [m
  /// s-1].
  double kink = 0;
  double speed = 0;    ///< root mean square [m s-1]
  double spacing = 0;  ///< of the source's own points [m]

  /// The share of its speed by which the flow is off, root mean square, once it is interpolated
  /// between cells of a size [m]. A kink d anywhere within a cell takes d²/90 from the mean square
  /// where cells are as wide as the points lie apart; of n times smaller cells one in n holds a
  /// kink, of d/n: d²/(90 n³).
  double off_on(double cells) const;
  /// Whether that is a fiftieth at most.
  bool allows(double cells) const { return off_on(cells) <= 0.02; }
};

/// Gathers that from fields of single components of single members; NaN is land.
class DetailGatherer {
 public:
  /// field: (row, column). `every`: only every so manieth row and column, from the first ones that
  /// are given.
  void add(const double* field, std::size_t rows, std::size_t columns, std::size_t every = 1,
           std::size_t first_row = 0, std::size_t first_column = 0);
  /// Of points that lie `spacing` [m] apart.
  FlowDetail detail(double spacing) const;

 private:
  void add_kink(const double* here, std::size_t apart);

  double squares_ = 0;
  double kink_squares_ = 0;
  std::size_t points_ = 0;
  std::size_t kinks_ = 0;
};

/// By three of the source's times from `first` to `last` [s since 1970], in all members. `source`
/// holds u and v.
FlowDetail measure_flow_detail(ForecastSource& source, double first, double last);

/// Into how many parts the source's spacing goes, and why no more.
struct CellChoice {
  int parts = 1;      ///< of the source's spacing, along either axis
  int wanted = 1;     ///< more where memory does not hold them
  bool slow = false;  ///< even the smallest cells are wider than the vehicle's step
};

/// Half of the source's spacing where its own would leave the flow off by more than a fiftieth; and
/// for a vehicle that makes `way` [m] a step, so many parts, four at most, that it makes one and a
/// half. No more than makes 2·10⁸ cells of all levels, of which a plan keeps the best actions and
/// values. `cells`: of all levels at the source's own spacing; `way` 0: of no vehicle.
CellChoice choose_cells(const FlowDetail& detail, double way, double cells);

}  // namespace tidewise::ingest
