#include "app/board/lookup.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/commands.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "env/levels/level_dates.h"
#include "env/units/angle.h"
#include "output/json_number.h"
#include "planner/run/path.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string policy;
  std::optional<double> x, y, longitude, latitude;
  std::string time;
  std::optional<std::int32_t> leg;
  enum class Form { text, json } form = Form::text;
};

PolicyQuestion question_of(const Arguments& arguments) {
  for (const auto& number : {arguments.x, arguments.y, arguments.longitude, arguments.latitude}) {
    if (!number || std::isfinite(*number)) continue;
    throw InputError(fmt::format("lookup: {} is no place; give numbers that are finite", *number));
  }
  const bool plane = arguments.x || arguments.y;
  const bool geographic = arguments.longitude || arguments.latitude;
  if (plane && geographic) {
    throw InputError("lookup: --x and --y are another place than --lon and --lat; give one pair");
  }
  if (arguments.x && arguments.y) {
    return {PolicyQuestion::Frame::plane, *arguments.x, *arguments.y, arguments.time, 0};
  }
  if (arguments.longitude && arguments.latitude) {
    if (std::abs(*arguments.latitude) > 90 || std::abs(*arguments.longitude) > 360) {
      throw InputError(fmt::format(
          "lookup: there is no longitude {} with latitude {}; give --lon east and --lat north",
          *arguments.longitude, *arguments.latitude));
    }
    return {PolicyQuestion::Frame::geographic, *arguments.longitude, *arguments.latitude,
            arguments.time};
  }
  throw InputError(plane || geographic
                       ? "lookup: a place is two numbers; give both --lon and --lat, or --x and --y"
                       : "lookup: nothing says where; give --lon and --lat, or --x and --y");
}

nlohmann::ordered_json index(std::int64_t value) {
  return value >= 0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

/// Whether a time [s since 1970] is a date that can be written: no NaN, and some years from now.
bool has_date_of(double time) { return std::abs(time) < 2.5e11; }

std::string as_json(const PolicyAnswer& answer) {
  nlohmann::ordered_json json{{"status", answer.status},
                              {"action", index(answer.action)},
                              {"heading", json_number(answer.heading)},
                              {"bearing", json_number(answer.bearing)},
                              {"speed", json_number(answer.speed)},
                              {"value", json_number(answer.value)},
                              {"time", json_number(answer.time)},
                              {"level", index(answer.level)},
                              {"x", json_number(answer.x)},
                              {"y", json_number(answer.y)},
                              {"row", index(answer.row)},
                              {"column", index(answer.column)}};
  if (answer.legs > 1) {
    json["leg"] = answer.leg + 1;
    json["legs"] = answer.legs;
  }
  if (std::isfinite(answer.hold_until)) json["hold_until"] = answer.hold_until;
  if (answer.has_date && has_date_of(answer.time)) json["date"] = format_date(answer.time);
  return json.dump(2);
}

std::string as_text(const PolicyAnswer& answer) {
  std::string text = fmt::format("status   {}\n", answer.status);
  if (answer.legs > 1) {
    text += fmt::format("leg      {} of {} (--leg)\n", answer.leg + 1, answer.legs);
  }
  if (answer.action >= 0) {
    text += fmt::format("action   {}\n", answer.action);
    text += fmt::format("speed    {:.6g}{}\n", answer.speed, answer.metric ? " m/s" : "");
    if (std::isfinite(answer.bearing)) {
      text += fmt::format("bearing  {:.2f} degrees clockwise from true north\n",
                          answer.bearing < 359.995 ? answer.bearing : 0.0);
    }
    text += fmt::format("heading  {:.2f} degrees counter-clockwise from +x\n",
                        answer.heading / radians_per_degree);
    if (std::isfinite(answer.hold_until)) {
      text += fmt::format("hold     until {}\n", answer.has_date && has_date_of(answer.hold_until)
                                                     ? format_date(answer.hold_until)
                                                     : fmt::format("{:.10g}", answer.hold_until));
    }
    if (std::isfinite(answer.value)) {
      text +=
          fmt::format("value    {:.6g}, the expected total reward from here on\n", answer.value);
    }
  }
  if (answer.column >= 0) {
    text += fmt::format("cell     column {}, row {}: x {:.6g}, y {:.6g}\n", answer.column,
                        answer.row, answer.x, answer.y);
  }
  if (answer.level >= 0) {
    text += fmt::format(
        "level    {}{}\n", answer.level,
        answer.has_date && has_date_of(answer.time) ? ", at " + format_date(answer.time) : "");
  }
  return text;
}

void run(const Arguments& arguments, const CommandContext&) {
  PolicyQuestion question = question_of(arguments);
  const std::filesystem::path file = policy_path(arguments.policy);
  if (arguments.leg) {
    if (*arguments.leg < 1) {
      throw InputError(fmt::format("--leg {}: legs are counted from 1", *arguments.leg));
    }
    if (is_board_policy(file)) {
      throw InputError(
          fmt::format("--leg: {} holds one leg; ask the file of that leg", file.string()));
    }
    question.leg = static_cast<std::size_t>(*arguments.leg - 1);
  }
  const PolicyAnswer answer =
      is_board_policy(file) ? ask_on_board(file, question) : ask_run(file, question);
  print("{}", arguments.form == Arguments::Form::json ? as_json(answer) + "\n" : as_text(answer));
}

}  // namespace

void add_lookup(Command program, const Context& context) {
  Command command = program.add_command(
      "lookup", "Ask a policy what to do at a place and a time",
      "Examples:\n  tidewise lookup runs/washington --lon -125.8 --lat 47.2 --time "
      "2024-10-28T12:00Z\n"
      "  tidewise lookup runs/washington/export/policy.twp --lon -125.8 --lat 47.2 --time "
      "1730116800 --json\n"
      "  tidewise lookup runs/double_gyre_time --x 60.5 --y 40.5 --time 10");
  Arguments& arguments = add_arguments(command, context, run);
  command
      .add_option("policy", arguments.policy,
                  "The folder of a run, its policy.h5, or a file of 'tidewise export --format "
                  "policy'")
      .required();
  command.add_option("--lon", arguments.longitude, "Longitude, degrees east");
  command.add_option("--lat", arguments.latitude, "Latitude, degrees north");
  command.add_option("--x", arguments.x, "x in the environment's plane and units");
  command.add_option("--y", arguments.y, "y");
  command
      .add_option("--time", arguments.time,
                  "A date, such as 2024-10-28T12:00Z, or seconds since 1970; where the environment "
                  "has no dates, its own time")
      .required();
  command
      .add_option("--leg", arguments.leg,
                  "Of a mission that passes places (mission.via): the leg that the vehicle is on, "
                  "from 1")
      .type_name("N");
  command.add_flag(
      "--json", [&arguments] { arguments.form = Arguments::Form::json; },
      "Print JSON, for programs");
}

}  // namespace tidewise
