#pragma once

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "env/forecast_error.h"

namespace tidewise {

/// Confidence intervals (low, high) of a model's figures, in the units of ForecastErrorModel.
struct ForecastErrorIntervals {
  using Interval = std::optional<std::pair<double, double>>;

  std::vector<Interval> rms;  ///< one for each entry of ForecastErrorModel::rms, or empty
  Interval length = {};
  Interval slow_share = {};
  Interval slow_time = {};
  Interval fast_time = {};
  Interval period = {};
};

/// Reads an error model from a TOML file:
///
///     [forecast_error]
///     rms = [["0h", 0.30], ["24h", 0.40]]  # lead time, m/s per component
///     length = "20km"
///     slow_share = 0.6      # default 1
///     slow_time = "40h"     # required when slow_share is above 0
///     fast_time = "12h"     # required when slow_share is below 1
///     period = "12.42h"     # default: no oscillation
///     source = "one line"   # optional
///
/// A table [forecast_error.interval] with 90 % intervals may follow; it is not read. Errors:
/// InputError for a file that cannot be read or is not TOML, and, with file and line, for keys that
/// are unknown or missing, values out of range, and lead times that do not ascend.
ForecastErrorModel read_forecast_error_model(const std::filesystem::path& path);

/// Writes the model in this format, to five digits, with the given intervals. Writes the complete
/// file or none. Errors: those of AtomicFile.
void write_forecast_error_model(const std::filesystem::path& path, const ForecastErrorModel& model,
                                const ForecastErrorIntervals& intervals = {});

}  // namespace tidewise
