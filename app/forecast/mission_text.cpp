#include "app/forecast/mission_text.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/cli/place_option.h"
#include "base/error.h"
#include "env/levels/level_dates.h"
#include "env/units/depths.h"
#include "planner/mission/resolve/validation.h"

namespace tidewise {
namespace {

bool is_level(const std::string& text) {
  return text.find_first_not_of("0123456789.") == std::string::npos;
}

/// A level unchanged, other text in quotes.
std::string moment_text(const std::string& text) {
  return is_level(text) ? text : quote_toml(text);
}

/// The line of [vehicle] that names the profiles; empty if there are none.
std::string profiles_line(const std::vector<std::string>& profiles) {
  if (profiles.empty()) return {};
  std::vector<std::string> quoted;
  quoted.reserve(profiles.size());
  for (const std::string& name : profiles) quoted.push_back(quote_toml(name));
  return fmt::format("profiles = [{}]\n", fmt::join(quoted, ", "));
}

std::string vehicle_lines(const MissionAnswers& answers, Units units) {
  const ChosenVehicle vehicle = parse_vehicle(answers.vehicle);
  if (units != Units::metric) return "speeds = [1.0]               # in cells a step\n";
  const char* example =
      "# other keys of [vehicle] override it, for example:\n# speeds = [0.3, 0.5]  # [m/s]\n";
  if (vehicle.preset != nullptr) {
    return fmt::format("preset = {}\n# its figures: {}\n{}", quote_toml(answers.vehicle),
                       vehicle.preset->source, example);
  }
  return fmt::format("speeds = [{}]               # [m/s] through the water\n",
                     fmt::join(vehicle.speeds, ", "));
}

/// Duration of the longest dive in steps, rounded up, at least 1.
double steps_of_dive(const MissionAnswers& answers, const EnvironmentInfo& info) {
  if (info.units != Units::metric) return 1;
  const ChosenVehicle vehicle = parse_vehicle(answers.vehicle);
  if (!vehicle.is_glider()) return 1;
  double deepest = 0;
  for (const EnvironmentProfile& profile : info.profiles) {
    const bool is_used =
        answers.dives.empty() ||
        std::find(answers.dives.begin(), answers.dives.end(), profile.name) != answers.dives.end();
    if (is_used) deepest = std::max(deepest, deepest_of(profile.depths).value_or(0));
  }
  const double steps = std::ceil(2 * deepest / vehicle.preset->vertical_speed / info.time.step);
  return std::clamp(steps, 1.0, static_cast<double>(info.time.level_count - 1));
}

std::string decision_line(const MissionAnswers& answers, const EnvironmentInfo& info) {
  const double steps = steps_of_dive(answers, info);
  if (steps > 1) {
    return fmt::format("decide_every = {:<14.0f} # steps: the duration of a dive\n", steps);
  }
  return "# decide_every = \"6h\"        # a glider holds its heading for a dive\n";
}

}  // namespace

std::string mission_text(const MissionAnswers& answers, const EnvironmentReader& environment,
                         const std::string& file) {
  const EnvironmentInfo& info = environment.info();
  const bool geographic = info.coordinates == Coordinates::geographic;
  const auto place = [&](const char* option, const std::string& text) {
    const Position position = parse_position(
        option, text, geographic ? Position::Frame::geographic : Position::Frame::plane);
    return fmt::format("[{}, {}]", position.first, position.second);
  };
  const char* degrees = geographic ? "_lonlat" : "";
  const char* frame =
      geographic ? "degrees east, degrees north" : "x, y in the environment's units";
  const LevelDates dates(environment);
  return fmt::format(
      "# Written by tidewise. All keys: docs/missions.md.\n\n"
      "[environment]\nfile = {}\n\n"
      "[vehicle]\n{}{}\n"
      "[mission]\n"
      "objective = \"time\"          # fastest; or \"energy\", or \"arrival\" (safest)\n"
      "start{} = {}      # {}\n"
      "target{} = {}\n"
      "# target_radius = {:.6g}      # distance that counts as arrival; default: a cell\n"
      "departure = {}{}\n"
      "{}{}",
      quote_toml(file), vehicle_lines(answers, info.units), profiles_line(answers.dives), degrees,
      place(answer_options.from, answers.from), frame, degrees,
      place(answer_options.to, answers.to), info.grid.dx, moment_text(answers.depart),
      dates.known() ? fmt::format("  # the forecast: {} to {}", format_date(dates.first()),
                                  format_date(dates.last()))
                    : "",
      answers.deadline.empty() ? "# deadline = \"5 d\"           # default: the forecast's end\n"
                               : fmt::format("deadline = {}\n", moment_text(answers.deadline)),
      decision_line(answers, info));
}

std::string with_settings(const std::string& text, const std::vector<Setting>& settings) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  for (const Setting& setting : settings) {
    (void)parse_setting(setting);  // refuses an invalid setting
    const auto equals = setting.assignment.find('=');
    const std::string key = setting.assignment.substr(0, equals);
    std::string value = setting.assignment.substr(equals + 1);
    try {
      (void)parse_toml("value = " + value, setting.place);
    } catch (const InputError&) {
      value = quote_toml(value);
    }
    const auto dot = key.find('.');
    const std::string header = "[" + key.substr(0, dot) + "]";
    const std::string key_part = key.substr(dot + 1) + " = ";
    auto begin = std::find(lines.begin(), lines.end(), header);
    if (begin == lines.end()) {
      lines.insert(lines.end(), {"", header});
      begin = lines.end() - 1;
    }
    const auto next = std::find_if(begin + 1, lines.end(),
                                   [](const std::string& line) { return line.starts_with("["); });
    const auto kept_end = std::remove_if(
        begin + 1, next, [&](const std::string& line) { return line.starts_with(key_part); });
    const auto place = begin - lines.begin() + 1;
    lines.erase(kept_end, next);
    lines.insert(lines.begin() + place, key_part + value);
  }
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace tidewise
