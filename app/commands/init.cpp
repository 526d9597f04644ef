#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "app/cli/environment_options.h"
#include "app/cli/place_option.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/forecast/conversion.h"
#include "app/forecast/mission_answers.h"
#include "app/forecast/mission_text.h"
#include "app/report/place_words.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/file_set.h"
#include "base/printable.h"
#include "env/file/profile_words.h"
#include "env/file/reader.h"
#include "env/levels/level_dates.h"
#include "planner/mission/read/file.h"
#include "planner/mission/read/presets.h"
#include "planner/mission/read/time_values.h"
#include "planner/mission/read/toml_document.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolution.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string out = "mission.toml";
  std::string environment;
  MissionAnswers answers;
};

bool is_interactive() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1; }

/// A question, its prompt, and the function that refuses an answer (InputError).
struct Question {
  const char* option;
  std::string text;
  std::string* answer;
  std::string default_answer;  ///< the answer to an empty line; empty: none
  std::function<void(const std::string&)> validate;
};

/// Prompts for a missing answer at a terminal, again after an answer that is refused. Elsewhere
/// takes the default answer, or refuses if there is none.
void complete(const Question& question) {
  std::string& answer = *question.answer;
  const bool is_prompted = answer.empty() && is_interactive();
  for (;;) {
    bool has_ended = false;
    if (is_prompted) {
      print_to_stderr(fmt::format(
          "{}{}: ", question.text,
          question.default_answer.empty() ? "" : fmt::format(" [{}]", question.default_answer)));
      has_ended = !std::getline(std::cin, answer);
    }
    if (answer.empty()) answer = question.default_answer;
    if (answer.empty() && (!is_prompted || has_ended)) {
      throw input_error(errors::init_argument_unknown, question.text, question.option);
    }
    try {
      if (answer.empty()) continue;
      question.validate(answer);
      return;
    } catch (const InputError& error) {
      if (!is_prompted || has_ended) throw;
      print_to_stderr(fmt::format("{}\n", on_one_line(error.text())));
      answer.clear();
    }
  }
}

void require_water(const SurveyedForecast& forecast, const char* option, const std::string& text) {
  const GeographicPoint place = parse_place_within(forecast.survey, option, text);
  if (ingest::is_water(forecast.import, forecast.survey, place)) return;
  throw input_error(errors::place_on_land, option, text,
                    describe_degrees(place.longitude, place.latitude));
}

const char* const place_question = "(longitude,latitude, e.g. -45.1,12.3 or 45.1W,12.3N)";

void complete_in_forecast(const SurveyedForecast& forecast, MissionAnswers& answers) {
  const auto& survey = forecast.survey;
  const auto water_check = [&](const char* option) {
    return [&forecast, option](const std::string& text) { require_water(forecast, option, text); };
  };
  complete({answer_options.from, fmt::format("start {}", place_question), &answers.from, "",
            water_check(answer_options.from)});
  complete({answer_options.to, "target", &answers.to, "", water_check(answer_options.to)});
  complete({answer_options.vehicle, fmt::format("vehicle ({}; or its speed)", describe_presets()),
            &answers.vehicle, "slocum-g3",
            [](const std::string& text) { (void)parse_vehicle(text); }});
  complete({answer_options.depart, "departure (UTC, or now)", &answers.depart,
            format_date(survey.times.front()),
            [&](const std::string& text) { (void)parse_departure_within(survey, text); }});
}

/// Completes the profiles, which must be named if the environment has several.
void complete_profiles(const EnvironmentInfo& info, const std::string& file,
                       std::vector<std::string>& profiles) {
  if (!profiles.empty() || info.profiles.size() < 2) return;
  const std::string names = fmt::format("{}", fmt::join(names_of(info.profiles), ", "));
  if (is_interactive()) {
    print_to_stderr(
        fmt::format("which profiles it dives, of {} (of several a plan chooses): ", names));
    std::string answer;
    std::getline(std::cin, answer);
    std::replace(answer.begin(), answer.end(), ',', ' ');
    std::istringstream words(answer);
    for (std::string name; words >> name;) profiles.push_back(name);
  }
  if (!profiles.empty()) return;
  throw input_error(errors::init_profile_needed, file, names);
}

