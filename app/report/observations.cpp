#include "app/report/observations.h"

#include <fmt/format.h>

#include <numeric>

#include "env/file/time_reference.h"
#include "env/levels/level_dates.h"
#include "env/units/text.h"
#include "learning/file/vehicle_fit.h"

namespace tidewise {
namespace {

constexpr std::size_t max_legs_shown = 24;

std::string describe_leg(const LegResult& result, std::int32_t members,
                         const std::optional<double>& reference) {
  const double end = result.leg.leg.times.back();
  const std::string when = reference ? format_date(*reference + end) : fmt::format("{:.10g}", end);
  std::string text = fmt::format(
      "  {:<20} {:>+7.3f} {:>+7.3f}   {:>+7.3f} ± {:.3f} {:>+7.3f} ± {:.3f}   {:>+7.3f} {:>+7.3f}  "
      " "
      "{:>4} {:>4} of {}",
      when, result.leg.u, result.leg.v, result.u.forecast, result.u.forecast_spread,
      result.v.forecast, result.v.forecast_spread, result.u.posterior, result.v.posterior,
      result.u.rank, result.v.rank, members);
  if (result.u.outside || result.v.outside) text += "  outside";
  if (result.rejected()) text += "  rejected";
  if (result.leg.dive) text += fmt::format("  dive {:.10g}", *result.leg.dive);
  if (!result.profile.empty()) {
    text += "  " + result.profile;
    if (result.leg.depth) text += fmt::format(" (dived to {:.0f} m)", *result.leg.depth);
  }
  return text + "\n";
}

double mean_of(const std::vector<double>& values, std::int32_t first, std::int32_t last) {
  const auto begin = values.begin() + first;
  const auto end = values.begin() + last + 1;
  return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
}

/// A line on the spread over levels `first` to `last`; empty if there are none.
std::string describe_spread(const char* when, const PosteriorReport& report, std::int32_t first,
                            std::int32_t last, const char* unit) {
  if (first > last) return "";
  const double before = mean_of(report.spread_before, first, last);
  const double after = mean_of(report.spread_after, first, last);
  return fmt::format("  {:<28} {:.3f} → {:.3f}{} ({:+.0f} %), mean flow moved by {:.3f}{}\n",
                     fmt::format("{}, levels {} to {}:", when, first, last), before, after, unit,
                     before > 0 ? 100 * (after / before - 1) : 0,
                     mean_of(report.mean_shift, first, last), unit);
}

/// Describes the track at `n` and the following tracks that were read in the same way, such as a
/// glider's dives or the drifters of a file. Moves `n` behind them.
std::string describe_alike(const std::vector<ObservedTrack>& tracks, std::size_t& n) {
  const ObservedTrack& first = tracks[n];
  std::size_t files = 0;
  std::size_t fixes = 0;
  std::size_t legs = 0;
  for (; n < tracks.size() && tracks[n].file_kind == first.file_kind &&
         tracks[n].columns == first.columns && tracks[n].kind == first.kind &&
         tracks[n].errors == first.errors;
       ++n) {
    if (files == 0 || tracks[n].path != tracks[n - 1].path) ++files;
    fixes += tracks[n].fixes;
    legs += tracks[n].legs.size();
    if (first.file_kind.empty()) {
      ++n;
      break;
    }
  }
  const std::string further_files = files > 1 ? fmt::format(" and {} more", files - 1) : "";
  return fmt::format(
      "  {}{}: {}{}, {} of {}\n    {}\n    error: {}\n", first.path.string(), further_files,
      first.file_kind.empty() ? "" : first.file_kind + (files > 1 ? " each, " : ", "),
      fixes == 1 ? "1 fix" : fmt::format("{} fixes", fixes), counted(legs, "leg"), first.kind,
      first.columns, first.errors);
}

}  // namespace

std::string describe_observations(const EnvironmentReader& forecast,
                                  const std::vector<ObservedTrack>& tracks,
                                  const PosteriorReport& report) {
  const EnvironmentInfo& info = forecast.info();
  const char* unit = info.units == Units::metric ? " m/s" : "";
  const auto reference = time_reference(forecast);
  std::string text;
  for (std::size_t n = 0; n < tracks.size();) text += describe_alike(tracks, n);
  for (const std::string& note : report.notes) text += fmt::format("  {}\n", note);
  text += fmt::format("\n  {:<20} {:<17} {:<35} {:<17} {}\n", "leg until", "observed u, v",
                      "forecast ± spread", "posterior", "realizations below");
  const std::size_t count = report.legs.size();
  const std::size_t ends = count > max_legs_shown ? max_legs_shown / 2 : count;
  for (std::size_t n = 0; n < count; ++n) {
    if (n >= ends && n + ends < count) {
      if (n == ends) text += fmt::format("  … {} more, in the file\n", count - 2 * ends);
      continue;
    }
    text += describe_leg(report.legs[n], info.realization_count, reference);
  }
  const Consistency& fit = report.consistency;
  if (fit.degrees_of_freedom == 0) {
    text += "\n  nothing was learned: all legs are left out, and the flow is what it was\n";
    return text;
  }
  text += fmt::format("\n  consistency: chi-square {:.1f} of {} components, probability {:.2g}\n",
                      fit.chi_square, fit.degrees_of_freedom, fit.probability);
  text += "  spread of the flow over the ensemble, before → after:\n";
  text += describe_spread("while it was observed", report, report.first_observed,
                          report.last_observed, unit);
  text +=
      describe_spread("later", report, report.last_observed + 1, info.time.level_count - 1, unit);
  return text;
}

std::string describe_vehicle_fit(const PosteriorReport& report, Units units) {
  const std::vector<MotionResidual> residuals = motion_residuals(report);
  if (residuals.size() < min_fitted_dives) {
    return fmt::format(
        "\n  vehicle's errors: not estimated: {} of {} have a commanded or dead-reckoned velocity "
        "besides the current; at least {} are needed\n",
        residuals.size(), counted(report.legs.size(), "leg"), min_fitted_dives);
  }
  const VehicleFit fit = fit_vehicle(residuals);
  std::string text =
      fmt::format("\n  vehicle's errors by {} legs (90 % intervals):\n", residuals.size());
  std::string lines;
  const auto add = [&](const char* name, const FittedError& error, const char* unit) {
    text += fmt::format(
        "  {:<13} rms {:.3g} ({:.3g} to {:.3g}){}, mean {:+.2g} ({:+.2g} to {:+.2g}){}{}\n", name,
        error.rms.value, error.rms.low, error.rms.high, unit, error.bias.value, error.bias.low,
        error.bias.high, unit,
        error.is_resolved() ? ""
                            : "; not resolved: the errors of current and fixes explain the rms");
    if (error.is_resolved()) lines += fmt::format("  {} = {:.3g}\n", name, error.rms.value);
  };
  add("speed_error", fit.speed, units == Units::metric ? " m/s" : "");
  add("heading_error", fit.heading, "°");
  if (!lines.empty()) text += "\n  [vehicle]\n" + lines;
  return text;
}

}  // namespace tidewise
