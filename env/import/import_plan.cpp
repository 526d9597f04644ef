#include "env/import/import_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/same_file.h"
#include "env/error/codes.h"
#include "env/import/input_files.h"
#include "env/import/source_description.h"
#include "env/units/calendar_time.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

constexpr int max_lagged = 1000;
constexpr double max_levels = 1e5;
constexpr double max_bytes = 1e11;
constexpr double steady_step = 3600;  // [s] default step of a steady field
constexpr std::size_t max_profiles = 32;
// [steps of the source] Interpolation across longer gaps has no value.
constexpr double longest_gap = 100;

std::vector<double> make_lags(const ImportOptions& options, const ForecastSource& source) {
  const std::string first = velocity_files(options).front().string();
  if (source.member_count() > 1) {
    if (options.lagged == 0) return {0};
    throw input_error(errors::lagged_with_members, first, source.member_count(),
                      source.members_by());
  }
  if (options.lagged == 0) return {0};
  std::vector<double> lags;
  for (int lag = -options.lagged; lag <= options.lagged; ++lag) {
    lags.push_back(lag * source.time_step());
  }
  return lags;
}

/// Refuses long gaps in the times; short ones are interpolated. One damaged time, such as 0 since
/// the reference, would make a gap of years with very many levels.
void validate_gaps(const ForecastSource& source, const std::string& file, double first,
                   double last) {
  const auto& times = source.times();
  for (std::size_t n = 1; n < times.size(); ++n) {
    const double gap = times[n] - times[n - 1];
    if (times[n] <= first || times[n - 1] >= last || gap <= longest_gap * source.time_step()) {
      continue;
    }
    throw input_error(errors::forecast_gap, file, format_iso_time(times[n - 1]),
                      format_iso_time(times[n]), gap / source.time_step(), source.time_step(),
                      longest_gap);
  }
}

/// Refuses options that the number of members does not allow.
void validate_members(const ImportOptions& options, const ForecastSource& source,
                      std::size_t members) {
  if (options.adds_error()) {
    if (members == 1) return;
    throw input_error(errors::forecast_error_with_members, velocity_files(options).front().string(),
                      members, source.members_by());
  }
  if (members == 1 && (options.modes || options.variance || options.realizations)) {
    throw input_error(errors::ensemble_options_without_ensemble, options.modes ? "--modes"
                                                                 : options.variance
                                                                     ? "--variance"
                                                                     : "--realizations");
  }
  if (options.modes && !options.variance && static_cast<std::size_t>(*options.modes) >= members) {
    throw input_error(errors::import_modes_too_many, *options.modes, members,
                      counted(members - 1, "mode"), members - 1);
  }
}

/// The plan for a field of one time that is held.
ImportPlan plan_steady(const ImportOptions& options, const ForecastSource& source,
                       const std::string& file) {
  if (source.times().size() > 1) {
    throw input_error(errors::steady_with_times, file, source.times().size());
  }
  if (source.times().empty()) {
    throw input_error(errors::forecast_without_times, file);
  }
  ImportPlan plan;
  plan.lags = {0};
  plan.member_count = source.member_count();
  plan.profile_count = source.profile_count();
  validate_members(options, source, plan.member_count);
  plan.has_fixed_modes = options.adds_error() && options.past.empty();
  plan.step = options.step.value_or(std::min(steady_step, *options.steady));
  const double first = options.from.value_or(source.times().front());
  const double count = std::floor(*options.steady / plan.step + 1e-9) + 1;
  if (!(count >= 2)) {
    throw input_error(errors::steady_shorter_than_step, *options.steady, plan.step);
  }
  validate_level_count(count, plan.step);
  for (double level = 0; level < count; ++level) plan.levels.push_back(first + level * plan.step);
  return plan;
}

/// Validates the output path before the work begins.
void validate_out(const ImportOptions& options) {
  refuse_overwriting("--out", options.out, input_files(options));
  const AtomicFile path_probe(
      options.out);  // refuses a path that cannot be written; creates nothing
}

