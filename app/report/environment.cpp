#include "app/report/environment.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/printable.h"

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

/// " m" or "": what follows a number.
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
  constexpr std::size_t most_named = 10;
  for (std::size_t m = 0; m < std::min(variance.size(), most_named); ++m) {
    text += fmt::format(" {:.1f}", 100 * variance[m] / total);
  }
  return text + (variance.size() > most_named ? " … %" : " %");
}

std::string describe_modes(const EnvironmentInfo& info) {
  if (!info.variance_kept) {
    return fmt::format("{}; how much variance they keep is not recorded", info.mode_count);
  }
  return fmt::format("{}, keeping {:.2f} % of the variance", info.mode_count,
                     100 * *info.variance_kept);
}

/// A text that somebody wrote into the file.
void add_text(std::string& report, std::string_view label, const std::string& text) {
  if (!text.empty()) report += report_line(label, shortened(text, most_of_echo));
}

}  // namespace

std::string report_line(std::string_view label, std::string_view text) {
  return fmt::format("{:<16}{}\n", label, shortened(on_one_line(text), most_of_message));
}

std::string describe_environment(const EnvironmentReader& reader,
                                 const EnvironmentStatistics& statistics) {
  const EnvironmentInfo& info = reader.info();
  std::string report = report_line("file", reader.path().string());
  add_text(report, "title", info.title);
  report += report_line("grid", describe_grid(info));
  report += report_line("times", describe_times(info));
  report += report_line("units", info.units == Units::metric ? "m, s, m s-1" : "non-dimensional");
  report += report_line("modes", describe_modes(info));
  report +=
      report_line("realizations", fmt::format("{}{}", info.realization_count,
                                              info.realization_weight.empty() ? "" : ", weighted"));
  report += report_line("obstacles",
                        fmt::format("{}; {:.2f} % of the cells are closed",
                                    obstacle_word(info.obstacles), 100 * statistics.closed_share));
  report += report_line(
      "mean flow", fmt::format("{:.4g}{} on average, {:.4g} at most", statistics.mean_flow_average,
                               unit(info, "m/s"), statistics.mean_flow_greatest));
  report += report_line("flow", describe_flow(info, statistics));
  report += report_line("variance", describe_variance(info, statistics));
  if (info.has_scalar) {
    report += report_line(
        "scalar", fmt::format("{} [{}], {:.4g} … {:.4g}", info.scalar_long_name, info.scalar_units,
                              statistics.scalar_least, statistics.scalar_greatest));
  } else {
    report += report_line("scalar", "none");
  }
  report += report_line("lon, lat", info.coordinates == Coordinates::geographic ? "there" : "none");
  add_text(report, "projection", info.projection);
  add_text(report, "source", info.source);
  add_text(report, "history", info.history);
  add_text(report, "comment", info.comment);
  return report;
}

std::string environment_as_json(const EnvironmentReader& reader,
                                const EnvironmentStatistics& statistics) {
  const EnvironmentInfo& info = reader.info();
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
  json["units"] = info.units == Units::metric ? "metric" : "non-dimensional";
  json["modes"] = info.mode_count;
  json["realizations"] = info.realization_count;
  json["weighted"] = !info.realization_weight.empty();
  json["obstacles"] = obstacle_word(info.obstacles);
  json["closed_share"] = statistics.closed_share;
  json["mean_flow"] = {{"average", statistics.mean_flow_average},
                       {"greatest", statistics.mean_flow_greatest}};
  json["flow_bound"] = statistics.flow_bound;
  json["mode_variance"] = statistics.mode_variance;
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
  json["projection"] = info.projection;
  json["source"] = info.source;
  json["history"] = info.history;
  json["comment"] = info.comment;
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace tidewise
