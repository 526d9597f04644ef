#include "env/import/import_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/import/source_description.h"
#include "env/import/time/hours_text.h"
#include "env/units/calendar_time.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

std::string members_text(const ImportOptions& options, const ImportPlan& plan,
                         const ImportFindings& findings) {
  if (options.lagged > 0) {
    const std::string steps = counted(static_cast<std::size_t>(options.lagged), "step");
    return fmt::format(
        "{} members made by lagging one deterministic forecast: its fields from {} "
        "of {:.6g} s earlier to {} later",
        plan.member_count, steps, findings.time_step, steps);
  }
  if (options.adds_error()) return "one deterministic forecast";
  if (plan.member_count == 1) {
    return "one deterministic forecast as the only realization, taken as certain";
  }
  return fmt::format("{} members of the forecast's own ensemble ({})", plan.member_count,
                     findings.members_by);
}

std::string realizations_text(const ImportReport& report, const ImportOptions& options,
                              const ImportPlan& plan) {
  if (!options.past.empty()) {
    return fmt::format("{} realizations with errors of earlier forecasts are added",
                       report.info.realization_count);
  }
  if (options.adds_error()) {
    return fmt::format("{} realizations of its error are added (seed {})",
                       report.info.realization_count, options.seed);
  }
  if (plan.member_count == 1) return "it gives no probabilities (--forecast-error adds its error)";
  if (!options.realizations) return "realizations are the members";
  return fmt::format(
      "{} realizations drawn from the Gaussian with the members' covariance (seed {})",
      *options.realizations, options.seed);
}

/// FILE:NAME without the file's folders.
std::string component_without_folder(const std::string& component) {
  const ComponentName parts = parse_component("", component);
  return parts.file ? parts.file->filename().string() + ":" + parts.name : component;
}

/// The last part of an option's value, which may be the path of a file.
std::string path_without_folder(const std::string& text) {
  return text.substr(text.rfind('/') + 1);
}

/// A word in quotes if the shell would split it.
std::string as_word(const std::string& text) {
  return text.find(' ') == std::string::npos ? text : "\"" + text + "\"";
}

std::string modes_text(const ImportReport& report, const ImportPlan& plan,
                       const ImportFindings& findings) {
  if (!findings.error.empty()) return findings.error;
  if (plan.member_count == 1) return "modes: none are needed; the file holds one, of zeros";
  const auto count = static_cast<std::size_t>(report.info.mode_count);
  const double min = *std::min_element(report.variance_kept.begin(), report.variance_kept.end());
  return fmt::format(
      "modes: {} keep{} {:.4g} % of the variance ({:.4g} % at the worst level); "
      "{} would keep all",
      count, count == 1 ? "s" : "", 100 * *report.info.variance_kept, 100 * min,
      findings.full_rank);
}

}  // namespace

std::string history_of(const ImportOptions& options) {
  std::string text = "tidewise env import";
  const auto add = [&](const char* option, const auto& value) {
    text += fmt::format(" {} {}", option, as_word(fmt::format("{}", value)));
  };
  const auto add_if = [&](const char* option, const auto& value) {
    if (value) add(option, *value);
  };
  const auto add_name = [&](const char* option, const std::string& value) {
    if (!value.empty()) add(option, value);
  };
  for (const auto& file : options.files) text += " " + as_word(file.filename().string());
  add_name("--u", component_without_folder(options.names.u));
  add_name("--v", component_without_folder(options.names.v));
  add_name("--lon", options.names.longitude);
  add_name("--lat", options.names.latitude);
  add_name("--time", options.names.time);
  add_name("--level", options.names.depth);
  add_name("--member", options.names.member);
  add_name("--time-units", options.names.time_units);
  if (options.names.components) {
    add("--components", options.names.components == Components::grid ? "grid" : "east-north");
  }
  if (options.zeros == Zeros::water) add("--zeros", "water");
  add_if("--depth", options.depth);
  const DiveRequest& dives = options.dives;
  for (const Profile& profile : dives.profiles)
    add("--profile", profile.name + "=" + profile.depths);
  if (!dives.profiles.empty()) {
    add("--bottom-margin", fmt::format("{}m", dives.bottom_margin));
    add("--shallowest", fmt::format("{}m", dives.shallowest));
    add_name("--bathymetry", path_without_folder(dives.bathymetry.string()));
  }
  if (options.box) {
    const auto [west, south, east, north] = *options.box;
    add("--bbox", fmt::format("{},{},{},{}", west, south, east, north));
  }
  if (options.from) add("--from", format_iso_time(*options.from));
  if (options.to) add("--to", format_iso_time(*options.to));
  add_if("--spacing", options.spacing);
  add_if("--step", options.step);
  add_if("--vehicle-speed", options.vehicle_speed);
  if (options.sample == Sampling::begin) add("--sample", "begin");
  add_if("--steady", options.steady);
  if (options.lagged > 0) add("--lagged", options.lagged);
  add_if("--modes", options.modes);
  add_if("--variance", options.variance);
  add_if("--realizations", options.realizations);
  if (!options.past.empty()) text += " --past";
  for (const auto& file : options.past) text += " " + as_word(file.filename().string());
  add_name("--forecast-error", path_without_folder(options.forecast_error));
  if (options.error_rms) add("--error-rms", fmt::format("{}m/s", *options.error_rms));
  if (options.error_length) add("--error-length", fmt::format("{}m", *options.error_length));
  if (options.error_time) add("--error-time", fmt::format("{}s", *options.error_time));
  if (options.past.empty() && (options.realizations || options.adds_error())) {
    add("--seed", options.seed);
  }
  add_name("--scalar", component_without_folder(options.scalar));
  add_if("--scalar-fill", options.scalar_fill);
  if (options.obstacles) add("--obstacles", options.obstacles->filename().string());
  return text;
}

