#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "env/import/grid/source_grid.h"
#include "planner/rehearsal/earth.h"

namespace tidewise::rehearsal {

/// The four points of the source around a place, and where it lies between them.
struct Corners {
  /// Indices (row, column): of the first row two columns, then of the next row.
  std::array<std::size_t, 4> point{};
  double across = 0;  ///< 0 … 1 from the first column to the next
  double along = 0;   ///< 0 … 1 from the first row to the next

  std::array<double, 4> weights() const {
    return {(1 - across) * (1 - along), across * (1 - along), (1 - across) * along, across * along};
  }
  std::size_t nearest() const { return point[(across < 0.5 ? 0U : 1U) + (along < 0.5 ? 0U : 2U)]; }
};

/// Where the points of a forecast lie, and between which of them a place does: on grids along
/// longitude and latitude by those, on others by the quadrilateral of neighbours that holds it,
/// seen straight from above.
class SourcePoints {
 public:
  explicit SourcePoints(const ingest::SourceGrid& grid);

  /// Nothing outside the points' area. `near`: where a place beside this one lay, which saves the
  /// search; it is set anew.
  std::optional<Corners> locate(Vector up, Corners& near) const;

  std::size_t size() const { return rows_ * columns_; }
  /// Whether points have places of their own, and east is another way at each.
  bool is_curvilinear() const { return !up_.empty(); }
  /// Of a point of such a grid.
  Vector up(std::size_t point) const { return up_[point]; }

 private:
  std::optional<Corners> locate_on_axes(GeographicPoint place) const;
  std::optional<Corners> walk(Vector up, std::size_t row, std::size_t column) const;
  std::size_t nearest_point(Vector up) const;

  std::size_t rows_ = 0, columns_ = 0;
  std::vector<double> longitude_, latitude_;  // [degrees], growing; empty where curvilinear
  std::vector<Vector> up_;                    // (row, column); NaN where a point has no place
};

}  // namespace tidewise::rehearsal
