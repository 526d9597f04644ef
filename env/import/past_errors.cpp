#include "env/import/past_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/source_description.h"
#include "env/import/time/hours_text.h"
#include "env/units/calendar_time.h"

namespace tidewise::ingest {
namespace {

constexpr std::size_t default_realizations = 100;
constexpr std::size_t min_dates = 10;  // 20 realizations with both signs, for a window of 5 to 95 %
constexpr double max_bytes = 1.6e10;
constexpr std::size_t max_compared_values = 200'000;  // values of a date for independent_dates()
constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// True if the times of `source` have a gap of more than two usual steps within a window.
bool has_gap(const ForecastSource& source, double first, double last) {
  const auto& times = source.times();
  for (std::size_t n = 1; n < times.size(); ++n) {
    if (times[n] > first && times[n - 1] < last &&
        times[n] - times[n - 1] > 2.001 * source.time_step()) {
      return true;
    }
  }
  return false;
}

}  // namespace

PastErrors::PastErrors(const ImportOptions& options, const ForecastSource& forecast,
                       const ImportPlan& plan, const TargetGrid& target, const LocalPlane& plane,
                       Progress& progress)
    : options_(options),
      plan_(plan),
      forecast_start_(forecast.times().front()),
      profile_count_(forecast.profile_count()),
      cell_count_(static_cast<std::size_t>(target.grid.cell_count())) {
  open_files(target, plane);
  choose_dates();
  const double bytes = static_cast<double>(sizeof(float) * 2 * profile_count_ * cell_count_) *
                       static_cast<double>(dates_.size() * plan.levels.size());
  if (bytes > max_bytes) {
    throw input_error(errors::past_too_large, dates_.size(), plan.levels.size(), target.grid.nx,
                      target.grid.ny, bytes / 1e9, max_bytes / 1e9);
  }
  progress.begin("reading earlier forecasts", static_cast<std::int64_t>(dates_.size()), "dates");
  for (const double date : dates_) {
    errors_.push_back(is_series_ ? error_of_series(date) : error_of_forecast(date));
    progress.advance_to(static_cast<std::int64_t>(errors_.size()));
  }
  progress.end();
}

PastErrors::EarlierSource PastErrors::open(const std::vector<std::filesystem::path>& files) const {
  ImportOptions file_options = options_;
  file_options.files = files;
  file_options.names.u = parse_component("--u", options_.names.u).name;
  file_options.names.v = parse_component("--v", options_.names.v).name;
  file_options.steady.reset();
  file_options.from.reset();
  EarlierSource earlier;
  earlier.source = std::make_unique<ForecastSource>(describe_velocity(file_options).request);
  if (earlier.source->member_count() > 1) {
    throw input_error(errors::past_with_members, files.front().string(),
                      earlier.source->member_count(), earlier.source->members_by());
  }
  return earlier;
}

void PastErrors::open_files(const TargetGrid& target, const LocalPlane& plane) {
  for (const auto& file : options_.past) earlier_.push_back(open({file}));
  std::sort(earlier_.begin(), earlier_.end(), [](const EarlierSource& a, const EarlierSource& b) {
    return std::pair(a.first(), a.last()) < std::pair(b.first(), b.last());
  });
  is_series_ = std::adjacent_find(earlier_.begin(), earlier_.end(),
                                  [](const EarlierSource& a, const EarlierSource& b) {
                                    return b.first() < a.last();
                                  }) == earlier_.end();
  if (is_series_ && earlier_.size() > 1) {
    earlier_.clear();
    earlier_.push_back(open(options_.past));
  }
  for (EarlierSource& earlier : earlier_) {
    earlier.levels =
        std::make_unique<EnsembleLevels>(*earlier.source, target, plane, std::vector{0.0});
    const auto& outside = earlier.levels->outside();
    if (std::find(outside.begin(), outside.end(), 0) == outside.end()) {
      throw input_error(errors::past_elsewhere, options_.past.front().string());
    }
  }
}

/// The times of a level's flow, with `date` in place of the forecast's first time.
std::vector<double> PastErrors::times_from(double date, std::size_t level) const {
  std::vector<double> times = plan_.flow_times(level);
  for (double& time : times) time += date - forecast_start_;
  return times;
}

/// The newest source after number `after` that covers `times`, ascending; nullptr if there is none,
/// or if the times are later than the start of the forecast.
const PastErrors::EarlierSource* PastErrors::newest_after(std::size_t after,
                                                          const std::vector<double>& times) const {
  const double slack = 1;  // [s] rounding of times
  if (times.back() > forecast_start_ + slack) return nullptr;
  for (std::size_t n = earlier_.size(); n-- > after + 1;) {
    const EarlierSource& candidate = earlier_[n];
    if (candidate.first() > earlier_[after].first() + slack &&
        candidate.first() <= times.front() + slack &&
        candidate.source->covers(times.front(), times.back())) {
      return &candidate;
    }
  }
  return nullptr;
}

std::vector<double> PastErrors::dates_of_series() const {
  const ForecastSource& source = *earlier_.front().source;
  const double latest =
      std::min(forecast_start_, earlier_.front().last()) + source.time_slack() + 1;
  const double lead = plan_.levels.back() - forecast_start_;
  std::vector<double> dates;
  for (const double time : source.times()) {
    if (time + lead <= latest && !has_gap(source, time, time + lead)) dates.push_back(time);
  }
  return dates;
}

/// First times of the forecasts whose error is known at the last level.
std::vector<double> PastErrors::dates_of_forecasts() const {
  std::vector<double> dates;
  for (std::size_t n = 0; n < earlier_.size(); ++n) {
    const EarlierSource& forecast = earlier_[n];
    const auto times = times_from(forecast.first(), plan_.levels.size() - 1);
    const bool repeated = !dates.empty() && dates.back() == forecast.first();
    if (!repeated && forecast.source->covers(times.front(), times.back()) &&
        newest_after(n, times)) {
      dates.push_back(forecast.first());
    }
  }
  return dates;
}

/// Chooses all dates, or an evenly spaced selection if the realizations need fewer.
void PastErrors::choose_dates() {
  const std::vector<double> all = is_series_ ? dates_of_series() : dates_of_forecasts();
  if (all.size() < min_dates) {
    throw input_error(errors::past_dates_too_few, all.size(),
                      hours_text(plan_.levels.back() - forecast_start_),
                      format_iso_time(forecast_start_), min_dates);
  }
  const std::size_t max = 2 * all.size();
  realization_count_ = options_.realizations ? static_cast<std::size_t>(*options_.realizations)
                                             : std::min(default_realizations, max);
  if (realization_count_ > max) {
    throw input_error(errors::past_realizations_too_many, realization_count_, all.size(), max);
  }
  const std::size_t count = (realization_count_ + 1) / 2;
  for (std::size_t n = 0; n < count; ++n) {
    dates_.push_back(all[(2 * n + 1) * all.size() / (2 * count)]);
  }
}

PastErrors::Field PastErrors::read(const EarlierSource& earlier,
                                   const std::vector<double>& times) const {
  Field field(2 * profile_count_ * cell_count_, missing);
  const auto profiles = earlier.levels->mean_of(times);
  for (std::size_t p = 0; p < profile_count_; ++p) {
    const LevelEnsemble& level = profiles[p];
    for (std::size_t component = 0; component < 2; ++component) {
      const double* samples = level.samples.data() + component * level.water.size();
      float* out = field.data() + (2 * p + component) * cell_count_;
      for (std::size_t n = 0; n < level.water.size(); ++n) {
        out[level.water[n]] = static_cast<float>(samples[n]);
      }
    }
  }
  return field;
}

std::vector<PastErrors::Field> PastErrors::error_of_series(double date) const {
  const Field start = read(earlier_.front(), {date});
  std::vector<Field> fields;
  for (std::size_t level = 0; level < plan_.levels.size(); ++level) {
    fields.push_back(read(earlier_.front(), times_from(date, level)));
    for (std::size_t n = 0; n < start.size(); ++n) fields.back()[n] -= start[n];
  }
  return fields;
}

std::vector<PastErrors::Field> PastErrors::error_of_forecast(double date) {
  const auto forecast =
      std::find_if(earlier_.begin(), earlier_.end(),
                   [date](const EarlierSource& earlier) { return earlier.first() == date; });
  const auto number = static_cast<std::size_t>(forecast - earlier_.begin());
  std::vector<Field> fields(plan_.levels.size());
  Field last_error(2 * profile_count_ * cell_count_, 0.0F);
  double last_lead = 0;
  std::size_t filled = 0;  // number of levels whose error is known
  for (std::size_t level = 0; level < fields.size(); ++level) {
    const auto times = times_from(date, level);
    const EarlierSource* later = newest_after(number, times);
    if (later == nullptr) continue;
    oldest_comparison_ = std::max(oldest_comparison_, times.back() - later->first());
    fields[level] = read(*forecast, times);
    const Field later_flow = read(*later, times);
    for (std::size_t n = 0; n < later_flow.size(); ++n) fields[level][n] -= later_flow[n];
    const double lead = plan_.levels[level] - forecast_start_;
    for (; filled < level; ++filled) {  // levels without a later file are interpolated
      const double share =
          (plan_.levels[filled] - forecast_start_ - last_lead) / (lead - last_lead);
      fields[filled].resize(last_error.size());
      for (std::size_t n = 0; n < last_error.size(); ++n) {
        fields[filled][n] =
            std::lerp(last_error[n], fields[level][n], static_cast<float>(std::max(share, 0.0)));
      }
    }
    last_error = fields[level];
    last_lead = lead;
    filled = level + 1;
  }
  return fields;
}

double PastErrors::independent_dates() const {
  const std::size_t levels = plan_.levels.size();
  const std::size_t values = errors_.front().front().size();
  const std::size_t stride = std::max<std::size_t>(1, levels * values / max_compared_values) | 1;
  const auto product = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t index = 0; index < levels * values; index += stride) {
      const double term = double{errors_[a][index / values][index % values]} *
                          errors_[b][index / values][index % values];
      if (!std::isnan(term)) sum += term;
    }
    return sum;
  };
  const std::size_t count = errors_.size();
  double power = 0;
  for (std::size_t n = 0; n < count; ++n) power += product(n, n) / static_cast<double>(count);
  double sum = 1;
  for (std::size_t lag = 1; lag < count && power > 0; ++lag) {
    double correlation = 0;
    for (std::size_t n = 0; n + lag < count; ++n) correlation += product(n, n + lag);
    correlation /= static_cast<double>(count - lag) * power;
    if (correlation <= 0) break;
    sum += 2 * (1 - static_cast<double>(lag) / static_cast<double>(count)) * correlation;
  }
  return static_cast<double>(count) / sum;
}

