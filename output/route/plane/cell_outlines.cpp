#include "output/route/plane/cell_outlines.h"

#include <array>
#include <cstddef>
#include <unordered_map>

namespace tidewise {
namespace {

/// A corner of cells: column and row of the cell to the north-east of it.
struct Corner {
  std::int32_t i = 0;
  std::int32_t j = 0;

  bool operator==(const Corner&) const = default;
};
using CornerRing = std::vector<Corner>;

/// East, north, west, south: each a turn to the left of the one before.
constexpr std::array<Corner, 4> directions{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

/// Follows the edges of the marked cells, which lie to the left.
class OutlineTracer {
 public:
  OutlineTracer(const Grid& grid, const std::vector<std::uint8_t>& marked)
      : grid_(grid), marked_(marked), part_(marked.size(), -1), passed_(marked.size()) {}

  std::vector<PlanePolygon> trace() {
    std::vector<PlanePolygon> outlines;
    for (std::int32_t j = 0; j < grid_.ny; ++j) {
      for (std::int32_t i = 0; i < grid_.nx; ++i) {
        if (!is_marked(i, j)) continue;
        if (part_[at(i, j)] < 0) {
          flood(i, j, static_cast<std::int32_t>(outlines.size()));
          outlines.emplace_back();
        }
        for (std::size_t side = 0; side < directions.size(); ++side) {
          if (passed_[at(i, j)][side] || !is_edge(i, j, side)) continue;
          PlanePolygon& outline = outlines[part_[at(i, j)]];
          for (const CornerRing& ring : split(follow(i, j, side))) add(ring, outline);
        }
      }
    }
    return outlines;
  }

 private:
  bool is_marked(std::int32_t i, std::int32_t j) const {
    return grid_.contains(i, j) && marked_[at(i, j)] != 0;
  }
  std::size_t at(std::int32_t i, std::int32_t j) const {
    return static_cast<std::size_t>(grid_.cell(i, j).value);
  }
  /// True if no marked cell lies beyond a side of a cell. `side`: the direction along it with the
  /// cell to the left.
  bool is_edge(std::int32_t i, std::int32_t j, std::size_t side) const {
    const Corner& outward = directions[(side + 3) % 4];
    return !is_marked(i + outward.i, j + outward.j);
  }

  /// Numbers all cells that touch this one along edges.
  void flood(std::int32_t i, std::int32_t j, std::int32_t number) {
    std::vector<Corner> open{{i, j}};
    part_[at(i, j)] = number;
    while (!open.empty()) {
      const Corner cell = open.back();
      open.pop_back();
      for (const Corner& to : directions) {
        const Corner next{cell.i + to.i, cell.j + to.j};
        if (!is_marked(next.i, next.j) || part_[at(next.i, next.j)] >= 0) continue;
        part_[at(next.i, next.j)] = number;
        open.push_back(next);
      }
    }
  }

  /// Corners of the outline that begins with a side of a cell.
  CornerRing follow(std::int32_t i, std::int32_t j, std::size_t side) {
    CornerRing ring;
    while (!passed_[at(i, j)][side]) {
      passed_[at(i, j)][side] = true;
      // The side's beginning: south-west, south-east, north-east, north-west corner.
      ring.push_back({i + (side == 1 || side == 2 ? 1 : 0), j + (side >= 2 ? 1 : 0)});
      // Continues around this cell, or past its end to the neighbouring cells.
      const Corner& ahead = directions[side];
      const Corner& outward = directions[(side + 3) % 4];
      if (!is_marked(i + ahead.i, j + ahead.j)) {
        side = (side + 1) % 4;
      } else if (!is_marked(i + ahead.i + outward.i, j + ahead.j + outward.j)) {
        i += ahead.i;
        j += ahead.j;
      } else {
        i += ahead.i + outward.i;
        j += ahead.j + outward.j;
        side = (side + 3) % 4;
      }
    }
    return ring;
  }

  /// Splits a ring that passes corners again into rings that do not.
  std::vector<CornerRing> split(const CornerRing& ring) const {
    std::vector<CornerRing> rings;
    CornerRing path;
    std::unordered_map<std::int64_t, std::size_t> index_on_path;  // index of a corner in `path`
    const auto key = [this](const Corner& corner) {
      return std::int64_t{corner.j} * (grid_.nx + 1) + corner.i;
    };
    for (const Corner& corner : ring) {
      const auto [position, is_new] = index_on_path.try_emplace(key(corner), path.size());
      if (!is_new) {
        const std::size_t first = position->second;
        rings.emplace_back(path.begin() + static_cast<std::ptrdiff_t>(first), path.end());
        for (std::size_t n = first + 1; n < path.size(); ++n) index_on_path.erase(key(path[n]));
        path.resize(first);
      }
      path.push_back(corner);
    }
    rings.push_back(std::move(path));
    return rings;
  }

  /// Adds a ring to an outline, without corners in the middle of straight edges.
  void add(const CornerRing& ring, PlanePolygon& outline) const {
    std::vector<PlanePoint> corners;
    std::int64_t twice_area = 0;
    for (std::size_t n = 0; n < ring.size(); ++n) {
      const Corner& previous = ring[(n + ring.size() - 1) % ring.size()];
      const Corner& current = ring[n];
      const Corner& next = ring[(n + 1) % ring.size()];
      twice_area += std::int64_t{current.i} * next.j - std::int64_t{next.i} * current.j;
      const bool is_corner = (current.i - previous.i) * (next.j - current.j) !=
                             (current.j - previous.j) * (next.i - current.i);
      if (is_corner) {
        corners.push_back({grid_.x_first + (current.i - 0.5) * grid_.dx,
                           grid_.y_first + (current.j - 0.5) * grid_.dy});
      }
    }
    if (twice_area > 0) {
      outline.outer = std::move(corners);
    } else {
      outline.holes.push_back(std::move(corners));
    }
  }

  const Grid& grid_;
  const std::vector<std::uint8_t>& marked_;
  std::vector<std::int32_t> part_;           // (y, x) number of the part; −1: none yet
  std::vector<std::array<bool, 4>> passed_;  // (y, x), by side
};

}  // namespace

std::vector<PlanePolygon> outline_cells(const Grid& grid, const std::vector<std::uint8_t>& marked) {
  return OutlineTracer(grid, marked).trace();
}

}  // namespace tidewise
