#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/cli/common_options.h"
#include "app/cli/environment_options.h"
#include "app/commands/commands.h"
#include "app/commands/env_import.h"
#include "app/error/codes.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/parallel/thread_count.h"
#include "base/printable.h"
#include "env/import/import_forecast.h"
#include "env/import/input_files.h"
#include "env/units/calendar_time.h"

namespace tidewise {
namespace {

/// Options as typed: quantities with units stay text until they are validated.
struct Arguments {
  ingest::ImportOptions options;
  std::string spacing;
  std::string step;
  std::string box;
  std::string from;
  std::string to;
  std::string steady;
  std::string components;
  std::string zeros;
  std::string sample;
  std::vector<std::string> profiles;
  std::string bottom_margin;
  std::string shallowest;
  std::string error_rms;
  std::string error_length;
  std::string error_time;
  Overwrite overwrite = Overwrite::refused;
};

/// Sets the value that a word stands for, if a word is given. `allowed`: list of words for errors.
template <class Choice, class Taken>
void take_word(const char* option, const std::string& word, const Words<Choice>& words,
               const char* allowed, Taken& target) {
  if (word.empty()) return;
  for (const auto& [known, choice] : words) {
    if (word == known) {
      target = choice;
      return;
    }
  }
  throw input_error(errors::option_value_invalid, option, fmt::format("\"{}\"", word),
                    fmt::format("be {}", allowed));
}

ingest::ImportOptions validated(const Arguments& arguments) {
  ingest::ImportOptions options = arguments.options;
  if (!arguments.spacing.empty()) options.spacing = parse_length("--spacing", arguments.spacing);
  if (!arguments.step.empty()) options.step = parse_duration("--step", arguments.step);
  if (!arguments.box.empty()) options.box = parse_bounding_box("--bbox", arguments.box);
  if (!arguments.from.empty()) options.from = parse_iso_time(arguments.from);
  if (!arguments.to.empty()) options.to = parse_iso_time(arguments.to);
  if (!arguments.steady.empty()) options.steady = parse_duration("--steady", arguments.steady);
  ingest::DiveRequest& dives = options.dives;
  for (const std::string& text : arguments.profiles) {
    dives.profiles.push_back(ingest::parse_profile(text));
  }
  if (!arguments.bottom_margin.empty()) {
    dives.bottom_margin = parse_length("--bottom-margin", arguments.bottom_margin);
  }
  if (!arguments.shallowest.empty()) {
    dives.shallowest = parse_length("--shallowest", arguments.shallowest);
  }
  if (dives.profiles.empty() &&
      !(arguments.bottom_margin.empty() && arguments.shallowest.empty())) {
    throw input_error(errors::dive_limits_without_profile);
  }
  if (!arguments.error_rms.empty()) {
    options.error_rms = parse_speed("--error-rms", arguments.error_rms);
  }
  if (!arguments.error_length.empty()) {
    options.error_length = parse_length("--error-length", arguments.error_length);
  }
  if (!arguments.error_time.empty()) {
    options.error_time = parse_duration("--error-time", arguments.error_time);
  }
  take_word<ingest::Components>(
      "--components", arguments.components,
      {{"east-north", ingest::Components::east_north}, {"grid", ingest::Components::grid}},
      "east-north (to true east and north) or grid (along the grid's own axes)",
      options.names.components);
  take_word<ingest::Zeros>(
      "--zeros", arguments.zeros, {{"land", ingest::Zeros::land}, {"water", ingest::Zeros::water}},
      "land or water: what points are where the velocity is 0 at every time", options.zeros);
  take_word<ingest::Sampling>(
      "--sample", arguments.sample,
      {{"mean", ingest::Sampling::mean}, {"begin", ingest::Sampling::begin}},
      "mean or begin: a level holds the flow's mean over its step, or the flow of its "
      "beginning",
      options.sample);
  return options;
}

void run(const Arguments& arguments, const CommandContext& context) {
  take_default_threads();
  const ingest::ImportOptions options = validated(arguments);
  validate_environment_output(options.out, arguments.overwrite, ingest::input_files(options));
  const auto progress = context.make_progress();
  const ingest::ImportReport report = ingest::import_forecast(options, *progress);
  print("{}\n", arguments.options.out.string());
  for (const auto& line : report.lines) print("  {}\n", on_one_line(line));
}

void add_names(Command command, Arguments& arguments) {
  ingest::SourceNames& names = arguments.options.names;
  command.add_option("--u", names.u,
                     "Variable of the eastward velocity, or of that along the grid's columns, or "
                     "FILE:NAME (default: detected)");
  command.add_option("--v", names.v, "Variable of the other component, in the same form");
  command.add_option("--components", arguments.components,
                     "Directions of both: east-north, or grid (along its axes); default: by the "
                     "file's standard_name");
  command.add_option("--lon", names.longitude, "Dimension or variable of longitude");
  command.add_option("--lat", names.latitude, "Dimension or variable of latitude");
  command.add_option("--time", names.time, "Dimension or variable of time");
  command.add_option("--time-units", names.time_units,
                     "Units of time in place of the file's, e.g. \"hours since 2020-01-01\"");
  command.add_option("--level", names.depth, "Dimension or variable of depth");
  command.add_option("--member", names.member,
                     "Dimension of the ensemble's members; or, with one file for each, the "
                     "variable or attribute with its number");
}

void add_window(Command command, Arguments& arguments) {
  ingest::ImportOptions& options = arguments.options;
  command.add_option("--depth", options.depth,
                     "Depth [m]; the nearest level is used (default: nearest to the surface)");
  command
      .add_option("--profile", arguments.profiles,
                  "Mean velocity over a dive instead of one level: NAME=0:1000 (metres, even), "
                  "NAME=at:1000, or NAME=FILE (CSV: from,to,share); repeatable")
      .type_name("NAME=DEPTHS")
      .one_at_a_time();
  command.add_option("--bottom-margin", arguments.bottom_margin,
                     "Distance of --profile dives from the bottom (default 10m)");
  command.add_option("--shallowest", arguments.shallowest,
                     "Minimum water depth for --profile; shallower cells are closed (default 20m)");
  command.add_option(
      "--bathymetry", options.dives.bathymetry,
      "Bathymetry for --profile, as FILE or FILE:NAME (default: the forecast's own)");
  command.add_option("--zeros", arguments.zeros,
                     "Points with zero velocity at all times: land (default), or water at rest");
  command.add_option("--bbox", arguments.box, "West,south,east,north [degrees] (default: all)");
  command.add_option("--from", arguments.from, "First time, e.g. 2024-10-29T00:00 (UTC)");
  command.add_option("--to", arguments.to, "Last time");
  command.add_option("--spacing", arguments.spacing,
                     "Cell size, e.g. 3km (default: the forecast's own, or a fraction of it if the "
                     "flow requires it)");
  command.add_option("--step", arguments.step,
                     "Time step, e.g. 3h (default: the forecast's own, or a fraction of it if the "
                     "flow requires it)");
  command.add_option("--vehicle-speed", options.vehicle_speed,
                     "Speed through the water [m/s] for the default --spacing and --step: 1.5 to 3 "
                     "cells in a step");
  command.add_option("--sample", arguments.sample,
                     "Flow of a level: the mean over its step (mean; default), or the flow at its "
                     "beginning (begin)");
  command.add_option("--steady", arguments.steady,
                     "Keep a field of a single time constant for this duration, e.g. 2d (levels "
                     "every hour, or --step)");
}

void add_ensemble(Command command, Arguments& arguments) {
  ingest::ImportOptions& options = arguments.options;
  command.add_option("--forecast-error", options.forecast_error,
                     "Add realizations of forecast error to one forecast: default (a guess from "
                     "its variability), or a TOML error model");
  command.add_option("--past", options.past,
                     "Or errors of earlier forecasts by lead time: one file for each forecast, or "
                     "a series of analyses (errors of persistence)");
  command.add_option("--error-rms", arguments.error_rms,
                     "Or explicitly: rms error of a velocity component, e.g. 0.15m/s");
  command.add_option("--error-length", arguments.error_length,
                     "Its correlation length L, e.g. 10km: correlation exp(-r²/(2L²))");
  command.add_option("--error-time", arguments.error_time, "Its e-folding time, e.g. 12h");
  command.add_option(
      "--lagged", options.lagged,
      "Make 2N+1 members of one forecast: copies of it from N steps earlier to N later, a measure "
      "of sensitivity to timing, not of forecast error");
  command.add_option("--modes", options.modes,
                     "Number of modes; with --variance or a forecast error, the maximum");
  command.add_option("--variance", options.variance,
                     "Share of variance to keep at every level (default 0.99 without --modes)");
  command.add_option("--realizations", options.realizations,
                     "Draw this many from the ensemble's Gaussian (default: the members), or of "
                     "the forecast error (default 100; with --past at most two for each date)");
  add_seed_option(command, options.seed, "Seed of --realizations");
}

void add_extras(Command command, ingest::ImportOptions& options) {
  command.add_option("--scalar", options.scalar,
                     "Scalar variable to include (ensemble mean), or FILE:NAME");
  command.add_option("--scalar-fill", options.scalar_fill,
                     "Its value in water where it is missing");
  command.add_option("--obstacles", options.obstacles,
                     "GeoJSON polygons to close; properties start and end are ISO times");
}

Command add_import(Command env) {
  return env.add_command(
      "import", "Convert a NetCDF forecast into an environment for planning",
      "Examples:\n"
      "  tidewise env import rtofs.nc --out env.h5 --spacing 3km --lagged 4\n"
      "  tidewise env import ensemble_*.nc --out env.h5 --bbox -127,46.5,-124,49.5 --variance "
      "0.95\n"
      "  tidewise env import --u grid_U.nc:vozocrtx --v grid_V.nc:vomecrty --out env.h5");
}

void add_options(Command command, Arguments& arguments) {
  command.add_option("files", arguments.options.files,
                     "NetCDF files of one forecast, split by time or member");
  add_window(command, arguments);
  add_ensemble(command, arguments);
  add_extras(command, arguments.options);
  add_names(command, arguments);
}

/// Splits a line into words; words with spaces are in quotes.
std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false;
  bool in_word = false;
  for (const char letter : line) {
    if (letter == '"') {
      quoted = !quoted;
      if (!in_word) words.emplace_back();
      in_word = true;
    } else if (letter == ' ' && !quoted) {
      in_word = false;
    } else {
      if (!in_word) words.emplace_back();
      in_word = true;
      words.back() += letter;
    }
  }
  return words;
}

/// Joins --scalar-file and --scalar, which were separate options up to version 0.1.
void join_scalar_file(std::vector<std::string>& words) {
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("--") && word.substr(2) == "scalar-file";
  });
  const auto scalar = std::find(words.begin(), words.end(), "--scalar");
  if (words.end() - option < 2 || words.end() - scalar < 2) return;
  scalar[1] = option[1] + ":" + scalar[1];
  words.erase(option, option + 2);
}

}  // namespace

