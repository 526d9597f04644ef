#include "app/report/environment.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "base/printable.h"
#include "env/file/uncertainty_words.h"
#include "env/levels/level_dates.h"
#include "env/units/depths.h"

namespace tidewise {
namespace {

const char* obstacle_word(Obstacles obstacles) {
  switch (obstacles) {
    case Obstacles::none:
      return "none";
    case Obstacles::fixed:
      return "fixed";
    case Obstacles::moving:
      return "moving";
  }
  return "";
}

/// The unit to write after a number, such as " m"; empty without units.
std::string unit(const EnvironmentInfo& info, const char* metric) {
  return info.units == Units::metric ? std::string(" ") + metric : "";
}

std::string describe_grid(const EnvironmentInfo& info) {
  const Grid& grid = info.grid;
  return fmt::format("{} × {} cells of {:.6g} × {:.6g}{}, x {:.6g} … {:.6g}, y {:.6g} … {:.6g}",
                     grid.nx, grid.ny, grid.dx, grid.dy, unit(info, "m"), grid.x(0),
                     grid.x(grid.nx - 1), grid.y(0), grid.y(grid.ny - 1));
}

std::string describe_times(const EnvironmentInfo& info) {
  const TimeAxis& time = info.time;
  return fmt::format("{} levels {:.6g}{} apart, {:.10g} … {:.10g} [{}]", time.level_count,
                     time.step, unit(info, "s"), time.first,
                     time.at(TimeLevel(time.level_count - 1)), info.time_units);
}

/// Adds a line with the first and last date, unless times have no dates.
void add_dates(std::string& report, const LevelDates& dates) {
  if (!dates.known()) return;
  report += report_line(
      "dates", fmt::format("{} … {}", format_date(dates.first()), format_date(dates.last())));
}

/// The smallest and the greatest finite value.
std::pair<double, double> bounds_of(const std::vector<double>& degrees) {
  double min = std::numeric_limits<double>::infinity();
  double max = -min;
  for (const double value : degrees) {
    if (!std::isfinite(value)) continue;
    min = std::min(min, value);
    max = std::max(max, value);
  }
  return {min, max};
}

/// West, south, east and north of the cell centres [degrees]; nullopt if no position is known. If
/// the grid crosses 180 degrees, east is above 180.
std::optional<std::array<double, 4>> bounds_of(const EnvironmentReader& reader) {
  if (reader.info().coordinates != Coordinates::geographic) return std::nullopt;
  auto longitude = reader.read_longitude();
  const auto first = std::find_if(longitude.begin(), longitude.end(),
                                  [](double value) { return std::isfinite(value); });
  if (first == longitude.end()) return std::nullopt;
  const double middle = *first;
  for (double& value : longitude) value = middle + std::remainder(value - middle, 360.0);
  const auto [west, east] = bounds_of(longitude);
  const auto [south, north] = bounds_of(reader.read_latitude());
  return std::array{west, south, east, north};
}

std::string describe_bounds(const EnvironmentReader& reader) {
  const auto bounds = bounds_of(reader);
  if (!bounds) {
    return reader.info().coordinates == Coordinates::geographic ? "there, without a number"
                                                                : "none";
  }
  const auto [west, south, east, north] = *bounds;
  return fmt::format("{:.4f} … {:.4f} degrees east, {:.4f} … {:.4f} degrees north", west, east,
                     south, north);
}

std::string describe_flow(const EnvironmentInfo& info, const EnvironmentStatistics& statistics) {
  const double cells_x = statistics.flow_bound * info.time.step / info.grid.dx;
  const double cells_y = statistics.flow_bound * info.time.step / info.grid.dy;
  return fmt::format("no realization is faster than {:.4g}{}, {:.3g} cells a step",
                     statistics.flow_bound, unit(info, "m/s"), std::max(cells_x, cells_y));
}

std::string describe_variance(const EnvironmentInfo& info,
                              const EnvironmentStatistics& statistics) {
  const auto& variance = statistics.mode_variance;
  const double total = std::accumulate(variance.begin(), variance.end(), 0.0);
  if (total <= 0) return "0: all realizations are the same flow";
  std::string text = fmt::format("{:.4g}{}; modes carry", total, unit(info, "m2/s2"));
  constexpr std::size_t max_named = 10;
  for (std::size_t m = 0; m < std::min(variance.size(), max_named); ++m) {
    text += fmt::format(" {:.1f}", 100 * variance[m] / total);
  }
  return text + (variance.size() > max_named ? " … %" : " %");
}

std::string describe_modes(const EnvironmentInfo& info) {
  const char* fixed = info.has_fixed_modes ? " fixed in time" : "";
  if (!info.variance_kept) {
    return fmt::format("{}{}; how much variance they keep is not recorded", info.mode_count, fixed);
  }
  return fmt::format("{}{}, keeping {:.2f} % of the variance", info.mode_count, fixed,
                     100 * *info.variance_kept);
}

std::string describe_uncertainty(ForecastUncertainty uncertainty) {
  const char* meaning = "";
  switch (uncertainty) {
    case ForecastUncertainty::none:
      meaning = "the forecast is taken as certain";
      break;
    case ForecastUncertainty::lagged:
      meaning = "copies of one forecast at other times, without forecast error";
      break;
    case ForecastUncertainty::ensemble:
      meaning = "the spread of the realizations";
      break;
    case ForecastUncertainty::error_model:
      meaning = "forecast errors by a model";
      break;
    case ForecastUncertainty::contradicted:
      meaning = "observations contradict the forecast";
      break;
    case ForecastUncertainty::guess:
      meaning = "a guessed forecast error";
      break;
  }
  return fmt::format("{} ({})", uncertainty_word(uncertainty), meaning);
}

/// Describes the properties that differ between profiles.
std::string describe_velocity(const EnvironmentInfo& info,
                              const EnvironmentStatistics& statistics) {
  std::string report = report_line(
      "obstacles", fmt::format("{}; {:.2f} % of the cells are closed",
                               obstacle_word(info.obstacles), 100 * statistics.closed_share));
  report += report_line(
      "mean flow", fmt::format("{:.4g}{} on average, {:.4g} at most", statistics.mean_flow_average,
                               unit(info, "m/s"), statistics.mean_flow_greatest));
  report += report_line("flow", describe_flow(info, statistics));
  return report + report_line("variance", describe_variance(info, statistics));
}

/// Adds a text from the file.
void add_text(std::string& report, std::string_view label, const std::string& text) {
  if (!text.empty()) report += report_line(label, shortened(text, max_echo_bytes));
}

}  // namespace

std::string report_line(std::string_view label, std::string_view text) {
  return fmt::format("{:<16}{}\n", label, shortened(on_one_line(text), max_message_bytes));
}

std::string describe_environment(const EnvironmentReader& reader,
                                 std::span<const EnvironmentStatistics> statistics) {
  const EnvironmentInfo& info = reader.info();
  std::string report = report_line("file", reader.path().string());
  add_text(report, "title", info.title);
  report += report_line("grid", describe_grid(info));
  report += report_line("times", describe_times(info));
  add_dates(report, LevelDates(reader));
  report += report_line("units", info.units == Units::metric ? "m, s, m s-1" : "non-dimensional");
  report += report_line("modes", describe_modes(info));
  report +=
      report_line("realizations", fmt::format("{}{}", info.realization_count,
                                              info.realization_weight.empty() ? "" : ", weighted"));
  report += report_line("uncertainty", describe_uncertainty(info.uncertainty));
  for (std::size_t p = 0; p < statistics.size(); ++p) {
    if (p < info.profiles.size()) {
      const auto& [name, depths] = info.profiles[p];
      report += report_line("profile", fmt::format("{}: {}", name, brief_depths(depths)));
    }
    report += describe_velocity(info, statistics[p]);
  }
  if (info.has_scalar) {
    report += report_line(
        "scalar", fmt::format("{} [{}], {:.4g} … {:.4g}", info.scalar_long_name, info.scalar_units,
                              statistics[0].scalar_least, statistics[0].scalar_greatest));
  } else {
    report += report_line("scalar", "none");
  }
  report += report_line("lon, lat", describe_bounds(reader));
  add_text(report, "projection", info.projection);
  add_text(report, "source", info.source);
  add_text(report, "history", info.history);
  add_text(report, "comment", info.comment);
  return report;
}

nlohmann::ordered_json environment_as_json(const EnvironmentReader& reader,
                                           std::span<const EnvironmentStatistics> all) {
  const EnvironmentInfo& info = reader.info();
  const EnvironmentStatistics& statistics = all.front();
  nlohmann::ordered_json json;
  json["file"] = reader.path().string();
  json["title"] = info.title;
  json["grid"] = {{"nx", info.grid.nx},           {"ny", info.grid.ny},
                  {"x_first", info.grid.x_first}, {"y_first", info.grid.y_first},
                  {"dx", info.grid.dx},           {"dy", info.grid.dy}};
  json["time"] = {{"levels", info.time.level_count},
                  {"first", info.time.first},
                  {"step", info.time.step},
                  {"units", info.time_units}};
  if (const LevelDates dates(reader); dates.known()) {
    json["time"]["first_date"] = format_date(dates.first());
    json["time"]["last_date"] = format_date(dates.last());
  }
  json["units"] = info.units == Units::metric ? "metric" : "non-dimensional";
  json["modes"] = info.mode_count;
  json["fixed_modes"] = info.has_fixed_modes;
  json["realizations"] = info.realization_count;
  json["uncertainty"] = uncertainty_word(info.uncertainty);
  json["weighted"] = !info.realization_weight.empty();
  json["obstacles"] = obstacle_word(info.obstacles);
  const auto add_velocity = [](const EnvironmentStatistics& profile_statistics,
                               nlohmann::ordered_json& to) {
    to["closed_share"] = profile_statistics.closed_share;
    to["mean_flow"] = {{"average", profile_statistics.mean_flow_average},
                       {"greatest", profile_statistics.mean_flow_greatest}};
    to["flow_bound"] = profile_statistics.flow_bound;
    to["mode_variance"] = profile_statistics.mode_variance;
  };
  add_velocity(statistics, json);  // for several profiles, the velocity of the first
  for (std::size_t p = 0; p < info.profiles.size(); ++p) {
    auto& profile = json["profiles"].emplace_back();
    profile["name"] = info.profiles[p].name;
    profile["depths"] = info.profiles[p].depths;
    add_velocity(all[p], profile);
  }
  json["variance_kept"] =
      info.variance_kept ? nlohmann::ordered_json(*info.variance_kept) : nlohmann::ordered_json();
  json["scalar"] = nullptr;
  if (info.has_scalar) {
    json["scalar"] = {{"long_name", info.scalar_long_name},
                      {"units", info.scalar_units},
                      {"least", statistics.scalar_least},
                      {"greatest", statistics.scalar_greatest}};
  }
  json["geographic"] = info.coordinates == Coordinates::geographic;
  if (const auto bounds = bounds_of(reader)) {
    const auto [west, south, east, north] = *bounds;
    json["bounds"] = {{"west", west}, {"south", south}, {"east", east}, {"north", north}};
  }
  json["projection"] = info.projection;
  json["source"] = info.source;
  json["history"] = info.history;
  json["comment"] = info.comment;
  return json;
}

}  // namespace tidewise
