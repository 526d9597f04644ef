#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "app/cli/place_option.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/file_set.h"
#include "env/file/profile_words.h"
#include "env/file/reader.h"
#include "env/levels/level_dates.h"
#include "planner/mission/read/file.h"
#include "planner/mission/read/presets.h"
#include "planner/mission/read/toml_document.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolution.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string out = "mission.toml";
  std::string environment;
  std::string start;
  std::string target;
  std::string time;
  std::string preset;
  std::vector<std::string> profiles;
};

/// What is to be known, and how it is asked for.
struct Question {
  const char* option;
  const char* text;
  std::string Arguments::*answer;
  const char* usual;  ///< the answer to an empty line; null: none
};

const std::vector<Question>& questions() {
  static const std::string vehicles = "which vehicle (" + describe_presets() + ")";
  static const std::vector<Question> all{
      {"--environment", "which environment (a file of 'tidewise env import')",
       &Arguments::environment, nullptr},
      {"--start", "from where (longitude,latitude; x,y where it has no degrees)", &Arguments::start,
       nullptr},
      {"--target", "to where", &Arguments::target, nullptr},
      {"--preset", vehicles.c_str(), &Arguments::preset, "slocum-g3"},
      {"--time", "when does it leave (a date, or a time level; empty: as the forecast begins)",
       &Arguments::time, "0"},
  };
  return all;
}

bool asks() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1; }

/// At a terminal what is not given is asked for; elsewhere it is refused, unless there is a usual
/// answer.
void complete(Arguments& arguments) {
  for (const Question& one : questions()) {
    std::string& answer = arguments.*one.answer;
    if (!answer.empty()) continue;
    if (asks()) {
      tell(fmt::format("{}{}: ", one.text,
                       one.usual == nullptr ? "" : fmt::format(" [{}]", one.usual)));
      std::getline(std::cin, answer);
    }
    if (answer.empty() && one.usual != nullptr) answer = one.usual;
    if (answer.empty()) {
      throw input_error(errors::init_argument_unknown, one.text, one.option);
    }
  }
}

/// Of an environment with several profiles the vehicle's have to be named.
void complete_profiles(const EnvironmentInfo& info, Arguments& arguments) {
  if (!arguments.profiles.empty() || info.profiles.size() < 2) return;
  const std::string names = fmt::format("{}", fmt::join(names_of(info.profiles), ", "));
  if (asks()) {
    tell(fmt::format("which profiles it dives, of {} (of several a plan chooses): ", names));
    std::string answer;
    std::getline(std::cin, answer);
    std::replace(answer.begin(), answer.end(), ',', ' ');
    std::istringstream words(answer);
    for (std::string name; words >> name;) arguments.profiles.push_back(name);
  }
  if (!arguments.profiles.empty()) return;
  throw input_error(errors::init_profile_needed, arguments.environment, names);
}

/// The line of [vehicle] that names them; nothing without.
std::string profiles_line(const std::vector<std::string>& profiles) {
  if (profiles.empty()) return {};
  std::vector<std::string> quoted;
  quoted.reserve(profiles.size());
  for (const std::string& name : profiles) quoted.push_back(quote_toml(name));
  return fmt::format("profiles = [{}]\n", fmt::join(quoted, ", "));
}

/// The mission, with a word on each line.
std::string write_mission(const Arguments& arguments, const EnvironmentReader& environment) {
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
  const VehiclePreset* preset = find_preset(arguments.preset);
  if (preset == nullptr) {
    throw input_error(errors::preset_unknown, arguments.preset, describe_presets(arguments.preset));
  }
  const bool metric = info.units == Units::metric;
  const std::string vehicle =
      metric ? fmt::format(
                   "preset = {}\n# its figures: {}\n"
                   "# keys beside it prevail, for example:\n# speeds = [0.3, 0.5]  # [m/s]\n",
                   quote_toml(arguments.preset), preset->source)
             : std::string("speeds = [1.0]               # in cells a step\n");
  const LevelDates dates(environment);
  const bool is_number = arguments.time.find_first_not_of("0123456789.") == std::string::npos;
  return fmt::format(
      "# Written by 'tidewise init'. All keys: docs/missions.md.\n\n"
      "[environment]\nfile = {}\n\n"
      "[vehicle]\n{}{}\n"
      "[mission]\n"
      "objective = \"time\"          # the fastest way; or \"energy\", or \"arrival\", the surest\n"
      "start{} = {}      # {}\n"
      "target{} = {}\n"
      "# target_radius = {:.6g}      # how near has arrived; a cell's width if not given\n"
      "departure = {}{}\n"
      "# deadline = \"5 d\"           # when time is up; the forecast's end if not given\n"
      "# decide_every = \"6h\"        # a glider that dives so long holds its heading\n",
      quote_toml(fs::absolute(arguments.environment).lexically_normal().string()), vehicle,
      profiles_line(arguments.profiles), degrees, place("--start", arguments.start), frame, degrees,
      place("--target", arguments.target), info.grid.dx,
      is_number ? arguments.time : quote_toml(arguments.time),
      dates.known() ? fmt::format("  # the forecast: {} to {}", format_date(dates.first()),
                                  format_date(dates.last()))
                    : "");
}

void run(const Arguments& given, const CommandContext&) {
  Arguments arguments = given;
  std::error_code ignored;
  if (fs::exists(arguments.out, ignored)) {
    throw input_error(errors::init_output_exists, arguments.out);
  }
  complete(arguments);
  const EnvironmentReader environment(arguments.environment);
  complete_profiles(environment.info(), arguments);
  const std::string text = write_mission(arguments, environment);
  // What 'check' would refuse is refused before there is a file.
  const RunRequest request = parse_mission(text, arguments.out);
  (void)resolve_mission(request, open_environment(request));
  FileSet files;
  files.add_text(arguments.out, text);
  files.commit_new();
  const std::string out = shell_word(arguments.out);
  print("written {}\n\nnext:\n  tidewise check {}\n  tidewise plan {}\n", arguments.out, out, out);
}

}  // namespace

void add_init(Command program, const Context& context) {
  Command command = program.add_command(
      "init", "Write a mission file, with a word on each line; at a terminal it asks",
      "Examples:\n  tidewise init\n"
      "  tidewise init --environment washington.h5 --preset slocum-g3 --start=-126.0,46.8 "
      "--target=-124.95,48.45 --time 2024-10-28T15:00Z");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("--environment", arguments.environment, "The forecast, as an environment")
      .type_name("FILE");
  command.add_option("--start", arguments.start, "Where it starts; x and y without degrees")
      .type_name("LON,LAT");
  command.add_option("--target", arguments.target, "Where it is to go").type_name("LON,LAT");
  command.add_option("--preset", arguments.preset, "The vehicle: " + describe_presets())
      .type_name("NAME");
  command
      .add_option("--profile", arguments.profiles,
                  "A profile of the environment that it dives (env import --profile); of several "
                  "a plan chooses one with each action; repeatable")
      .type_name("NAME")
      .one_at_a_time();
  command
      .add_option("--time", arguments.time,
                  "When it leaves: a date, or a time level; as the forecast begins if not given")
      .type_name("K|DATE");
  command.add_option("--out", arguments.out, "The mission file").show_default();
}

}  // namespace tidewise