void complete_in_environment(const EnvironmentReader& environment, MissionAnswers& answers) {
  const bool geographic = environment.info().coordinates == Coordinates::geographic;
  const auto place_check = [&](const char* option) {
    return [=](const std::string& text) {
      (void)parse_position(option, text,
                           geographic ? Position::Frame::geographic : Position::Frame::plane);
    };
  };
  complete({answer_options.from, fmt::format("start {}", geographic ? place_question : "(x,y)"),
            &answers.from, "", place_check(answer_options.from)});
  complete({answer_options.to, "target", &answers.to, "", place_check(answer_options.to)});
  complete({answer_options.vehicle, fmt::format("vehicle ({}; or its speed)", describe_presets()),
            &answers.vehicle, "slocum-g3",
            [](const std::string& text) { (void)parse_vehicle(text); }});
  complete({answer_options.depart, "departure (a date, or a time level)", &answers.depart, "0",
            [](const std::string& text) { (void)parse_moment(answer_options.depart, text); }});
  complete_profiles(environment.info(), answers.files.front(), answers.dives);
}

/// Writes the mission, and the environment if a forecast was converted.
void write(const Arguments& arguments, const MissionAnswers& answers,
           const EnvironmentReader& environment, const std::string& file) {
  const std::string text = mission_text(answers, environment, file);
  // Runs the checks of 'check' before any file is written.
  const Setting absolute("environment.file=" + quote_toml(environment.path().string()));
  const RunRequest request = parse_mission(text, arguments.out, {absolute});
  (void)resolve_mission(request, open_environment(request));
  FileSet files;
  files.add_text(arguments.out, text);
  files.commit_new();
  const std::string out = shell_word(arguments.out);
  print("written {}\n\nnext:\n  tidewise check {}\n  tidewise plan {}\n", arguments.out, out, out);
}

void convert_and_write(const Arguments& arguments, MissionAnswers answers,
                       const CommandContext& context) {
  fs::path environment = fs::absolute(arguments.out);
  environment.replace_extension(".h5");
  validate_environment_output(environment, Overwrite::refused,
                              {answers.files.begin(), answers.files.end()});
  std::error_code ignored;
  if (fs::exists(environment, ignored)) {
    throw input_error(errors::init_output_exists, environment.string());
  }
  const SurveyedForecast forecast = open_forecast(answers);
  if (is_interactive())
    print_to_stderr(fmt::format("forecast: {}\n", describe_forecast(forecast.survey)));
  complete_in_forecast(forecast, answers);
  const auto progress = context.make_progress();
  try {
    const ConvertedForecast converted = convert_forecast(answers, environment, *progress);
    print("converted: {}\n", converted.line);
    if (!converted.caveat.empty()) context.warn(converted.caveat);
    write(arguments, converted.answers, EnvironmentReader(environment.string()),
          environment.filename().string());
  } catch (...) {
    fs::remove(environment, ignored);
    throw;
  }
}

void run(const Arguments& typed, const CommandContext& context) {
  Arguments arguments = typed;
  std::error_code ignored;
  if (fs::exists(arguments.out, ignored)) {
    throw input_error(errors::init_output_exists, arguments.out);
  }
  MissionAnswers& answers = arguments.answers;
  if (answers.files.empty()) {
    complete({"--environment", "forecast (NetCDF), or environment of 'tidewise env import'",
              &arguments.environment, "", [&](const std::string& file) {
                answers.files = {file};
                if (environment_kind().fits(file)) {
                  (void)EnvironmentReader(file);
                } else {
                  (void)open_forecast(answers);
                }
              }});
  }
  const std::string file = answers.files.front();
  if (!environment_kind().fits(file)) {
    convert_and_write(arguments, answers, context);
    return;
  }
  const EnvironmentReader environment(file);
  complete_in_environment(environment, answers);
  write(arguments, answers, environment, fs::absolute(file).lexically_normal().string());
}

}  // namespace

void add_init(Command program, const Context& context) {
  Command command = program.add_command(
      "init", "Write a commented mission file; prompt for missing values at a terminal",
      "Examples:\n  tidewise init rtofs.nc\n"
      "  tidewise init rtofs.nc --from 126.0W,46.8N --to 124.95W,48.45N --vehicle slocum-g3 "
      "--depart 2024-10-28T15:00\n"
      "  tidewise init --environment washington.h5 --preset slocum-g3 --start=-126.0,46.8 "
      "--target=-124.95,48.45 --time 2024-10-28T15:00Z");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("files", arguments.answers.files,
                     "The files of a forecast (NetCDF), which is converted for the vehicle next to "
                     "the mission; or one environment");
  command.add_option("--environment", arguments.environment, "The same as a single FILE")
      .type_name("FILE");
  add_answer_options(command, arguments.answers, true);
  command.add_option("--out", arguments.out, "The mission file").show_default();
}

}  // namespace tidewise