void validate_dives(const ImportOptions& options) {
  const DiveRequest& dives = options.dives;
  if (dives.profiles.empty()) {
    if (dives.bathymetry.empty()) return;
    throw input_error(errors::bathymetry_without_profile);
  }
  if (options.depth) {
    throw input_error(errors::depth_with_profile);
  }
  if (dives.profiles.size() > max_profiles) {
    throw input_error(errors::profile_option_count, dives.profiles.size(), max_profiles);
  }
  require_different_names(dives.profiles);
  if (!(dives.bottom_margin >= 0 && std::isfinite(dives.bottom_margin))) {
    throw input_error(errors::bottom_margin_invalid);
  }
  if (!(dives.shallowest > dives.bottom_margin && std::isfinite(dives.shallowest))) {
    throw input_error(errors::shallowest_invalid, dives.shallowest, dives.bottom_margin);
  }
}

/// Refuses files that are named both before the options and with a component.
void validate_component_files(const ImportOptions& options) {
  const bool u = parse_component("--u", options.names.u).file.has_value();
  const bool v = parse_component("--v", options.names.v).file.has_value();
  if (u == v && (!u || options.files.empty())) return;
  if (u && v) throw input_error(errors::forecast_named_twice, options.files.front().string());
  throw input_error(errors::component_file_alone);
}

/// Refuses more than one source of errors: a model, earlier forecasts, or the three options.
void validate_error(const ImportOptions& options) {
  const std::pair<const char*, bool> by_hand[] = {
      {"--error-rms", options.error_rms.has_value()},
      {"--error-length", options.error_length.has_value()},
      {"--error-time", options.error_time.has_value()}};
  const auto first_given = std::find_if(std::begin(by_hand), std::end(by_hand),
                                        [](const auto& option) { return option.second; });
  const auto first_missing = std::find_if(std::begin(by_hand), std::end(by_hand),
                                          [](const auto& option) { return !option.second; });
  if (!options.past.empty() && !options.forecast_error.empty()) {
    throw input_error(errors::forecast_error_given_twice, "--past", "--forecast-error");
  }
  if (first_given != std::end(by_hand)) {
    if (!options.forecast_error.empty() || !options.past.empty()) {
      throw input_error(errors::forecast_error_given_twice,
                        options.past.empty() ? "--forecast-error" : "--past", first_given->first);
    }
    if (first_missing != std::end(by_hand)) {
      throw input_error(errors::error_option_missing, first_missing->first);
    }
  }
  if (!options.adds_error()) return;
  if (options.lagged > 0) throw input_error(errors::forecast_error_with_lagged);
  if (options.realizations == 1) throw input_error(errors::forecast_error_realizations);
  if (options.steady && options.forecast_error == default_forecast_error) {
    throw input_error(errors::default_error_of_steady);
  }
}

}  // namespace

std::vector<double> ImportPlan::flow_times(std::size_t level) const {
  if (parts_of_step == 0 || level + 1 == levels.size()) return {levels[level]};
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(parts_of_step));
  for (int part = 0; part < parts_of_step; ++part) {
    times.push_back(levels[level] + (part + 0.5) / parts_of_step * step);
  }
  return times;
}

void validate_level_count(double count, double step) {
  if (count <= max_levels) return;
  throw input_error(errors::import_levels_too_many, step, count, max_levels);
}

void validate_options(const ImportOptions& options) {
  const auto refuse = [](const char* option, const std::string& value, const char* allowed) {
    throw input_error(errors::import_option_invalid, option, value, allowed);
  };
  if (velocity_files(options).empty()) {
    throw input_error(errors::forecast_not_named);
  }
  validate_component_files(options);
  validate_out(options);
  if (options.lagged < 0 || options.lagged > max_lagged) {
    refuse("--lagged", std::to_string(options.lagged), "a number of steps from 0 to 1000");
  }
  if (options.steady && (options.lagged > 0 || options.to)) {
    throw input_error(errors::steady_with_other_option,
                      options.to ? "--to would end it otherwise than its duration"
                                 : "--lagged needs several times");
  }
  if (options.modes && *options.modes < 1) {
    refuse("--modes", std::to_string(*options.modes), "1 or more");
  }
  if (options.variance && !(*options.variance > 0 && *options.variance <= 1)) {
    refuse("--variance", fmt::format("{}", *options.variance),
           "a share above 0 and at most 1, e.g. 0.99");
  }
  if (options.realizations && (*options.realizations < 1 ||
                               static_cast<std::uint32_t>(*options.realizations) >= weight_total)) {
    refuse("--realizations", std::to_string(*options.realizations), "from 1 to below 2^24");
  }
  if (options.vehicle_speed &&
      !(*options.vehicle_speed > 0 && std::isfinite(*options.vehicle_speed))) {
    refuse("--vehicle-speed", fmt::format("{}", *options.vehicle_speed),
           "above 0, in m/s through the water, e.g. 0.35");
  }
  validate_error(options);
  if (options.depth && !std::isfinite(*options.depth)) refuse("--depth", "not finite", "metres");
  validate_dives(options);
  if (options.scalar.empty() && options.scalar_fill) {
    throw input_error(errors::scalar_options_without_scalar);
  }
  if (options.from && options.to && *options.from >= *options.to) {
    throw input_error(errors::import_times_reversed, format_iso_time(*options.from),
                      format_iso_time(*options.to));
  }
}

