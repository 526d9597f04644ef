#include "env/import/import_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/import/calendar_time.h"

namespace tidewise {
namespace {

std::string members_text(const ImportOptions& options, const ImportPlan& plan,
                         const ImportFindings& findings) {
  if (options.lagged > 0) {
    return fmt::format(
        "{} members made by lagging one deterministic forecast: its fields from {} "
        "steps of {:.6g} s earlier to {} steps later",
        plan.member_count, options.lagged, findings.time_step, options.lagged);
  }
  return fmt::format("{} members of the forecast's own ensemble (dimension {})", plan.member_count,
                     findings.member_dimension);
}

std::string realizations_text(const ImportOptions& options) {
  if (!options.realizations) return "realizations are the members";
  return fmt::format(
      "{} realizations drawn from the Gaussian with the members' covariance (seed {})",
      *options.realizations, options.seed);
}

}  // namespace

std::string history_of(const ImportOptions& options) {
  std::string text = "tidewise env import";
  const auto add = [&](const char* option, const auto& value) {
    text += fmt::format(" {} {}", option, value);
  };
  const auto add_if = [&](const char* option, const auto& value) {
    if (value) add(option, *value);
  };
  const auto add_name = [&](const char* option, const std::string& value) {
    if (!value.empty()) add(option, value);
  };
  for (const auto& file : options.files) text += fmt::format(" {}", file.filename().string());
  add_name("--u", options.names.u);
  add_name("--v", options.names.v);
  add_name("--lon", options.names.longitude);
  add_name("--lat", options.names.latitude);
  add_name("--time", options.names.time);
  add_name("--level", options.names.depth);
  add_name("--member", options.names.member);
  add_if("--depth", options.depth);
  if (options.box) {
    const auto [west, south, east, north] = *options.box;
    add("--bbox", fmt::format("{},{},{},{}", west, south, east, north));
  }
  if (options.from) add("--from", format_iso_time(*options.from));
  if (options.to) add("--to", format_iso_time(*options.to));
  add_if("--spacing", options.spacing);
  add_if("--step", options.step);
  if (options.lagged > 0) add("--lagged", options.lagged);
  add_if("--modes", options.modes);
  add_if("--variance", options.variance);
  add_if("--realizations", options.realizations);
  if (options.realizations) add("--seed", options.seed);
  add_name("--scalar", options.scalar);
  if (options.scalar_file) add("--scalar-file", options.scalar_file->filename().string());
  add_if("--scalar-fill", options.scalar_fill);
  if (options.obstacles) add("--obstacles", options.obstacles->filename().string());
  return text;
}

std::string comment_of(const ImportOptions& options, const ImportPlan& plan,
                       const ImportFindings& findings) {
  std::string text =
      fmt::format("{}; {}. ", members_text(options, plan, findings), realizations_text(options));
  text += fmt::format(
      "Velocities {}, {} turned from east and north to the plane's axes, in true m "
      "s-1; linear in time, bilinear in space over wet points; a cell is land where "
      "the nearest source point is. Singular value decomposition level by level.",
      findings.u, findings.v);
  if (options.lagged > 0) {
    text +=
        " Lagged members show how the flow changes with time, which stands in for the forecast's "
        "uncertainty; they are no ensemble forecast.";
  }
  if (!options.scalar.empty()) {
    text += " The scalar is its ensemble mean at the level's own time.";
  }
  return text;
}

std::vector<std::string> report_lines(const ImportReport& report, const ImportOptions& options,
                                      const ImportPlan& plan, const ImportFindings& findings) {
  const EnvironmentInfo& info = report.info;
  const auto percent = [](double share) { return fmt::format("{:.3g} %", 100 * share); };
  std::vector<std::string> lines;
  lines.push_back(
      fmt::format("velocity: {}, {} ({})", findings.u, findings.v, findings.how_chosen));
  lines.push_back(fmt::format(
      "grid: {} × {} cells of {:.6g} m; lengths on the plane within {:.2g} % "
      "({})",
      info.grid.nx, info.grid.ny, info.grid.dx, 100 * findings.greatest_stretch, info.projection));
  lines.push_back(fmt::format("time: {} levels of {:.6g} s, {} to {}", info.time.level_count,
                              info.time.step, format_iso_time(plan.levels.front()),
                              format_iso_time(plan.levels.back())));
  lines.push_back(fmt::format("ensemble: {}; {}", members_text(options, plan, findings),
                              realizations_text(options)));
  const double least = *std::min_element(report.variance_kept.begin(), report.variance_kept.end());
  lines.push_back(
      fmt::format("modes: {} keep {:.4g} % of the variance ({:.4g} % at the worst level); "
                  "{} would keep all",
                  info.mode_count, 100 * *info.variance_kept, 100 * least, findings.full_rank));
  lines.push_back(fmt::format(
      "closed at the first level: {} land, {} outside the source, {} obstacles "
      "in the water; the mask is {}",
      percent(findings.land_share), percent(findings.outside_share),
      percent(findings.obstacle_share), info.obstacles == Obstacles::moving ? "moving" : "fixed"));
  if (options.obstacles) {
    lines.push_back(fmt::format("obstacles: {} of {} polygons close a cell at some level",
                                findings.obstacles_used, findings.obstacles));
  }
  if (info.has_scalar) {
    lines.push_back(fmt::format("scalar: {} [{}]", options.scalar, info.scalar_units));
  }
  return lines;
}

}  // namespace tidewise
