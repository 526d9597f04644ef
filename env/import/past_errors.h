#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "env/import/grid/target_grid.h"
#include "env/import/import_plan.h"
#include "env/import/source/ensemble_levels.h"

namespace tidewise::ingest {

/// Errors of earlier forecasts by lead time, as realizations that an import adds to one forecast.
///
/// Files that overlap in time are earlier forecasts. The error of a forecast at a lead time is its
/// flow minus that of the newest later file that covers the time. At lead times before any later
/// file it grows linearly from 0. Files that do not overlap are one series of analyses, and the
/// errors are those of persistence: the flow at a lead time minus the flow at the date itself. Data
/// later than the forecast's first time are not used.
///
/// A realization has the error of one date at all levels and places, so that it keeps its coherence
/// in time and space. Each date gives two realizations, of opposite sign, so that the mean stays
/// the forecast. Errors are not shifted in space, because coasts and jets would move.
class PastErrors {
 public:
  /// Reads the files of options.past. Errors: InputError for files with members, of another area,
  /// with too few dates, or too large for memory.
  PastErrors(const ImportOptions& options, const ForecastSource& forecast, const ImportPlan& plan,
             const TargetGrid& target, const LocalPlane& plane, Progress& progress);

  std::size_t realization_count() const { return realization_count_; }
  /// The effective number of independent dates: n / (1 + 2 Σ (1 − j/n) ρ_j), where ρ_j is the
  /// correlation of errors j dates apart; the sum ends where it is no longer positive (Thiébaux and
  /// Zwiers 1984, doi:10.1175/1520-0450(1984)023<0800:TIAEOE>2.0.CO;2).
  double independent_dates() const;

  /// Replaces the one member of a level, (profile), by one member for each realization.
  void add_to(std::size_t level, std::vector<LevelEnsemble>& profiles) const;

  /// One line for the user: dates, independent dates and rms by lead time; and the share of the
  /// cells with water in `profiles` that has no error.
  std::string description(const std::vector<LevelEnsemble>& profiles) const;

 private:
  /// An earlier forecast, or the series of analyses.
  struct EarlierSource {
    std::unique_ptr<ForecastSource> source;
    std::unique_ptr<EnsembleLevels> levels;
    double first() const { return source->times().front(); }
    double last() const { return source->times().back(); }
  };
  using Field = std::vector<float>;  // (profile, component, cell), NaN where missing

  EarlierSource open(const std::vector<std::filesystem::path>& files) const;
  void open_files(const TargetGrid& target, const LocalPlane& plane);
  std::vector<double> times_from(double date, std::size_t level) const;
  const EarlierSource* newest_after(std::size_t after, const std::vector<double>& times) const;
  std::vector<double> dates_of_series() const;
  std::vector<double> dates_of_forecasts() const;
  void choose_dates();
  Field read(const EarlierSource& earlier, const std::vector<double>& times) const;
  std::vector<Field> error_of_series(double date) const;
  std::vector<Field> error_of_forecast(double date);

  const ImportOptions& options_;
  const ImportPlan& plan_;
  double forecast_start_;  // [s since 1970] the forecast's first time
  std::size_t profile_count_;
  std::size_t cell_count_;
  std::vector<EarlierSource> earlier_;  // in order of time
  bool is_series_ = false;
  std::vector<double> dates_;
  double oldest_comparison_ = 0;  // [s] greatest lead time of the flows that are compared
  std::size_t realization_count_ = 0;
  std::vector<std::vector<Field>> errors_;  // (date, level)
};

}  // namespace tidewise::ingest