ImportPlan plan_import(const ImportOptions& options, const ForecastSource& source, double step) {
  const auto& times = source.times();
  const std::string file = velocity_files(options).front().string();
  if (options.steady) return plan_steady(options, source, file);
  if (times.size() < 2) {
    throw input_error(errors::forecast_times_too_few, file, times.size());
  }
  ImportPlan plan;
  plan.lags = make_lags(options, source);
  plan.member_count = plan.lags.size() * source.member_count();
  plan.profile_count = source.profile_count();
  validate_members(options, source, plan.member_count);
  plan.has_fixed_modes = options.adds_error() && options.past.empty();
  plan.step = options.step.value_or(step);

  const std::size_t needed = 2 * static_cast<std::size_t>(options.lagged) + 2;
  if (times.size() < needed) {
    throw input_error(errors::lagged_too_long, file, times.size(), options.lagged, needed,
                      options.lagged);
  }
  const double earliest = times.front() + plan.lags.back();
  const double latest = times.back() - plan.lags.back();
  const double first = options.from.value_or(earliest);
  const double last = options.to.value_or(latest);
  const std::string lag_note =
      options.lagged > 0
          ? fmt::format(" after --lagged {} takes its steps at both ends", options.lagged)
          : "";
  const double lag = plan.lags.back();
  if (!source.covers(first - lag, last + lag) || last < earliest || first > latest) {
    throw input_error(
        errors::import_times_outside, file, options.from ? "--from " + format_iso_time(first) : "",
        options.from && options.to ? " " : "", options.to ? "--to " + format_iso_time(last) : "",
        format_iso_time(earliest), format_iso_time(latest), lag_note);
  }
  validate_gaps(source, file, first - plan.lags.back(), last + plan.lags.back());
  // Rounded times may put the source's end slightly before a level. A time of --to is exact.
  const double tolerance = options.to ? 0 : std::min(0.1, source.time_slack() / plan.step);
  const double count = std::floor((last - first) / plan.step + tolerance + 1e-9) + 1;
  if (!(count >= 2)) {
    throw input_error(errors::import_levels_too_few, file, plan.step, format_iso_time(first),
                      format_iso_time(last), lag_note);
  }
  validate_level_count(count, plan.step);
  for (double level = 0; level < count; ++level) plan.levels.push_back(first + level * plan.step);
  plan.held_at_end = std::max(0.0, plan.levels.back() + lag - times.back());
  if (options.sample == Sampling::mean) {
    plan.parts_of_step =
        static_cast<int>(std::max(1.0, std::round(plan.step / source.time_step())));
  }
  return plan;
}

void validate_size(const ImportPlan& plan, const Grid& grid, std::size_t mode_count,
                   std::size_t realization_count) {
  const auto levels = static_cast<double>(plan.levels.size());
  const auto cells = static_cast<double>(grid.cell_count());
  const auto modes = static_cast<double>(mode_count);
  const auto profiles = static_cast<double>(plan.profile_count);
  const double mode_levels = plan.has_fixed_modes ? 1 : levels;
  const double bytes = sizeof(float) * (2 * profiles * cells * (levels + mode_levels * modes) +
                                        levels * modes * static_cast<double>(realization_count));
  if (bytes <= max_bytes) return;
  throw input_error(errors::import_too_large, levels, grid.nx, grid.ny, mode_count,
                    realization_count, bytes / 1e9, max_bytes / 1e9);
}

}  // namespace tidewise::ingest
