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

/// The flow that a level holds.
enum class Sampling {
  mean,   ///< the mean flow over its step; the last level, which has no step, as `begin`
  begin,  ///< the flow at its own time
};

/// Value of ImportOptions::forecast_error for the guess from the forecast's own variability.
inline constexpr const char* default_forecast_error = "default";

/// Options of import_forecast().
struct ImportOptions : FinenessOptions {
  std::vector<std::filesystem::path> files;  ///< NetCDF, one or several along time or members
  std::filesystem::path out;
  SourceNames names;               ///< u and v may be FILE:NAME; `files` may then be empty
  std::optional<double> depth;     ///< [m]; nullopt: the level nearest the surface
  DiveRequest dives;               ///< if it has profiles, they replace `depth`
  Zeros zeros = Zeros::land;       ///< meaning of points where u and v are 0 at every time
  std::optional<BoundingBox> box;  ///< nullopt: all of the grid
  std::optional<double> from;      ///< [s since 1970]; nullopt: the first time
  std::optional<double> to;        ///< [s since 1970]; nullopt: the last time
  Sampling sample = Sampling::mean;
  std::optional<double> steady;     ///< [s] for which a single field is held; nullopt: not held
  int lagged = 0;                   ///< N: members from −N to N steps of the source; 0: none
  std::optional<int> modes;         ///< number of modes; with `variance`, their maximum number
  std::optional<double> variance;   ///< share to keep at every level; default without `modes`: 0.99
  std::optional<int> realizations;  ///< number drawn; nullopt: the members themselves
  std::uint64_t seed = 1;           ///< seed of those draws
  /// Model of the error that is added to one forecast: default_forecast_error, or the path of a
  /// TOML model. Empty: none, or the model given by the next three options.
  std::string forecast_error;
  std::optional<double> error_rms;     ///< [m s-1] per component
  std::optional<double> error_length;  ///< [m] L of ForecastErrorModel
  std::optional<double> error_time;    ///< [s] e-folding time
  /// Earlier forecasts, one file each, or a series of analyses, whose errors are added.
  std::vector<std::filesystem::path> past;
  std::string scalar;  ///< variable of the forecast's files, or FILE:NAME; empty: none
  std::optional<double> scalar_fill;               ///< scalar in water where it is missing
  std::optional<std::filesystem::path> obstacles;  ///< GeoJSON

  /// True if realizations of forecast error are added.
  bool adds_error() const {
    return !forecast_error.empty() || error_rms.has_value() || !past.empty();
  }
  /// True if `forecast_error` is a file.
  bool reads_error_model() const {
    return !forecast_error.empty() && forecast_error != default_forecast_error;
  }
};

/// The result of an import.
struct ImportReport {
  EnvironmentInfo info;
  std::vector<double> variance_kept;  ///< share of the variance that the modes keep, (time)
  std::vector<double> profile_kept;   ///< share of each profile's variance, all times, (profile)
  std::vector<std::string> lines;     ///< notes for the user, one line each
};

/// Converts a forecast to an environment file: finds velocity and axes, makes the ensemble, regrids
/// it onto a local metric plane, and reduces it by SVD level by level. The same input gives the
/// same bytes. docs/forecast/import.md describes the treatment of land, time, vectors and variance.
///
/// Holds a few times of the source and one level of the environment in memory, and reads the source
/// twice: the first pass finds the number of modes and whether the mask moves. Some times are read
/// before, to choose the step. Errors: InputError naming file, variable and remedy; then nothing is
/// written.
ImportReport import_forecast(const ImportOptions& options, Progress& progress);

}  // namespace tidewise::ingest
