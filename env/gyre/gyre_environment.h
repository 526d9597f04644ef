#pragma once

#include <cstdint>
#include <filesystem>

#include "base/progress.h"
#include "env/gyre/initial_ensemble.h"
#include "env/gyre/momentum_rows.h"

namespace tidewise {

/// Where the vehicle may not go, and the sun.
struct GyreSurroundings {
  // Two squares come in from the west and move east. Lengths in shares of the side, rates in shares
  // of the side a level, so that grids of all sizes have the same.
  double obstacle_side = 0.1;
  double obstacle_speed = 0.01;
  double full_sun = 1.0;  ///< radiation without cloud
};

/// The stochastic wind-driven gyre as an environment (`tidewise env wind-driven-gyre`).
struct GyreEnvironmentOptions {
  std::int32_t nx = 200;
  std::int32_t ny = 200;
  std::int32_t level_count = 200;
  std::int32_t mode_count = 10;
  std::int32_t realization_count = 5000;
  double basin_side = 1e6;            ///< [m]
  double level_step = 0.072 * 86400;  ///< [s] between levels
  double greatest_speed = 2.0;        ///< [m/s] about what the strongest flow of any realization is
  GyreNumbers numbers;
  double spin_up = 3.0;      ///< [L/U] from rest
  double lead = 10 * 86400;  ///< [s] from the initial ensemble to level 0, for it to become non-Gaussian
  InitialUncertainty uncertainty;
  GyreSurroundings surroundings;
};

/// Makes the ocean and writes it to `path`. What is done is kept beside it in `path`.restart, so that
/// the same call goes on where an earlier one was cut short, to the same bytes; another call refuses
/// what it finds there. Velocities are those of the staggered grid, averaged to cell centres.
/// Errors: InputError for options that cannot be; RunError when the flow breaks down or a file fails.
void make_gyre_environment(const std::filesystem::path& path,
                           const GyreEnvironmentOptions& options, Progress& progress);

}  // namespace tidewise
