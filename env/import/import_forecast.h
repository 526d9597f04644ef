#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "env/environment_info.h"
#include "env/import/depth/profile.h"
#include "env/import/file/source_names.h"
#include "env/import/fineness_options.h"
#include "env/units/quantity.h"

namespace tidewise::ingest {

/// What of the source a level holds.
enum class Sampling {
  mean,   ///< of the flow over its step; the last level, which has no step, the flow of its time
  begin,  ///< the flow of its own time
};

/// ImportOptions::forecast_error for the guess by the forecast's own variability.
inline constexpr const char* default_forecast_error = "default";

struct ImportOptions : FinenessOptions {
  std::vector<std::filesystem::path> files;  ///< NetCDF, one or several along time or members
  std::filesystem::path out;
  SourceNames names;               ///< u and v may be FILE:NAME, and `files` be empty then
  std::optional<double> depth;     ///< [m]; nothing: the level nearest the surface
  DiveRequest dives;               ///< in place of `depth`, where it names profiles
  Zeros zeros = Zeros::land;       ///< points where u and v are 0 at every time
  std::optional<BoundingBox> box;  ///< nothing: all of the grid
  std::optional<double> from;      ///< [s since 1970]; nothing: the first time
  std::optional<double> to;        ///< [s since 1970]; nothing: the last time
  Sampling sample = Sampling::mean;
  std::optional<double> steady;     ///< [s]; how long a field of one time is held; nothing: not
  int lagged = 0;                   ///< N: members from −N to N steps of the source; 0: none
  std::optional<int> modes;         ///< their number; with `variance`, the most there may be
  std::optional<double> variance;   ///< share to keep at every level; 0.99 without `modes`
  std::optional<int> realizations;  ///< drawn; nothing: the members themselves
  std::uint64_t seed = 1;           ///< of those draws
  /// Model of the error that is added to one forecast: default_forecast_error, or the path of a
  /// TOML model; empty: none, or the one given by hand, in which the three below are set.
  std::string forecast_error;
  std::optional<double> error_rms;     ///< [m s-1] of a component
  std::optional<double> error_length;  ///< [m] L of ForecastErrorModel
  std::optional<double> error_time;    ///< [s] e-folding time
  /// Earlier forecasts of one file each, or a series of analyses, whose errors are added.
  std::vector<std::filesystem::path> past;
  std::string scalar;  ///< variable of the forecast's files, or FILE:NAME; empty: none
  std::optional<double> scalar_fill;               ///< value in water where the scalar has none
  std::optional<std::filesystem::path> obstacles;  ///< GeoJSON

  /// Whether realizations of forecast error are added.
  bool adds_error() const {
    return !forecast_error.empty() || error_rms.has_value() || !past.empty();
  }
  /// Whether `forecast_error` is a file.
  bool reads_error_model() const {
    return !forecast_error.empty() && forecast_error != default_forecast_error;
  }
};

/// What came of an import.
struct ImportReport {
  EnvironmentInfo info;
  std::vector<double> variance_kept;  ///< share kept by the modes, (time)
  std::vector<double> profile_kept;   ///< of each profile's own, over all times, (profile)
  std::vector<std::string> lines;     ///< what a user should know, a line each
};

/// Brings a forecast into an environment file: finds velocity and axes, makes the ensemble, regrids
/// it onto a local metric plane, reduces it by SVD level by level. The same input gives the same
/// bytes. docs/forecast/import.md says what is done with land, time, vectors and variance.
///
/// Holds a few times of the source and one level of the environment, and reads the source twice:
/// the first pass finds the number of modes and whether the mask moves. Before, some of its times
/// are looked at for how long a step may be. Errors: InputError naming
/// file, variable and remedy; then nothing is written.
ImportReport import_forecast(const ImportOptions& options, Progress& progress);

}  // namespace tidewise::ingest
