#include "env/gyre/flow/pressure_projection.h"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <vector>

namespace tidewise::gyre {
namespace {

struct FftwFree {
  void operator()(double* memory) const { fftw_free(memory); }
};
using FftwArray = std::unique_ptr<double[], FftwFree>;

struct PlanDestroy {
  void operator()(fftw_plan_s* plan) const { fftw_destroy_plan(plan); }
};
using Plan = std::unique_ptr<fftw_plan_s, PlanDestroy>;

/// Cosine transforms in place along one axis of (y, x) values, in blocks of neighbouring lines. The
/// blocks do not depend on the number of threads, so the results do not.
class LineTransforms {
 public:
  /// Plans `count` lines of `length` values, with `stride` between a line's values and `distance`
  /// between lines.
  LineTransforms(int length, int stride, int count, int distance, fftw_r2r_kind kind,
                 double* scratch)
      : count_(count), distance_(distance) {
    // FFTW_MEASURE would make the plan, and with it the last bit, depend on timings.
    const auto plan = [&](int lines) {
      return Plan(fftw_plan_many_r2r(1, &length, lines, scratch, nullptr, stride, distance, scratch,
                                     nullptr, stride, distance, &kind,
                                     FFTW_ESTIMATE | FFTW_UNALIGNED));
    };
    if (count >= block_lines) full_block_ = plan(block_lines);
    if (count % block_lines != 0) last_block_ = plan(count % block_lines);
  }

  int block_count() const { return (count_ + block_lines - 1) / block_lines; }
  int first_line(int block) const { return block * block_lines; }
  int end_line(int block) const { return std::min(count_, first_line(block) + block_lines); }

  void execute(int block, double* values) const {
    const bool whole = end_line(block) - first_line(block) == block_lines;
    double* first = values + std::ptrdiff_t(first_line(block)) * distance_;
    fftw_execute_r2r(whole ? full_block_.get() : last_block_.get(), first, first);
  }

 private:
  static constexpr int block_lines = 8;  // a cache line of columns

  int count_;
  int distance_;
  Plan full_block_;
  Plan last_block_;
};

/// Eigenvalue of the second difference with no gradient at the ends, for wave number k of n.
double eigenvalue(int k, int n) {
  const double half = std::sin(std::numbers::pi * k / (2.0 * n));
  return -4.0 * half * half * double(n) * n;
}

}  // namespace

class PressureProjection::Implementation {
 public:
  explicit Implementation(const StaggeredGrid& grid) : Implementation(grid, allocate(grid)) {}

  void project(VelocityField& velocity) const {
    const FftwArray pressure = allocate(grid_);
    double* p = pressure.get();
    // If several threads call, each for its own field, a call does not start more threads. On the
    // smallest grids threads cost more time than they save.
#pragma omp parallel if (grid_.cell_count() >= 4096)
    {
#pragma omp for schedule(static)
      for (int block = 0; block < rows_.block_count(); ++block) {
        for (int j = rows_.first_line(block); j < rows_.end_line(block); ++j) {
          divergence(velocity, j, p + index(j, 0));
        }
        rows_.execute(block, p);
      }
#pragma omp for schedule(static)
      for (int block = 0; block < columns_.block_count(); ++block) {
        columns_.execute(block, p);
        for (int l = 0; l < grid_.ny; ++l) {
          for (int k = columns_.first_line(block); k < columns_.end_line(block); ++k) {
            p[index(l, k)] *= inverse_[index(l, k)];
          }
        }
        columns_back_.execute(block, p);
      }
#pragma omp for schedule(static)
      for (int block = 0; block < rows_back_.block_count(); ++block) rows_back_.execute(block, p);
#pragma omp for schedule(static)
      for (int j = 0; j < grid_.ny; ++j) {
        double* u = velocity.u_row(j);
        const double* row = p + index(j, 0);
        for (int i = 1; i < grid_.nx; ++i) u[i] -= (row[i] - row[i - 1]) * grid_.nx;
        if (j == 0) continue;
        double* v = velocity.v_row(j);
        const double* south = p + index(j - 1, 0);
        for (int i = 0; i < grid_.nx; ++i) v[i] -= (row[i] - south[i]) * grid_.ny;
      }
    }
  }

 private:
  Implementation(const StaggeredGrid& grid, const FftwArray& scratch)
      : grid_(grid),
        inverse_(grid.cell_count()),
        rows_(grid.nx, 1, grid.ny, grid.nx, FFTW_REDFT10, scratch.get()),
        columns_(grid.ny, grid.nx, grid.nx, 1, FFTW_REDFT10, scratch.get()),
        columns_back_(grid.ny, grid.nx, grid.nx, 1, FFTW_REDFT01, scratch.get()),
        rows_back_(grid.nx, 1, grid.ny, grid.nx, FFTW_REDFT01, scratch.get()) {
    const double normalisation = 1.0 / (4.0 * grid.nx * grid.ny);
    for (int l = 0; l < grid.ny; ++l) {
      for (int k = 0; k < grid.nx; ++k) {
        const double sum = eigenvalue(k, grid.nx) + eigenvalue(l, grid.ny);
        // The mean of the pressure is arbitrary; it is set to 0.
        inverse_[index(l, k)] = k + l == 0 ? 0.0 : normalisation / sum;
      }
    }
  }

  static FftwArray allocate(const StaggeredGrid& grid) {
    return FftwArray(fftw_alloc_real(grid.cell_count()));
  }
  std::size_t index(int j, int i) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(grid_.nx) +
           static_cast<std::size_t>(i);
  }
  void divergence(const VelocityField& velocity, int j, double* out) const {
    const double* u = velocity.u_row(j);
    const double* south = velocity.v_row(j);
    const double* north = velocity.v_row(j + 1);
    for (int i = 0; i < grid_.nx; ++i) {
      out[i] = (u[i + 1] - u[i]) * grid_.nx + (north[i] - south[i]) * grid_.ny;
    }
  }

  StaggeredGrid grid_;
  /// Inverse eigenvalues of the Laplacian, normalised; (wave y, wave x).
  std::vector<double> inverse_;
  LineTransforms rows_;
  LineTransforms columns_;
  LineTransforms columns_back_;
  LineTransforms rows_back_;
};

PressureProjection::PressureProjection(const StaggeredGrid& grid)
    : implementation_(std::make_unique<const Implementation>(grid)) {}
PressureProjection::~PressureProjection() = default;

void PressureProjection::project(VelocityField& velocity) const {
  implementation_->project(velocity);
}

}  // namespace tidewise::gyre
