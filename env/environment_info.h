#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// Units of all fields: m, s and m s-1, or "1" throughout.
enum class Units { metric, nondimensional };
/// Kind of obstacle mask: no mask, mask (y, x), mask (time, y, x).
enum class Obstacles { none, fixed, moving };
/// The source of the realizations' spread. `none`: the forecast is taken as certain. `lagged`:
/// copies of one forecast at other times, which carry no forecast error. `ensemble`: members of a
/// forecast centre's ensemble, or a spread whose source the file does not record. `error_model`:
/// errors drawn from a fitted or given model. `guess`: errors drawn from the default model.
/// `contradicted`: the spread is too small for what was observed, and no inflation within bounds
/// explains it.
enum class ForecastUncertainty { none, lagged, ensemble, error_model, guess, contradicted };

/// True if shares of the realizations may be reported as probabilities.
constexpr bool supports_probability(ForecastUncertainty uncertainty) {
  return uncertainty == ForecastUncertainty::ensemble ||
         uncertainty == ForecastUncertainty::error_model ||
         uncertainty == ForecastUncertainty::guess;
}

/// Coordinates of the cells: x and y only, or also lon and lat (y, x).
enum class Coordinates { plane, geographic };

/// The depths at which a dive spends its time. Velocities are means over them.
struct EnvironmentProfile {
  std::string name;
  std::string depths;  ///< as the user gave them: "0:1000" or "at:1000" [m], or a file's name

  bool operator==(const EnvironmentProfile&) const = default;
};

/// The description of an environment: all that its file holds except the fields.
struct EnvironmentInfo {
  Grid grid;
  TimeAxis time;
  std::int32_t mode_count = 0;         ///< ≥ 1
  std::int32_t realization_count = 0;  ///< Nr ≥ 1
  Units units = Units::nondimensional;
  Obstacles obstacles = Obstacles::none;
  Coordinates coordinates = Coordinates::plane;
  ForecastUncertainty uncertainty = ForecastUncertainty::ensemble;
  bool has_fixed_modes = false;  ///< modes (mode, y, x), the same at all levels
  bool has_scalar = false;       ///< there is a scalar field
  /// If there are several profiles, each has its velocities and its mask; all share the
  /// coefficients. With one or none there is one velocity.
  std::vector<EnvironmentProfile> profiles;
  /// Number of profiles whose velocities a level holds.
  std::int32_t velocities = 1;
  std::string scalar_units = "1";
  std::string scalar_long_name = "mean scalar field";
  /// Weights of the realizations: integers that sum to 2^24; empty if all weights are equal.
  /// (realization)
  std::vector<std::uint32_t> realization_weight;
  /// "s", "seconds since 2024-10-28 00:00:00" or "1".
  std::string time_units = "1";
  /// The projection of x and y: a PROJ string or WKT; empty if there is none.
  std::string projection;
  /// Share of the ensemble's variance that the modes keep, if the file records it.
  std::optional<double> variance_kept;
  std::string title;
  std::string history;
  std::string source;
  std::string comment;
};

/// The name of the profile with index `profile` among those that are read; empty if there is one
/// velocity.
inline std::string profile_name(const EnvironmentInfo& info, std::int32_t profile) {
  return info.velocities > 1 ? info.profiles[static_cast<std::size_t>(profile)].name : "";
}

/// Sum of the integer weights of unequally weighted realizations.
inline constexpr std::uint32_t weight_total = 1u << 24;
/// Sum of all realizations' weights: Nr if all are equal, else weight_total.
inline std::uint32_t count_total(const EnvironmentInfo& info) {
  return info.realization_weight.empty() ? static_cast<std::uint32_t>(info.realization_count)
                                         : weight_total;
}

}  // namespace tidewise
