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

/// Options of the stochastic wind-driven gyre as an environment (`tidewise env wind-driven-gyre`).
struct EnvironmentOptions {
  std::int32_t nx = 200;
  std::int32_t ny = 200;
  std::int32_t level_count = 200;
  std::int32_t mode_count = 10;
  std::int32_t realization_count = 5000;
  double basin_side = 1e6;      ///< [m]
  double level_step = 6220.8;   ///< [s] between levels: 0.072 days
  double greatest_speed = 2.0;  ///< [m/s] greatest speed of any realization at level 0
  DimensionlessNumbers numbers;
  double spin_up = 1.0;     ///< [L/U] duration, from rest
  double first_eddy = 1.0;  ///< strength of the initial eddy [a/β]: see spin_up()
  double lead = 0.02;  ///< [L/U] from the initial ensemble to level 0: time to become non-Gaussian
  InitialUncertainty uncertainty;
  Surroundings surroundings;
};

/// The treatment of unfinished work that another call left in `path`.restart.
enum class Restart {
  go_on,      ///< continue it if it has the same options, else refuse
  begin_anew  ///< delete it
};

/// The result of make_environment().
struct EnvironmentReport {
  double velocity_scale = 0;        ///< U [m/s]
  double strongest_flow = 0;        ///< [m/s] greatest speed of all realizations, cells and levels
  double energy_residual = 0;       ///< greatest of all levels
  double divergence = 0;            ///< greatest of all levels
  double orthonormality_error = 0;  ///< greatest of all levels
  std::vector<std::string> lines;   ///< notes for the user, one line each
};

/// Describes the unfinished work for these options in `path`.restart, in one line; "" if there is
/// none. Errors: InputError for invalid options, and if the folder belongs to other options.
std::string describe_restart(const std::filesystem::path& path, const EnvironmentOptions& options);

/// Computes the environment and writes it to `path`. Finished parts are kept in `path`.restart, so
/// that the same call continues an interrupted one, with the same results; the folder is removed
/// when the file is complete. Velocities are those of the staggered grid, averaged to cell centres.
/// Errors: InputError for invalid options, and for a restart folder that belongs to other options
/// or is in use; RunError if the flow breaks down or a file cannot be written.
EnvironmentReport make_environment(const std::filesystem::path& path,
                                   const EnvironmentOptions& options, Restart restart,
                                   Progress& progress);

}  // namespace tidewise::gyre
