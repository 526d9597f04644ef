#include "env/import/added_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "env/file/forecast_error_file.h"
#include "env/mask.h"

namespace tidewise::ingest {
namespace {

constexpr int default_realizations = 100;
constexpr int max_modes = 4096;  // limit of an environment file
constexpr double day = 86400;

/// Velocities of the first member, (y, x), NaN on land.
std::vector<double> on_grid(const LevelEnsemble& level, std::size_t component) {
  std::vector<double> values(level.land.size(), std::numeric_limits<double>::quiet_NaN());
  const double* samples = level.samples.data() + component * level.water.size();
  for (std::size_t n = 0; n < level.water.size(); ++n) values[level.water[n]] = samples[n];
  return values;
}

}  // namespace

AddedError::AddedError(const ImportOptions& options) : options_(options) {
  if (is_guess()) return;
  if (options.reads_error_model()) {
    model_ = read_forecast_error_model(options.forecast_error);
    return;
  }
  model_.rms = {{0, *options.error_rms}};
  model_.length = *options.error_length;
  model_.slow_time = *options.error_time;
  model_.source = "given by hand";
}

std::size_t AddedError::realization_count() const {
  return static_cast<std::size_t>(options_.realizations.value_or(default_realizations));
}

void AddedError::add_level(const Grid& grid, double step, std::size_t level_count,
                           const std::vector<LevelEnsemble>& profiles,
                           const std::vector<std::uint8_t>& outside) {
  mask_.resize(outside.size(), 0);
  for (std::size_t cell = 0; cell < mask_.size(); ++cell) {
    const bool dry = std::all_of(profiles.begin(), profiles.end(),
                                 [cell](const auto& profile) { return profile.land[cell] != 0; });
    if (outside[cell] != 0)
      mask_[cell] = beyond_forecast;
    else if (dry)
      mask_[cell] = closed_by_obstacle;
  }
  if (!is_guess()) return;
  if (!flow_) flow_.emplace(grid, step, level_count);
  flow_->add(on_grid(profiles.front(), 0), on_grid(profiles.front(), 1));
}

void AddedError::choose_model(const Grid& grid, double step) {
  if (is_guess()) model_ = default_error_model(*flow_);
  const ErrorModeLimits defaults;
  const ErrorModeLimits limits{options_.variance.value_or(defaults.share),
                               options_.modes
                                   ? static_cast<std::size_t>(std::min(*options_.modes, max_modes))
                                   : defaults.max_count};
  modes_.emplace(grid, mask_, model_.length, limits);
  coefficients_.emplace(model_, step, mode_count(), realization_count(), options_.seed);
}

void AddedError::fill_modes(LevelFields<>& fields) const {
  const std::size_t cells = mask_.size();
#pragma omp parallel for schedule(static)
  for (std::size_t mode = 0; mode < mode_count(); ++mode) {
    modes_->fill_velocity(mode, fields.u_mode.data() + mode * cells,
                          fields.v_mode.data() + mode * cells);
  }
}

void AddedError::fill_next(double lead, LevelFields<>& fields) {
  coefficients_->fill_next(lead, fields.coefficient.data());
}

ForecastUncertainty AddedError::uncertainty() const {
  return is_guess() ? ForecastUncertainty::guess : ForecastUncertainty::error_model;
}

std::vector<double> AddedError::scale_range(const std::vector<double>& leads) const {
  if (!is_guess()) return {};
  const auto total_rms = [&](const ForecastErrorModel& model) {
    double square = 0;
    for (const double lead : leads) square += rms_at(model, lead) * rms_at(model, lead);
    return std::sqrt(square);
  };
  const auto [low, high] = plausible_analysis_error;
  return {total_rms(default_error_model(*flow_, low)) / total_rms(model_),
          total_rms(default_error_model(*flow_, high)) / total_rms(model_)};
}

std::string AddedError::description() const {
  const auto at_leads = [](const ForecastErrorModel& model) {
    return fmt::format("{:.2f}, {:.2f} and {:.2f} m/s", rms_at(model, 0), rms_at(model, day),
                       rms_at(model, 3 * day));
  };
  std::string text =
      fmt::format("error: rms {} per component after 0, 1 and 3 days", at_leads(model_));
  if (is_guess()) {
    const auto [low, high] = plausible_analysis_error;
    text +=
        fmt::format(", a guess; plausible are {} to {}", at_leads(default_error_model(*flow_, low)),
                    at_leads(default_error_model(*flow_, high)));
  }
  text += fmt::format("; length {:.3g} km; ", model_.length / 1000);
  if (model_.slow_share > 0) {
    text += fmt::format("{:.0f} % of the variance lasts {:.3g} h", 100 * model_.slow_share,
                        model_.slow_time / 3600);
  }
  if (model_.slow_share < 1) {
    text += fmt::format("{}{:.0f} % lasts {:.3g} h", model_.slow_share > 0 ? ", " : "",
                        100 * (1 - model_.slow_share), model_.fast_time / 3600);
    if (model_.period > 0) text += fmt::format(" with a period of {:.4g} h", model_.period / 3600);
  }
  text += fmt::format("; {} modes keep {:.3g} %", mode_count(), 100 * share_kept());
  if (!model_.source.empty()) text += "; source: " + model_.source;
  return text;
}

}  // namespace tidewise::ingest
