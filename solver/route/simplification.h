#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "env/points.h"

namespace tidewise {

/// Points of a line that are kept, and how far the others lie off the legs between them.
struct SimplifiedLine {
  std::vector<std::size_t> kept;  ///< the first, …, the last; empty: no choice of points will do
  double deviation = 0;           ///< the farthest point's distance from its leg [as the line]

  std::size_t legs() const { return kept.empty() ? 0 : kept.size() - 1; }
};

/// All legs between two points of a line on the plane, to choose the fewest from, or those that
/// keep nearest to it: shortest paths over legs, after Imai and Iri, "Polygonal approximations of a
/// curve", 1988, which Douglas and Peucker's halving comes near to. A leg's deviation is the
/// distance from it, as a segment, of the farthest point that it leaves out.
class LineLegs {
 public:
  /// Whether a leg may be taken, by the numbers of its points.
  using IsClear = std::function<bool(std::size_t from, std::size_t to)>;

  /// Requires a point, and that the legs between neighbours are clear. The work grows with the
  /// cube of the points, memory with their square.
  LineLegs(std::vector<PlanePoint> line, const IsClear& is_clear);

  /// The fewest legs that keep every point within `tolerance`; of those the ones with the least sum
  /// of squared deviations.
  SimplifiedLine fewest(double tolerance) const;
  /// At most so many legs, with the least deviation, and the fewest that have it; nothing kept
  /// where that many cannot stay clear.
  SimplifiedLine nearest(std::size_t most_legs) const;
  /// At most so many legs that keep every point within `tolerance`, with the least sum of what they
  /// cost, and the fewest that have it; nothing kept where there are none.
  SimplifiedLine cheapest(
      std::size_t most_legs, double tolerance,
      const std::function<double(std::size_t from, std::size_t to)>& cost) const;

 private:
  /// The line that comes to the least by at most so many legs: `through`(total, from, to) is what
  /// one that comes to `total` at `from` comes to at `to`, infinite where it may not go there.
  template <class Through>
  SimplifiedLine least(std::size_t most_legs, const Through& through) const;
  double deviation_of(std::size_t from, std::size_t to) const;
  double& at(std::size_t from, std::size_t to) { return deviation_[from * line_.size() + to]; }
  double at(std::size_t from, std::size_t to) const { return deviation_[from * line_.size() + to]; }
  SimplifiedLine along(const std::vector<std::size_t>& before) const;

  std::vector<PlanePoint> line_;
  std::vector<double> deviation_;  // (from, to), infinite where a leg may not be taken
};

}  // namespace tidewise
