#include "app/report/forecast_error.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace tidewise {
namespace {

using Interval = ForecastErrorIntervals::Interval;
using Counts = ForecastErrorFit::Counts;

constexpr double hour = 3600;  // [s]
constexpr double kilometre = 1000;

std::string counts_text(const Counts& counts, const char* data) {
  if (counts.data == 0) return "given";
  return fmt::format("{} {}, {} tracks", counts.data, data, counts.series);
}

/// A row: name, value, interval and origin.
std::string row(const std::string& name, double value, const Interval& interval, double unit,
                const char* unit_name, const std::string& from) {
  const std::string range =
      interval ? fmt::format("{:.3g} to {:.3g}", interval->first / unit, interval->second / unit)
               : std::string();
  return fmt::format("  {:<30} {:>7.3g} {:<4} {:<18} {}\n", name, value / unit, unit_name, range,
                     from);
}

/// The observed correlation in the bin of a lag [s]; nullopt if no bin contains it.
std::optional<double> correlation_at(const std::vector<LagCorrelation>& bins, double lag) {
  for (const LagCorrelation& bin : bins) {
    if (std::abs(bin.lag - lag) <= 0.5 * hour) return bin.correlation;
  }
  return std::nullopt;
}

constexpr double shown_lags[] = {6, 12, 24, 48};  // [h]

std::string correlations(const char* name, const std::vector<LagCorrelation>& bins) {
  std::string text = fmt::format("  {:<30}", name);
  for (const double lag : shown_lags) {
    const auto correlation = correlation_at(bins, lag * hour);
    text += correlation ? fmt::format(" {:>7.2f}", *correlation) : fmt::format(" {:>7}", "-");
  }
  return text + "\n";
}

nlohmann::ordered_json json_of(double value, const Interval& interval, const Counts& counts) {
  nlohmann::ordered_json json;
  if (value > 0) {
    json["value"] = value;
  } else {
    json["value"] = nullptr;
  }
  if (interval) json["interval"] = {interval->first, interval->second};
  json["data"] = counts.data;
  json["series"] = counts.series;
  return json;
}

}  // namespace

std::string describe_error_fit(const ForecastErrorFit& fit) {
  const ForecastErrorModel& model = fit.model;
  std::string text =
      fmt::format("{} legs of {} tracks\n\n  {:<30} {:<12} {:<18} {}\n", fit.all.data,
                  fit.all.series, "figure", "value", "90 % interval", "from");
  for (std::size_t n = 0; n < model.rms.size(); ++n) {
    text +=
        row(fmt::format("rms error, lead time {:.0f} h", model.rms[n].first / hour),
            model.rms[n].second, n < fit.intervals.rms.size() ? fit.intervals.rms[n] : std::nullopt,
            1, "m/s", counts_text(fit.rms[n], "legs"));
  }
  const std::string time_counts = counts_text(fit.time, "pairs");
  if (model.length > 0) {
    text += row("correlation length", model.length, fit.intervals.length, kilometre, "km",
                counts_text(fit.length, "pairs"));
  }
  if (model.fast_time > 0) {
    text += row("slow share of the variance", model.slow_share, fit.intervals.slow_share, 1, "",
                time_counts);
  }
  if (model.slow_time > 0) {
    text += row("slow e-folding time", model.slow_time, fit.intervals.slow_time, hour, "h",
                time_counts);
  }
  if (model.fast_time > 0) {
    text += row("fast e-folding time", model.fast_time, fit.intervals.fast_time, hour, "h",
                time_counts);
    text += row("fast period", model.period, fit.intervals.period, hour, "h", time_counts);
  }
  if (!fit.along_tracks.empty()) {
    text += fmt::format("\n  {:<30}", "correlation after");
    for (const double lag : shown_lags) text += fmt::format(" {:>5.0f} h", lag);
    text += "\n" + correlations("along the tracks", fit.along_tracks);
    if (!fit.at_fixed_place.empty()) text += correlations("at a fixed place", fit.at_fixed_place);
  }
  for (const std::string& reason : fit.missing) text += fmt::format("  not fitted: {}\n", reason);
  return text;
}

nlohmann::ordered_json error_fit_json(const ForecastErrorFit& fit) {
  const ForecastErrorModel& model = fit.model;
  nlohmann::ordered_json json;
  json["legs"] = fit.all.data;
  json["series"] = fit.all.series;
  json["rms"] = nlohmann::ordered_json::array();
  for (std::size_t n = 0; n < model.rms.size(); ++n) {
    nlohmann::ordered_json rms =
        json_of(model.rms[n].second,
                n < fit.intervals.rms.size() ? fit.intervals.rms[n] : std::nullopt, fit.rms[n]);
    rms["lead"] = model.rms[n].first;
    json["rms"].push_back(std::move(rms));
  }
  json["length"] = json_of(model.length, fit.intervals.length, fit.length);
  json["slow_share"] = json_of(model.slow_share, fit.intervals.slow_share, fit.time);
  json["slow_time"] = json_of(model.slow_time, fit.intervals.slow_time, fit.time);
  json["fast_time"] = json_of(model.fast_time, fit.intervals.fast_time, fit.time);
  json["period"] = json_of(model.period, fit.intervals.period, fit.time);
  for (const auto& [name, bins] : {std::pair{"along_tracks", &fit.along_tracks},
                                   std::pair{"at_fixed_place", &fit.at_fixed_place}}) {
    json[name] = nlohmann::ordered_json::array();
    for (const LagCorrelation& bin : *bins) {
      json[name].push_back({{"lag", bin.lag}, {"correlation", bin.correlation}});
    }
  }
  json["missing"] = fit.missing;
  return json;
}

}  // namespace tidewise
