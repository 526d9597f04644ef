#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/grid.h"

namespace tidewise {

enum class Units { metric, nondimensional };   ///< m, s, m s-1; or "1" throughout
enum class Obstacles { none, fixed, moving };  ///< no mask, mask (y, x), mask (time, y, x)
/// What the spread of the realizations stands for. `none`: the forecast is taken as certain.
/// `lagged`: copies of one forecast at other times, which carry no forecast error. `ensemble`:
/// members of a forecast centre, or a file that states nothing and has a spread. `error_model`:
/// errors by a fitted or given model. `guess`: errors by the default model. `contradicted`: the
/// spread is too small for what was observed, and no inflation within bounds explains it.
enum class ForecastUncertainty { none, lagged, ensemble, error_model, guess, contradicted };

/// Whether shares of the realizations may be reported as probabilities.
constexpr bool supports_probability(ForecastUncertainty uncertainty) {
  return uncertainty == ForecastUncertainty::ensemble ||
         uncertainty == ForecastUncertainty::error_model ||
         uncertainty == ForecastUncertainty::guess;
}

enum class Coordinates { plane, geographic };  ///< geographic: lon and lat (y, x) are there too

/// What velocities are means over: the depths at which a dive spends its time.
struct EnvironmentProfile {
  std::string name;
  std::string depths;  ///< as they were told: "0:1000" or "at:1000" [m], or a file's name

  bool operator==(const EnvironmentProfile&) const = default;
};

/// Everything about an environment but its fields.
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
  bool has_scalar = false;
  /// Several: each has its velocities and its mask, and the coefficients are theirs together. One
  /// or none: there is one velocity.
  std::vector<EnvironmentProfile> profiles;
  /// Of how many profiles a level brings the velocities, one beside the other.
  std::int32_t velocities = 1;
  std::string scalar_units = "1";
  std::string scalar_long_name = "mean scalar field";
  /// Integers that sum to 2^24 and take the place of the 1s that realizations count for; empty when
  /// all count alike. (realization)
  std::vector<std::uint32_t> realization_weight;
  /// "s", "seconds since 2024-10-28 00:00:00" or "1".
  std::string time_units = "1";
  /// The projection of x and y: a PROJ string or WKT; empty when there is none.
  std::string projection;
  /// Share of the ensemble's variance that the modes keep, where the maker recorded it.
  std::optional<double> variance_kept;
  std::string title;
  std::string history;
  std::string source;
  std::string comment;
};

/// The name of one of several profiles that are read; empty where there is one velocity.
inline std::string profile_name(const EnvironmentInfo& info, std::int32_t profile) {
  return info.velocities > 1 ? info.profiles[static_cast<std::size_t>(profile)].name : "";
}

/// What all realizations' weights sum to: Nr when each counts for 1, else 2^24.
inline constexpr std::uint32_t weight_total = 1u << 24;
inline std::uint32_t count_total(const EnvironmentInfo& info) {
  return info.realization_weight.empty() ? static_cast<std::uint32_t>(info.realization_count)
                                         : weight_total;
}

}  // namespace tidewise
