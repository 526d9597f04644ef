#pragma once

#include <vector>

#include "env/import/import_forecast.h"
#include "env/import/source/forecast_source.h"

namespace tidewise::ingest {

/// When the environment has its levels, and what its members are made of.
struct ImportPlan {
  double step = 0;             ///< Δt [s]
  std::vector<double> levels;  ///< [s since 1970]
  /// A level holds the mean of the flow at the middles of so many equal parts of its step: as many
  /// as a step has of the source's, one at least. 0: its flow at the level's own time.
  int parts_of_step = 0;
  double held_at_end = 0;  ///< [s] for which the source's last field is held, up to the last level
  std::vector<double> lags;  ///< [s], growing; {0} without lagging
  std::size_t member_count = 0;
  std::size_t profile_count = 1;  ///< velocities of a level
  bool has_fixed_modes = false;   ///< modes that do not change with time

  /// When the flow is taken whose mean a level holds [s since 1970]; that of the last level, for
  /// which nothing is flown, at its own time.
  std::vector<double> flow_times(std::size_t level) const;
};

/// Refuses options that cannot be, before any file is opened. Errors: InputError.
void validate_options(const ImportOptions& options);

/// With --lagged N the levels keep N steps of the source away from both ends of its times, so that
/// every level has all 2N + 1 members and each member is the forecast itself, N steps early to N
/// steps late, with nothing repeated or held still.
/// One forecast without lags is one member. With --steady its only field is held: levels an hour
/// apart, unless told otherwise, from its own time or --from on.
/// Errors: InputError for an ensemble's options on one member, lags on top of members, too few
/// times, a window that the source does not hold, a gap of more than a hundred of its steps. The
/// levels are 1e5 at most. `step`: Δt [s] where the options name none.
ImportPlan plan_import(const ImportOptions& options, const ForecastSource& source, double step);

/// Refuses more levels of `step` [s] than 1e5. Errors: InputError.
void validate_level_count(double count, double step);

/// Holds the size of the environment's velocities and coefficients to 100 GB. Errors: InputError.
void validate_size(const ImportPlan& plan, const Grid& grid, std::size_t mode_count,
                   std::size_t realization_count);

}  // namespace tidewise::ingest
