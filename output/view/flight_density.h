#pragma once

#include <vector>

#include "env/grid.h"
#include "output/view/run_view.h"

namespace tidewise {

/// The corridor of flights: at each level the smallest region that holds nine in ten of those under
/// way. The density is a Gaussian around each flight (of the width of Scott's rule: their spread
/// along x and along y, times n^(−1/6); at least 3/4 of a cell), weighted as the flights are.
class FlightDensity {
 public:
  /// The share of the flights under way within the corridor.
  static constexpr double share = 0.9;

  /// `first`: level of all departures. Borrows the flights, and uses only those that are drawn.
  FlightDensity(const Grid& grid, const TimeAxis& time, const FlightsView& flights,
                TimeLevel first);

  /// The density divided by that on the corridor's rim (y, x): 1 or more within it. Zero if no
  /// flight is under way.
  std::vector<float> at(TimeLevel k) const;

 private:
  struct Place {
    double column = 0, row = 0;  ///< in cells from the centre of the first
    double weight = 1;
  };
  std::vector<Place> under_way(TimeLevel k) const;

  Grid grid_;
  double step_;
  const FlightsView& flights_;
  TimeLevel first_;
};

}  // namespace tidewise
