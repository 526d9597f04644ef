#pragma once

#include <vector>

#include "env/import/import_forecast.h"
#include "env/import/source/forecast_source.h"

namespace tidewise::ingest {

/// The environment's levels and the composition of its members.
struct ImportPlan {
  double step = 0;             ///< Δt [s]
  std::vector<double> levels;  ///< [s since 1970]
  /// A level holds the mean of the flow at the middles of this number of equal parts of its step:
  /// the source's steps per step, at least one. 0: the flow at the level's own time.
  int parts_of_step = 0;
  double held_at_end = 0;  ///< [s] for which the source's last field is held, up to the last level
  std::vector<double> lags;  ///< [s], ascending; {0} without lagging
  std::size_t member_count = 0;
  std::size_t profile_count = 1;  ///< number of velocities of a level
  bool has_fixed_modes = false;   ///< modes that do not change with time

  /// The times [s since 1970] of the flows whose mean a level holds. The last level, from which no
  /// step begins, holds the flow at its own time.
  std::vector<double> flow_times(std::size_t level) const;
};

/// Validates options before any file is opened. Errors: InputError.
void validate_options(const ImportOptions& options);

/// Chooses levels and members. With --lagged N the levels keep a distance of N steps of the source
/// from both ends of its times. So every level has all 2N + 1 members, each of which is the
/// forecast itself, shifted by −N to N steps, and no field is repeated or held. One forecast
/// without lags is one member. With --steady its only field is held, with levels an hour apart by
/// default, from its own time or --from on. `step`: Δt [s] if the options have none. Errors:
/// InputError for an ensemble's options on one member, lags with several members, too few times, a
/// window that the source does not cover, a gap of more than a hundred of its steps, or more than
/// 1e5 levels.
ImportPlan plan_import(const ImportOptions& options, const ForecastSource& source, double step);

/// Refuses more than 1e5 levels of `step` [s]. Errors: InputError.
void validate_level_count(double count, double step);

/// Refuses environments whose velocities and coefficients exceed 100 GB. Errors: InputError.
void validate_size(const ImportPlan& plan, const Grid& grid, std::size_t mode_count,
                   std::size_t realization_count);

}  // namespace tidewise::ingest