void PastErrors::add_to(std::size_t level, std::vector<LevelEnsemble>& profiles) const {
  for (std::size_t p = 0; p < profiles.size(); ++p) {
    LevelEnsemble& ensemble = profiles[p];
    const std::vector<double> forecast = std::move(ensemble.samples);
    ensemble.member_count = realization_count_;
    ensemble.samples.resize(realization_count_ * forecast.size());
    const std::size_t water = ensemble.water.size();
#pragma omp parallel for schedule(static)
    for (std::size_t r = 0; r < realization_count_; ++r) {
      const float* error = errors_[r / 2][level].data() + 2 * p * cell_count_;
      const double sign = r % 2 == 0 ? 1 : -1;
      double* out = ensemble.samples.data() + r * forecast.size();
      for (std::size_t n = 0; n < forecast.size(); ++n) {
        const float value = error[n / water * cell_count_ + ensemble.water[n % water]];
        out[n] = forecast[n] + (std::isnan(value) ? 0 : sign * value);
      }
    }
  }
}

std::string PastErrors::description(const std::vector<LevelEnsemble>& profiles) const {
  const auto rms = [this](std::size_t level) {
    double squares = 0;
    double count = 0;
    for (const auto& fields : errors_) {
      for (const float value : fields[level]) {
        if (std::isnan(value)) continue;
        squares += double{value} * value;
        ++count;
      }
    }
    return count > 0 ? std::sqrt(squares / count) : 0;
  };
  const std::size_t last = plan_.levels.size() - 1;
  const auto lead = [&](std::size_t level) {
    return (plan_.levels[level] - forecast_start_) / 3600;
  };
  std::string text = fmt::format("error: that of {} on {} earlier dates, {} to {}",
                                 is_series_ ? "persistence" : "earlier forecasts", dates_.size(),
                                 format_iso_time(dates_.front()), format_iso_time(dates_.back()));
  if (!is_series_) {
    text +=
        fmt::format(", compared with later ones at most {} old", hours_text(oldest_comparison_));
  }
  text += fmt::format(
      ", each with both signs; rms {:.2f}, {:.2f} and {:.2f} m/s per component after {:.3g}, "
      "{:.3g} and {:.3g} h; ",
      rms(0), rms(last / 2), rms(last), lead(0), lead(last / 2), lead(last));
  const double independent = independent_dates();
  text += fmt::format("about {:.0f} of the dates are independent", std::max(1.0, independent));
  if (independent < min_dates) {
    text += fmt::format(
        ", fewer than {}: windows are probably too narrow; compare with --forecast-error default",
        min_dates);
  }
  std::size_t cells_without_error = 0;
  const LevelEnsemble& first = profiles.front();
  for (const std::size_t cell : first.water) {
    cells_without_error += std::all_of(errors_.begin(), errors_.end(), [&](const auto& fields) {
      return std::isnan(fields[0][cell]);
    });
  }
  if (cells_without_error > 0) {
    text += fmt::format(
        "; {:.3g} % of the water has no errors: there the forecast is certain",
        100 * static_cast<double>(cells_without_error) / static_cast<double>(first.water.size()));
  }
  return text;
}

}  // namespace tidewise::ingest
