#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "env/points.h"

namespace tidewise {

/// The points of a line that are kept, and the distance of the others from the legs between them.
struct SimplifiedLine {
  /// Indices of the kept points, first to last; empty if no choice is possible.
  std::vector<std::size_t> kept;
  double deviation = 0;  ///< maximum distance of a point from its leg [unit of the line]

  /// Number of legs.
  std::size_t legs() const { return kept.empty() ? 0 : kept.size() - 1; }
};

/// All legs between two points of a line on the plane, to find the fewest legs or those that are
/// nearest to the line: shortest paths over legs, after Imai and Iri, "Polygonal approximations of
/// a curve", 1988; the algorithm of Douglas and Peucker only approximates them. A leg's deviation
/// is the maximum distance between its segment and the points that it leaves out.
class LineLegs {
 public:
  /// Returns true if the leg between two points, given by index, is allowed.
  using IsClear = std::function<bool(std::size_t from, std::size_t to)>;

  /// Requires at least one point, and that legs between neighbours are allowed. Time is cubic,
  /// memory quadratic in the number of points.
  LineLegs(std::vector<PlanePoint> line, const IsClear& is_clear);

  /// The fewest legs with all points within `tolerance`; on a tie those with the smallest sum of
  /// squared deviations.
  SimplifiedLine fewest(double tolerance) const;
  /// At most `max_legs` legs with the smallest deviation; on a tie the fewest. The result is empty
  /// if no allowed choice exists.
  SimplifiedLine nearest(std::size_t max_legs) const;
  /// At most `max_legs` legs with all points within `tolerance` and the smallest sum of costs; on a
  /// tie the fewest. The result is empty if no allowed choice exists.
  SimplifiedLine cheapest(
      std::size_t max_legs, double tolerance,
      const std::function<double(std::size_t from, std::size_t to)>& cost) const;

 private:
  // The line with the smallest total of at most `max_legs` legs. `extend`(total, from, to): the
  // total at `to` of a line whose total at `from` is `total`; infinite if the leg is not allowed.
  template <class Extend>
  SimplifiedLine best_line(std::size_t max_legs, const Extend& extend) const;
  double deviation_of(std::size_t from, std::size_t to) const;
  double& at(std::size_t from, std::size_t to) { return deviation_[from * line_.size() + to]; }
  double at(std::size_t from, std::size_t to) const { return deviation_[from * line_.size() + to]; }
  SimplifiedLine line_through(const std::vector<std::size_t>& predecessor) const;

  std::vector<PlanePoint> line_;
  std::vector<double> deviation_;  // (from, to), infinite if the leg is not allowed
};

}  // namespace tidewise
