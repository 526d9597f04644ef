#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "env/import/grid/source_grid.h"
#include "env/import/grid/stencil.h"

namespace tidewise::ingest {

/// What a target cell needs to have a value.
enum class CoastRule {
  /// The source point nearest to it is wet, of a C grid the nearest centre: each keeps its own
  /// land.
  nearest_point,
  any_point  ///< any of the four around it is wet: for fields that only go with a velocity
};

/// Bilinear interpolation from a grid of rows and columns that knows of land. Only wet points are
/// weighed, and their weights are scaled to sum to 1, so that land (NaN) never leaks into the
/// water; cells that the rule leaves without a value get NaN, so that no value is invented inside
/// land.
class Regridder {
 public:
  /// Target cell centres [degrees]; those outside the source's area never have a value. Longitudes
  /// may be whole turns away from the source's.
  Regridder(const SourceGrid& source, const std::vector<double>& longitude,
            const std::vector<double>& latitude, CoastRule rule);

  /// By four points around each target, of `point_count`. across and along: 0 … 1.
  Regridder(std::vector<Stencil> stencils, std::size_t point_count, CoastRule rule);

  /// The source points that hold no value, (row, column), 1 = dry. Weights are made anew where it
  /// differs from the last one; to begin with all is wet.
  void set_dry(const std::vector<std::uint8_t>& dry);

  /// Target cells without a value: land, and outside the source's area. (y, x)
  const std::vector<std::uint8_t>& land() const { return land_; }
  /// Target cells outside the source's area. (y, x)
  const std::vector<std::uint8_t>& outside() const { return outside_; }

  /// The value of `field`, (row, column), at one target cell. Requires land()[cell] == 0.
  double value_at(std::size_t cell, const double* field) const {
    const Stencil& stencil = stencils_[cell];
    const auto& weights = weights_[cell];
    double sum = 0;
    for (std::size_t corner = 0; corner < 4; ++corner) {
      // A weight of 0 may stand on NaN.
      if (weights[corner] > 0) sum += weights[corner] * field[stencil.point[corner]];
    }
    return sum;
  }

 private:
  void weigh();

  /// Which of a stencil's points decides what is land: the nearest, or a C grid's centre.
  std::size_t deciding_corner(const Stencil& stencil) const;

  CoastRule rule_;
  std::vector<std::uint8_t> centre_;            // (row, column) of a C grid; else empty
  std::vector<Stencil> stencils_;               // (y, x)
  std::vector<std::array<double, 4>> weights_;  // (y, x) of the stencil's points
  std::vector<std::uint8_t> outside_;           // (y, x)
  std::vector<std::uint8_t> land_;              // (y, x)
  std::vector<std::uint8_t> dry_;               // (row, column)
};

}  // namespace tidewise::ingest
