#include "env/gyre/pressure_projection.h"

#include <fftw3.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace tidewise {
namespace {

struct FftwFree {
  void operator()(double* memory) const { fftw_free(memory); }
};
/// Aligned as the plans were made for.
using FftwArray = std::unique_ptr<double[], FftwFree>;

struct PlanDestroy {
  void operator()(fftw_plan_s* plan) const { fftw_destroy_plan(plan); }
};
using Plan = std::unique_ptr<fftw_plan_s, PlanDestroy>;

/// Eigenvalue of the second difference with no gradient at the ends, for wave number k of n.
double eigenvalue(int k, int n) {
  const double half = std::sin(std::numbers::pi * k / (2.0 * n));
  return -4.0 * half * half * double(n) * n;
}

}  // namespace

class PressureProjection::Implementation {
 public:
  explicit Implementation(const StaggeredGrid& grid)
      : grid_(grid), inverse_(grid.cell_count()) {
    const FftwArray scratch = allocate();
    // ESTIMATE, not MEASURE: the plan, and with it the last bit, shall not depend on the day.
    forward_.reset(fftw_plan_r2r_2d(grid.ny, grid.nx, scratch.get(), scratch.get(), FFTW_REDFT10,
                                    FFTW_REDFT10, FFTW_ESTIMATE));
    back_.reset(fftw_plan_r2r_2d(grid.ny, grid.nx, scratch.get(), scratch.get(), FFTW_REDFT01,
                                 FFTW_REDFT01, FFTW_ESTIMATE));
    const double normalisation = 1.0 / (4.0 * grid.nx * grid.ny);
    for (int l = 0; l < grid.ny; ++l) {
      for (int k = 0; k < grid.nx; ++k) {
        const double sum = eigenvalue(k, grid.nx) + eigenvalue(l, grid.ny);
        // The mean of the pressure is free: 0.
        inverse_[index(l, k)] = k + l == 0 ? 0.0 : normalisation / sum;
      }
    }
  }

  void project(VelocityField& velocity) const {
    const FftwArray pressure = allocate();
    double* p = pressure.get();
    for (int j = 0; j < grid_.ny; ++j) {
      const double* u = velocity.u_row(j);
      const double* south = velocity.v_row(j);
      const double* north = velocity.v_row(j + 1);
      for (int i = 0; i < grid_.nx; ++i) {
        p[index(j, i)] = (u[i + 1] - u[i]) * grid_.nx + (north[i] - south[i]) * grid_.ny;
      }
    }
    fftw_execute_r2r(forward_.get(), p, p);
    for (std::size_t n = 0; n < inverse_.size(); ++n) p[n] *= inverse_[n];
    fftw_execute_r2r(back_.get(), p, p);
    for (int j = 0; j < grid_.ny; ++j) {
      double* u = velocity.u_row(j);
      for (int i = 1; i < grid_.nx; ++i) u[i] -= (p[index(j, i)] - p[index(j, i - 1)]) * grid_.nx;
    }
    for (int j = 1; j < grid_.ny; ++j) {
      double* v = velocity.v_row(j);
      for (int i = 0; i < grid_.nx; ++i) v[i] -= (p[index(j, i)] - p[index(j - 1, i)]) * grid_.ny;
    }
  }

 private:
  FftwArray allocate() const { return FftwArray(fftw_alloc_real(grid_.cell_count())); }
  std::size_t index(int j, int i) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(grid_.nx) +
           static_cast<std::size_t>(i);
  }

  StaggeredGrid grid_;
  std::vector<double> inverse_;  ///< of the Laplacian's eigenvalues, normalised; (wave y, wave x)
  Plan forward_;
  Plan back_;
};

PressureProjection::PressureProjection(const StaggeredGrid& grid)
    : implementation_(std::make_unique<const Implementation>(grid)) {}
PressureProjection::~PressureProjection() = default;

void PressureProjection::project(VelocityField& velocity) const {
  implementation_->project(velocity);
}

}  // namespace tidewise
