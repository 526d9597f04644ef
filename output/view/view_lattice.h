#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// The levels and cells of a field that a page holds, at regular intervals from the first on.
struct ViewLattice {
  std::int32_t first_level = 0;
  std::int32_t level_stride = 1;
  std::int32_t level_count = 1;
  std::int32_t cell_stride = 1;
  std::int32_t nx = 0;  ///< columns kept
  std::int32_t ny = 0;

  std::size_t plane() const { return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny); }
  std::size_t size() const { return plane() * static_cast<std::size_t>(level_count); }
  TimeLevel level(std::int32_t n) const { return TimeLevel(first_level + n * level_stride); }
};

/// Order of coarsening for a page that would be too large.
enum class CoarsenFirst {
  levels,  ///< levels down to some sixty, then cells: for fields that change abruptly in space
  cells    ///< cells down to some sixty on the longer side, then levels: for smooth fields
};

/// All cells of the levels first … last.
inline ViewLattice whole_lattice(const Grid& grid, TimeLevel first, TimeLevel last) {
  return {first.value, 1, last.value - first.value + 1, 1, grid.nx, grid.ny};
}

/// True if the next step of coarsening doubles the stride of levels, not that of cells.
inline bool thins_levels(const ViewLattice& lattice, CoarsenFirst order) {
  constexpr std::int32_t max_count = 60;
  const std::int32_t side = std::max(lattice.nx, lattice.ny);
  if (lattice.level_count <= 2) return false;
  if (side <= 2) return true;
  if (order == CoarsenFirst::levels && lattice.level_count > max_count) return true;
  if (order == CoarsenFirst::cells && side > max_count) return false;
  return lattice.level_count > side;
}

/// The next coarser lattice.
ViewLattice coarsened(const ViewLattice& lattice, CoarsenFirst order);

/// Appends every `lattice.cell_stride`-th column and row of a whole plane (y, x).
template <class Number, class Kept>
void append_kept(const Number* plane, std::int32_t nx, const ViewLattice& lattice,
                 std::vector<Kept>& kept) {
  for (std::int32_t j = 0; j < lattice.ny; ++j) {
    for (std::int32_t i = 0; i < lattice.nx; ++i) {
      const auto at = static_cast<std::ptrdiff_t>(j) * lattice.cell_stride * nx +
                      static_cast<std::ptrdiff_t>(i) * lattice.cell_stride;
      kept.push_back(static_cast<Kept>(plane[at]));
    }
  }
}

/// Samples values of shape (level, planes, y, x) on a coarser lattice.
template <class Number>
std::vector<Number> thinned(const std::vector<Number>& values, std::size_t planes,
                            const ViewLattice& from, const ViewLattice& to) {
  std::vector<Number> sampled;
  sampled.reserve(to.size() * planes);
  ViewLattice cells = to;
  cells.cell_stride = to.cell_stride / from.cell_stride;
  const auto level_step = static_cast<std::size_t>(to.level_stride / from.level_stride);
  for (std::size_t n = 0; n < static_cast<std::size_t>(to.level_count); ++n) {
    for (std::size_t p = 0; p < planes; ++p) {
      append_kept(values.data() + (n * level_step * planes + p) * from.plane(), from.nx, cells,
                  sampled);
    }
  }
  return sampled;
}

}  // namespace tidewise
