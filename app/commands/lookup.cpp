#include "app/board/lookup.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/place_option.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/report/environment.h"
#include "app/report/options.h"
#include "app/report/pilot_words.h"
#include "app/report/surfacing.h"
#include "app/run/prediction.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "env/file/uncertainty_words.h"
#include "env/levels/level_dates.h"
#include "env/units/angle.h"
#include "env/units/quantity.h"
#include "output/json_number.h"
#include "planner/outputs/outputs.h"
#include "planner/run/flight_figures.h"
#include "planner/run/path.h"
#include "planner/run/recommend.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string policy;
  PlaceOptions at;
  std::string time;
  std::optional<std::int32_t> leg;
  std::optional<std::string> surfacing;
  std::optional<double> declination;  // [degrees] from true to magnetic north, east positive
  OutputFiles out;
  enum class Form { text, json } form = Form::text;
  PredictionOptions predictions;
  ReportOptions report;
  Overwrite overwrite = Overwrite::refused;
};

PolicyQuestion question_of(const Arguments& arguments) {
  if (!arguments.at.given()) {
    throw input_error(errors::lookup_place_missing);
  }
  const Position place = arguments.at.position();
  return {place.frame == Position::Frame::plane ? PolicyQuestion::Frame::plane
                                                : PolicyQuestion::Frame::geographic,
          place.first, place.second, arguments.time};
}

