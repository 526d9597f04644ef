#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"
#include "planner/mission/read/presets.h"

namespace tidewise {

/// The facts of a mission, as typed. Empty: not given.
struct MissionAnswers {
  std::vector<std::string> files;  ///< files of a forecast, or one environment
  std::string from;
  std::string to;
  std::string vehicle;  ///< a preset, or a speed
  std::string depart;   ///< a date or "now"; for an environment also a level
  std::string deadline;
  std::string u;  ///< variables of the forecast's velocity
  std::string v;
  std::vector<std::string> dives;  ///< depths; for an environment names of its profiles
};

/// The names of the options of MissionAnswers, for messages.
struct AnswerOptions {
  const char* from = "--from";
  const char* to = "--to";
  const char* vehicle = "--vehicle";
  const char* depart = "--depart";
  const char* deadline = "--deadline";
  const char* dive = "--dive";
};
inline constexpr AnswerOptions answer_options{};

/// Adds --from, --to, --vehicle, --depart, --deadline and --dive. `other_names` adds the former
/// names of 'init': --start, --target, --preset, --time and --profile.
void add_answer_options(Command command, MissionAnswers& answers, bool other_names);

/// Name of the first option that was given; null if there is none.
const char* first_given(const MissionAnswers& answers);

/// Refuses answers without a start, a target, a vehicle or a departure. Errors: InputError.
void require_answers(const MissionAnswers& answers);

/// The vehicle: a preset or a speed.
struct ChosenVehicle {
  const VehiclePreset* preset = nullptr;  ///< null: a speed was typed
  std::vector<double> speeds;             ///< [m s-1]

  double greatest_speed() const;
  bool is_glider() const { return preset != nullptr && preset->deepest > 0; }
};

/// Parses the name of a preset, or a speed. Errors: InputError for other text.
ChosenVehicle parse_vehicle(const std::string& text);

/// True if a file is a forecast or an environment, by its first bytes: NetCDF, HDF5 or GRIB.
bool holds_currents(const std::string& file);

}  // namespace tidewise
