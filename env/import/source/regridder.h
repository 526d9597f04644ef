#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "env/import/grid/source_grid.h"
#include "env/import/grid/stencil.h"

namespace tidewise::ingest {

/// The condition for a target cell to have a value.
enum class CoastRule {
  /// The nearest source point is wet; on a C grid, the nearest centre. Areas of land stay the same.
  nearest_point,
  any_point  ///< any of the four surrounding points is wet: for fields that accompany a velocity
};

/// Bilinear interpolation from a grid of rows and columns with land. Only wet points are used, and
/// their weights are scaled to a sum of 1, so that land (NaN) does not affect the water. Cells that
/// the rule leaves without a value are land.
class Regridder {
 public:
  /// longitude, latitude: target cell centres [degrees]; those outside the source's area never have
  /// a value. Longitudes may differ from the source's by whole turns.
  Regridder(const SourceGrid& source, const std::vector<double>& longitude,
            const std::vector<double>& latitude, CoastRule rule);

  /// Interpolates by the given four points around each target, among `point_count` points.
  Regridder(std::vector<Stencil> stencils, std::size_t point_count, CoastRule rule);

  /// Sets the source points without a value, (row, column), 1 = dry. Weights are computed again if
  /// the points differ from the last ones; initially all points are wet.
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
      // A point of weight 0 may be NaN.
      if (weights[corner] > 0) sum += weights[corner] * field[stencil.point[corner]];
    }
    return sum;
  }

 private:
  void compute_weights();

  /// The point of a stencil that decides what is land: the nearest, or a C grid's centre.
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
