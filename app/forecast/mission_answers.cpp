#include "app/forecast/mission_answers.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/error/codes.h"
#include "base/error.h"
#include "base/file/text_file.h"
#include "env/units/quantity.h"

namespace tidewise {

void add_answer_options(Command command, MissionAnswers& answers, bool other_names) {
  const auto name = [&](const char* option, const char* other) {
    return other_names ? std::string(option) + "," + other : std::string(option);
  };
  command
      .add_option(name(answer_options.from, "--start"), answers.from,
                  "Start: -45.1,12.3, 45.1W,12.3N or \"12 18.0N 45 06.0W\"; x,y without degrees")
      .type_name("LON,LAT");
  command.add_option(name(answer_options.to, "--target"), answers.to, "Target, in the same forms")
      .type_name("LON,LAT");
  command
      .add_option(name(answer_options.vehicle, "--preset"), answers.vehicle,
                  "Vehicle: " + describe_presets() + "; or its speed, e.g. 0.5m/s")
      .type_name("NAME|SPEED");
  command
      .add_option(name(answer_options.depart, "--time"), answers.depart,
                  "Departure: an ISO time (UTC) or now; a time level of an environment")
      .type_name("DATE|now");
  command
      .add_option(answer_options.deadline, answers.deadline,
                  "Deadline: an ISO time, or a duration after the departure, e.g. \"5 d\" "
                  "(default: the forecast's end, or five times the direct path in still water)")
      .type_name("DATE|DURATION");
  command
      .add_option(name(answer_options.dive, "--profile"), answers.dives,
                  "Depths of a dive [m], e.g. 0:200, or at:0 for the surface (default: the "
                  "vehicle's); of an environment a profile's name; repeatable")
      .type_name("A:B")
      .one_at_a_time();
  command.add_option("--u", answers.u, "The forecast's eastward velocity (as of env import)")
      .type_name("NAME");
  command.add_option("--v", answers.v, "The other component").type_name("NAME");
}

const char* first_given(const MissionAnswers& answers) {
  if (!answers.from.empty()) return answer_options.from;
  if (!answers.to.empty()) return answer_options.to;
  if (!answers.vehicle.empty()) return answer_options.vehicle;
  if (!answers.depart.empty()) return answer_options.depart;
  if (!answers.deadline.empty()) return answer_options.deadline;
  if (!answers.dives.empty()) return answer_options.dive;
  return nullptr;
}

void require_answers(const MissionAnswers& answers) {
  for (const auto& [option, text] :
       {std::pair{answer_options.from, &answers.from}, std::pair{answer_options.to, &answers.to},
        std::pair{answer_options.vehicle, &answers.vehicle},
        std::pair{answer_options.depart, &answers.depart}}) {
    if (text->empty()) throw input_error(errors::forecast_option_missing, option);
  }
}

double ChosenVehicle::greatest_speed() const {
  return *std::max_element(speeds.begin(), speeds.end());
}

ChosenVehicle parse_vehicle(const std::string& text) {
  if (const VehiclePreset* preset = find_preset(text)) return {preset, preset->speeds};
  const bool is_number =
      !text.empty() &&
      (std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.front() == '.');
  if (is_number) return {nullptr, {parse_speed(answer_options.vehicle, text)}};
  throw input_error(errors::preset_unknown, text, describe_presets(text));
}

bool holds_currents(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;
  const std::string beginning = read_beginning(file, 4);
  return beginning == "\x89HDF" || beginning.starts_with("CDF") || beginning == "GRIB";
}

}  // namespace tidewise
