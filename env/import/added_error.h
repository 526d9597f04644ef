#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/environment_info.h"
#include "env/forecast_error/default_model.h"
#include "env/forecast_error/error_coefficients.h"
#include "env/forecast_error/error_modes.h"
#include "env/import/import_forecast.h"
#include "env/import/source/ensemble_levels.h"
#include "env/level_fields.h"

namespace tidewise::ingest {

/// Realizations of forecast error that an import adds to one forecast. Call add_level() for each
/// level, then choose_model() once, then fill_modes() for the fields, and fill_next() for each
/// level. All profiles of a dive get the same error.
class AddedError {
 public:
  /// Requires options that add an error. Errors: InputError for a model file that cannot be used.
  explicit AddedError(const ImportOptions& options);

  std::size_t realization_count() const;
  std::size_t mode_count() const { return modes_->count(); }
  double share_kept() const { return modes_->share_kept(); }

  /// Adds the flow and the coasts of the next level, (profile). `outside`: (y, x), 1 beyond the
  /// source's area.
  void add_level(const Grid& grid, double step, std::size_t level_count,
                 const std::vector<LevelEnsemble>& profiles,
                 const std::vector<std::uint8_t>& outside);
  /// Chooses the model and the modes from the added levels. Errors: those of ErrorModes.
  void choose_model(const Grid& grid, double step);

  void fill_modes(LevelFields<>& fields) const;
  /// Fills the coefficients of the next level, at a lead time [s].
  void fill_next(double lead, LevelFields<>& fields);

  ForecastUncertainty uncertainty() const;
  /// For a guessed error, the two factors that scale the rms error over `leads` [s] to that of the
  /// lowest and the highest plausible analysis error; else empty.
  std::vector<double> scale_range(const std::vector<double>& leads) const;
  /// One line for the user: rms by lead time, length, times, modes and source.
  std::string description() const;

 private:
  bool is_guess() const { return options_.forecast_error == default_forecast_error; }

  const ImportOptions& options_;
  ForecastErrorModel model_;
  std::optional<FlowStatistics> flow_;  // only for the default model
  std::vector<std::uint8_t> mask_;      // (y, x), for ErrorModes
  std::optional<ErrorModes> modes_;
  std::optional<ErrorCoefficients> coefficients_;
};

}  // namespace tidewise::ingest
