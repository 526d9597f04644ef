#include "output/view/view_lattice.h"

namespace tidewise {
namespace {

std::int32_t half_of(std::int32_t count) { return (count + 1) / 2; }

}  // namespace

ViewLattice coarsened(const ViewLattice& lattice, CoarsenFirst order) {
  ViewLattice coarse = lattice;
  if (thins_levels(lattice, order)) {
    coarse.level_stride *= 2;
    coarse.level_count = half_of(lattice.level_count);
  } else {
    coarse.cell_stride *= 2;
    coarse.nx = half_of(lattice.nx);
    coarse.ny = half_of(lattice.ny);
  }
  return coarse;
}

}  // namespace tidewise