std::string comment_of(const ImportReport& report, const ImportOptions& options,
                       const ImportPlan& plan, const ImportFindings& findings) {
  std::string text = fmt::format("{}; {}. ", members_text(options, plan, findings),
                                 realizations_text(report, options, plan));
  for (const std::string& error : {findings.error, findings.past_error}) {
    if (!error.empty()) text += error + ". ";
  }
  text += fmt::format(
      "Velocities {}, {} turned from east and north to the plane's axes, in true m "
      "s-1; linear in time, bilinear in space over wet points; a cell is land where "
      "the nearest source point is.",
      findings.u, findings.v);
  if (findings.error.empty()) text += " Singular value decomposition level by level.";
  if (options.lagged > 0) {
    text +=
        " Lagged members show how much plans depend on the timing of the flow; they carry no "
        "forecast "
        "error.";
  }
  if (!options.steady) {
    text += fmt::format(
        " Levels are {} apart, the source's times {}: each holds {}.", hours_text(plan.step),
        hours_text(findings.time_step),
        plan.parts_of_step > 0 ? "the mean flow of its step" : "the flow of its own time");
  }
  if (options.steady) text += " One field is held at all levels, as if the flow were steady.";
  if (!options.dives.profiles.empty()) {
    text += fmt::format(
        " Velocities are means over the depths of a dive, linear between the source's levels; a "
        "dive ends {:.6g} m above the bottom, and water of less than {:.6g} m is closed.",
        options.dives.bottom_margin, options.dives.shallowest);
  }
  if (!options.scalar.empty()) text += " The scalar is its ensemble mean at the level's own time.";
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
  if (options.lagged > 0) {
    const std::string lost_time = hours_text(plan.lags.back());
    lines.push_back(fmt::format(
        "lagged: the first {} and the last {} of the forecast are lost to the shifts; a smaller "
        "--lagged loses less",
        lost_time, lost_time));
  }
  if (plan.held_at_end >= 0.5) {
    lines.push_back(fmt::format(
        "time: the source's last field is {:.0f} s before the last level, and is held until then",
        plan.held_at_end));
  }
  const ChosenFineness chosen{info.time.step, double(info.time.level_count), info.grid.dx};
  for (const auto& line :
       {cells_text(options, findings, chosen), step_text(options, findings, chosen)}) {
    if (!line.empty()) lines.push_back(line);
  }
  if (options.sample == Sampling::begin && !options.steady) {
    lines.push_back("sample: each level holds the flow of its own time, not of its step");
  }
  if (options.steady) lines.push_back("steady: the field of one time is held at all levels");
  lines.push_back(fmt::format("ensemble: {}; {}", members_text(options, plan, findings),
                              realizations_text(report, options, plan)));
  if (!findings.past_error.empty()) lines.push_back(findings.past_error);
  lines.push_back(modes_text(report, plan, findings));
  for (std::size_t p = 0; p < info.profiles.size() && plan.member_count > 1; ++p) {
    lines.push_back(fmt::format("modes: they keep {:.4g} % of the variance of profile {}",
                                100 * report.profile_kept[p], info.profiles[p].name));
  }
  lines.push_back(fmt::format(
      "closed at the first level: {} land, {} outside the source, {} obstacles "
      "in the water; the mask is {}",
      percent(findings.land_share), percent(findings.outside_share),
      percent(findings.obstacle_share), info.obstacles == Obstacles::moving ? "moving" : "fixed"));
  if (info.profiles.size() > 1) {
    lines.back() += fmt::format("; of profile {}", info.profiles.front().name);
  }
  if (options.obstacles) {
    lines.push_back(fmt::format("obstacles: {} of {} polygons close a cell at some level",
                                findings.obstacles_used, findings.obstacles));
    if (!findings.obstacles_across_180.empty()) {
      lines.push_back("obstacles: " + findings.obstacles_across_180);
    }
  }
  if (info.has_scalar) {
    lines.push_back(fmt::format("scalar: {} [{}]", component_without_folder(options.scalar),
                                info.scalar_units));
  }
  return lines;
}

}  // namespace tidewise::ingest
