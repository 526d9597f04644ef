#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/progress.h"
#include "env/gyre/flow/momentum_rows.h"
#include "env/gyre/modes/initial_ensemble.h"
#include "env/gyre/surroundings.h"

namespace tidewise::gyre {

/// The stochastic wind-driven gyre as an environment (`tidewise env wind-driven-gyre`).
struct EnvironmentOptions {
  std::int32_t nx = 200;
  std::int32_t ny = 200;
  std::int32_t level_count = 200;
  std::int32_t mode_count = 10;
  std::int32_t realization_count = 5000;
  double basin_side = 1e6;      ///< [m]
  double level_step = 6220.8;   ///< [s] between levels: 0.072 days
  double greatest_speed = 2.0;  ///< [m/s] of the strongest flow of any realization at level 0
  DimensionlessNumbers numbers;
  double spin_up = 1.0;     ///< [L/U] from rest
  double first_eddy = 1.0;  ///< ψ at rest, [a/β]: see spin_up()
  double lead = 0.02;  ///< [L/U] from the initial ensemble to level 0: time to become non-Gaussian
  InitialUncertainty uncertainty;
  Surroundings surroundings;
};

/// What to do with what another call left in `path`.restart.
enum class Restart {
  go_on,      ///< where it has the same options; refuse where it has others
  begin_anew  ///< throw it away
};

/// What came of it.
struct EnvironmentReport {
  double velocity_scale = 0;        ///< U [m/s]
  double strongest_flow = 0;        ///< [m/s] of any realization, cell and level
  double energy_residual = 0;       ///< the greatest of any level
  double divergence = 0;            ///< likewise
  double orthonormality_error = 0;  ///< likewise
  std::vector<std::string> lines;   ///< what a user should know, a line each
};

/// What `path`.restart holds of this very environment, in one line; "" where there is nothing.
/// Errors: InputError for options that cannot be, and where another environment was begun there.
std::string describe_restart(const std::filesystem::path& path, const EnvironmentOptions& options);

/// Makes the ocean and writes it to `path`. What is done is kept beside it in `path`.restart, so
/// that the same call goes on where an earlier one was cut short, to the same numbers, and gone
/// when the file is complete. Velocities are those of the staggered grid, averaged to cell centres.
/// Errors: InputError for options that cannot be, or for a restart folder that belongs to others or
/// is in use; RunError when the flow breaks down or a file fails.
EnvironmentReport make_environment(const std::filesystem::path& path,
                                   const EnvironmentOptions& options, Restart restart,
                                   Progress& progress);

}  // namespace tidewise::gyre