std::optional<ingest::ImportOptions> imported_by(const std::string& history) {
  const std::string line = history.substr(0, history.find('\n'));
  if (!line.starts_with("tidewise env import ")) return {};
  auto words = split_words(line);
  join_scalar_file(words);
  std::vector<const char*> argv;
  argv.reserve(argv.size() + words.size());
  for (const std::string& word : words) argv.push_back(word.c_str());
  const Program program("tidewise", "", "");
  Arguments arguments;
  const Command command = add_import(program.add_group("env", "", ""));
  command.callback([] {});
  add_options(command, arguments);
  try {
    (void)program.parse(static_cast<int>(argv.size()), argv.data());
    return validated(arguments);
  } catch (const InputError& error) {
    throw input_error(errors::made_by_line_unreadable, line, error.text());
  }
}

std::string list_sources(const ingest::ImportOptions& import) {
  constexpr std::size_t max = 4;
  std::vector<std::string> names;
  names.reserve(import.files.size() + 2);
  for (const auto& file : import.files) names.push_back(shell_word(file.string()));
  for (const std::string& component : {import.names.u, import.names.v}) {
    const auto colon = component.rfind(':');
    if (colon == std::string::npos) continue;
    const std::string name = shell_word(component.substr(0, colon));
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  if (names.size() > max) names = {names.front(), "…", names.back()};
  const std::string bathymetry = import.dives.bathymetry.string();
  if (!bathymetry.empty()) names.push_back(shell_word(bathymetry.substr(0, bathymetry.rfind(':'))));
  return fmt::format("{}", fmt::join(names, " "));
}

void add_env_import(Command env, const Context& context) {
  const Command command = add_import(env);
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("--out", arguments.options.out, "The environment file to write").required();
  add_overwrite_flag(command, arguments.overwrite);
  add_options(command, arguments);
}

}  // namespace tidewise