nlohmann::ordered_json index(std::int64_t value) {
  return value >= 0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

/// Refuses an invalid declination, and any declination without a true north to count from.
void validate_declination(const Arguments& arguments, const PolicyAnswer& answer) {
  if (!arguments.declination) return;
  if (!(std::abs(*arguments.declination) <= 180)) {
    throw input_error(errors::declination_invalid, *arguments.declination);
  }
  if (answer.action >= 0 && !std::isfinite(answer.bearing)) {
    throw input_error(errors::declination_without_north, arguments.policy);
  }
}

/// The bearing from magnetic north [degrees, 0 to 360).
double magnetic_bearing(double bearing, double declination) {
  const double turned = std::fmod(bearing - declination + 720, 360);
  return turned < 359.995 ? turned : 0;
}

/// True if a time [s since 1970] can be written as a date: finite and within some thousand years.
bool can_be_date(double time) { return std::abs(time) < 2.5e11; }

std::string no_surfacing_reason(const FlightsFromState& flights) {
  return flights.surfaces_after_end ? describe_plan_end(flights.end, flights.environment())
                                    : "fewer than five realizations";
}

nlohmann::ordered_json as_json(const PolicyAnswer& answer, const FlightsFromState* flights,
                               const Arguments& arguments) {
  nlohmann::ordered_json json{{"status", answer.status},
                              {"action", index(answer.action)},
                              {"heading", json_number(answer.heading)},
                              {"heading_deg_true", json_number(answer.bearing)},
                              {"bearing", json_number(answer.bearing)},
                              {"speed", json_number(answer.speed)},
                              {"time", json_number(answer.time)},
                              {"level", index(answer.level)},
                              {"x", json_number(answer.x)},
                              {"y", json_number(answer.y)},
                              {"row", index(answer.row)},
                              {"column", index(answer.column)}};
  if (arguments.declination) {
    json["heading_deg_magnetic"] =
        std::isfinite(answer.bearing)
            ? nlohmann::ordered_json(magnetic_bearing(answer.bearing, *arguments.declination))
            : nlohmann::ordered_json(nullptr);
    json["declination"] = *arguments.declination;
  }
  if (arguments.report.values == Values::shown) json["value"] = json_number(answer.value);
  if (!(answer.profile == EnvironmentProfile{})) {
    json["profile"] = {{"name", answer.profile.name}, {"depths", answer.profile.depths}};
  }
  if (answer.legs > 1) {
    json["leg"] = answer.leg + 1;
    json["legs"] = answer.legs;
  }
  if (std::isfinite(answer.hold_until)) json["hold_until"] = answer.hold_until;
  if (answer.has_date && can_be_date(answer.time)) json["date"] = format_date(answer.time);
  if (flights != nullptr) {
    json["uncertainty"] = uncertainty_word(flights->environment().info().uncertainty);
  }
  if (flights != nullptr && flights->surfacing) {
    json["surfacing"] =
        surfacing_to_json(*flights->surfacing, flights->environment(), flights->departure);
  } else if (flights != nullptr) {
    json["no_surfacing"] = no_surfacing_reason(*flights);
  }
  return json;
}

/// Text of a time: a date such as "28 Oct 2024 12:00 UTC", or a number in the environment's units.
std::string time_in_words(double time, const PolicyAnswer& answer) {
  if (answer.has_date && can_be_date(time)) return describe_short_date(time);
  return plain_number(time, 10);
}

/// The answer's time [s since 1970]; nullopt if times have no dates.
std::optional<double> date_of(const PolicyAnswer& answer) {
  if (!answer.has_date || !can_be_date(answer.time)) return std::nullopt;
  return answer.time;
}

/// The reason why there is no action, and the remedy.
std::string describe_refusal(const PolicyAnswer& answer) {
  const std::string& status = answer.status;
  const std::string span =
      fmt::format("the forecast is planned on from {} to {}", time_in_words(answer.first, answer),
                  time_in_words(answer.last, answer));
  if (status == "too early") return "no action: it is too early, " + span;
  if (status == "past the end" || status == "too late") return "no action: it is too late, " + span;
  if (status == "in target") return "there: the vehicle is in its target";
  if (status == "closed") {
    return "no action: land or an obstacle is there at this time; check position and clock";
  }
  if (status == "outside") return "no action: the place is outside of the plan's area";
  if (status == "beyond the window") {
    return "no action: the file holds a part of the plan's area, and the place is in another";
  }
  return "no action: the plan has none here";
}

FirstAction first_action(const PolicyAnswer& answer) {
  FirstAction action{answer.heading, answer.speed, {}, answer.profile};
  if (std::isfinite(answer.bearing)) action.bearing = answer.bearing;
  return action;
}

/// The next action and its end, arrival, window and probability, and the next surfacing: at most
/// four lines.
std::string describe_answer(const PolicyAnswer& answer, const FlightsFromState* flights,
                            std::optional<double> declination,
                            const std::optional<WindowCalibration>& calibration) {
  const Units units = answer.metric ? Units::metric : Units::nondimensional;
  std::string steering = describe_steering(first_action(answer), units);
  if (std::isfinite(answer.bearing) && declination) {
    steering +=
        fmt::format(", {:03.0f}° magnetic (declination {:.6g}° {})",
                    std::fmod(std::round(magnetic_bearing(answer.bearing, *declination)), 360),
                    std::abs(*declination), *declination < 0 ? "W" : "E");
  }
  double until = answer.hold_until;
  if (!std::isfinite(until) && flights != nullptr) {  // the next level
    const double step = flights->environment().info().time.step;
    until = answer.first + static_cast<double>(answer.level + 1) * step;
  }
  if (std::isfinite(until)) steering += ", until " + time_in_words(until, answer);
  steering = as_sentence(steering) + "\n";
  if (flights == nullptr) return steering;
  const EnvironmentInfo& info = flights->environment().info();
  const auto& keeping = flights->flown.keeping;
  const Outlook outlook = outlook_of(flights->flown, calibration);
  const std::string note = uncertainty_note(info.uncertainty);
  std::string text =
      (note.empty() ? "" : note + "\n") + steering +
      as_sentence(keeping ? describe_keeping(keeping->mean, keeping->is_distance, units)
                          : describe_outlook(outlook, date_of(answer),
                                             round_times(flights->flown, info), units)) +
      "\n";
  if (flights->surfacing) {
    text +=
        describe_next_surfacing(*flights->surfacing, flights->environment(), flights->departure);
  } else if (flights->surfaces_after_end) {
    text += fmt::format("Surfacing not known: {}.\n", no_surfacing_reason(*flights));
  }
  return text;
}

/// The figures of the flights, and of the next surfacing.
std::string describe_flights_from_state(const PolicyAnswer& answer, const FlightsFromState& flights,
                                        const std::optional<WindowCalibration>& calibration) {
  const bool calibrated = outlook_of(flights.flown, calibration).calibrated_on > 0;
  const std::string text = describe_flights(
      calibrated ? with_window(flights.flown, *calibration) : flights.flown, date_of(answer),
      round_times(flights.flown, flights.environment().info()), flights.objective, flights.energy,
      answer.metric ? Units::metric : Units::nondimensional);
  if (!flights.surfacing) return text;
  return text + describe_surfacing(*flights.surfacing, flights.environment(), flights.departure);
}

std::string describe_details(const PolicyAnswer& answer, Values values) {
  std::string text;
  if (answer.legs > 1) {
    text += report_line("leg", fmt::format("{} of {} (--leg)", answer.leg + 1, answer.legs));
  }
  if (answer.action >= 0) {
    text += report_line("action", fmt::format("{}", answer.action));
    if (std::isfinite(answer.bearing)) {
      text += report_line("bearing", fmt::format("{:.2f} degrees clockwise from true north",
                                                 answer.bearing < 359.995 ? answer.bearing : 0.0));
    }
    text += report_line("heading", fmt::format("{:.2f} degrees counter-clockwise from +x",
                                               answer.heading / radians_per_degree));
    if (std::isfinite(answer.value) && values == Values::shown) {
      text += report_line(
          "value", plain_number(answer.value, 6) + ", the expected total reward from here on");
    }
  }
  if (answer.column >= 0) {
    text += report_line("cell", fmt::format("column {}, row {}: x {:.6g}, y {:.6g}", answer.column,
                                            answer.row, answer.x, answer.y));
  }
  if (answer.level >= 0) {
    text += report_line("level",
                        fmt::format("{}, at {}", answer.level, time_in_words(answer.time, answer)));
  }
  return text + report_line("status", answer.status);
}

/// Simulates flights from the answer's place and time. nullopt, with the reason in `reason`, if the
/// run's environment is missing or the policy is a file for a vehicle.
std::optional<FlightsFromState> fly(const PolicyAnswer& answer, const std::filesystem::path& policy,
                                    const Arguments& arguments, const CommandContext& context,
                                    std::string& reason) {
  reason = "a file for a vehicle holds no forecast; ask the run";
  if (answer.action < 0 || is_board_policy(policy)) return std::nullopt;
  std::optional<double> surfacing;
  if (arguments.surfacing) {
    surfacing = parse_duration("--surfacing", *arguments.surfacing);
  }
  try {
    const auto progress = context.make_progress();
    return fly_from(policy, answer, surfacing, *progress);
  } catch (const InputError& error) {
    reason = error.text();
    return std::nullopt;
  }
}

/// The answer and, if requested, all figures after an empty line.
std::string as_text(const PolicyAnswer& answer, const FlightsFromState* flights,
                    const std::string& reason, const Arguments& arguments,
                    const std::optional<WindowCalibration>& calibration) {
  std::string text = answer.action < 0
                         ? as_sentence(describe_refusal(answer)) + "\n"
                         : describe_answer(answer, flights, arguments.declination, calibration);
  if (answer.action >= 0 && flights == nullptr) text += fmt::format("No simulation: {}.\n", reason);
  if (arguments.report.details == Details::hidden) return text;
  text += "\n";
  if (flights != nullptr) text += describe_flights_from_state(answer, *flights, calibration);
  return text + describe_details(answer, arguments.report.values);
}

void write_regions(const FlightsFromState* flights, const std::string& reason,
                   const std::string& file) {
  if (flights == nullptr || !flights->surfacing) {
    throw input_error(errors::lookup_regions_missing, file,
                      flights == nullptr ? reason : no_surfacing_reason(*flights));
  }
  write_text_file(
      file, surfacing_to_geojson(*flights->surfacing, flights->environment(), flights->departure)
                    .dump(2) +
                "\n");
}

void record(const Arguments& arguments, const std::filesystem::path& policy,
            const PolicyAnswer& answer, const FlightsFromState* flights, const std::string& reason,
            const std::optional<WindowCalibration>& calibration) {
  if (flights == nullptr) {
    throw input_error(errors::log_without_flights, policy.string(),
                      answer.action < 0 ? answer.status : reason);
  }
  nlohmann::ordered_json surfacing;
  if (flights->surfacing) {
    surfacing = surfacing_to_json(*flights->surfacing, flights->environment(), flights->departure);
  }
  arguments.predictions.record(
      {.problem = *flights->problem,
       .command = "lookup",
       .run = std::filesystem::absolute(policy).parent_path().lexically_normal(),
       .flights = flights->flights,
       .surfacing = std::move(surfacing),
       .recommended = {{"action", "go"}, {"first_action", to_json(first_action(answer))}},
       .calibration = calibration});
}

void validate_output(const Arguments& arguments, const std::filesystem::path& policy) {
  const std::string regions = arguments.out.with_ending(".geojson");
  if (regions.empty() && !arguments.predictions.has_log()) return;
  Outputs outputs(arguments.overwrite);
  if (is_board_policy(policy)) {
    outputs.add_input(policy);
  } else {
    const PolicyFile planned(policy);
    outputs.add_run_inputs(policy, mission_of(planned, {}));
  }
  outputs.add_output("--out", regions, geojson_kind());
  arguments.predictions.add_files(outputs);
  outputs.validate();
}

void run(const Arguments& arguments, const CommandContext& context) {
  PolicyQuestion question = question_of(arguments);
  const std::filesystem::path file = policy_path(arguments.policy);
  if (arguments.leg) {
    if (*arguments.leg < 1) {
      throw input_error(errors::leg_invalid, *arguments.leg);
    }
    if (is_board_policy(file)) {
      throw input_error(errors::lookup_single_leg, file.string());
    }
    question.leg = static_cast<std::size_t>(*arguments.leg - 1);
  }
  validate_output(arguments, file);
  const PolicyAnswer answer =
      is_board_policy(file) ? ask_on_board(file, question) : ask_run(file, question);
  validate_declination(arguments, answer);
  const bool is_json = arguments.form == Arguments::Form::json;
  const std::string regions = arguments.out.with_ending(".geojson");
  const bool needs_flights =
      arguments.surfacing || !regions.empty() || arguments.predictions.has_log();
  std::string reason;
  const auto flights = !is_json || needs_flights ? fly(answer, file, arguments, context, reason)
                                                 : std::optional<FlightsFromState>();
  const FlightsFromState* flown = flights ? &*flights : nullptr;
  if (flown != nullptr && arguments.surfacing) {
    (void)parse_surfacing(*arguments.surfacing, flown->environment().info());
  }
  if (flown != nullptr) arguments.predictions.validate(flown->environment());
  const auto calibration = arguments.predictions.calibration();
  if (arguments.predictions.has_log()) record(arguments, file, answer, flown, reason, calibration);
  if (!regions.empty()) write_regions(flown, reason, regions);
  if (is_json) {
    print_figures(as_json(answer, flown, arguments));
  } else {
    print("{}", as_text(answer, flown, reason, arguments, calibration));
  }
}

}  // namespace

void add_lookup(Command program, const Context& context) {
  Command command = program.add_command(
      "lookup", "Look up a policy's action at a place and a time",
      "Examples:\n  tidewise lookup runs/washington --at -125.8,47.2 --time "
      "2024-10-28T12:00Z\n"
      "  tidewise lookup runs/washington/export/policy.twp --at -125.8,47.2 --time "
      "1730116800 --json\n"
      "  tidewise lookup runs/double_gyre_time --at-xy 60.5,40.5 --time 10");
  Arguments& arguments = add_arguments(command, context, run);
  command
      .add_option("policy", arguments.policy,
                  "The folder of a run, its policy.h5, or a file of 'tidewise export --format "
                  "policy'")
      .required();
  arguments.at.add(command, "Vehicle position");
  command
      .add_option("--declination", arguments.declination,
                  "Also print the bearing from magnetic north. DEGREES: magnetic declination, "
                  "positive east")
      .type_name("DEGREES");
  command
      .add_option("--time", arguments.time,
                  "A date, such as 2024-10-28T12:00Z, or seconds since 1970; without dates, a time "
                  "of the environment")
      .required();
  command
      .add_option("--leg", arguments.leg,
                  "Present leg of a mission with via points (mission.via), counted from 1")
      .type_name("N");
  add_surfacing_option(command, arguments.surfacing);
  arguments.predictions.add(command);
  arguments.out.add(command, {".geojson"}, "Write these regions, for charts");
  command.add_flag(
      "--json", [&arguments] { arguments.form = Arguments::Form::json; },
      "Print JSON, for programs");
  add_report_flags(command, arguments.report);
  add_overwrite_flag(command, arguments.overwrite);
}

}  // namespace tidewise
