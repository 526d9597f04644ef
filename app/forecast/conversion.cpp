#include "app/forecast/conversion.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/place_option.h"
#include "app/error/codes.h"
#include "app/report/pilot_words.h"
#include "app/report/place_words.h"
#include "base/error.h"
#include "env/levels/level_dates.h"
#include "env/units/calendar_time.h"
#include "env/units/depths.h"
#include "env/units/text.h"

namespace tidewise {
namespace {

using ingest::ForecastSurvey;

constexpr double longest_step = 6 * 3600;  // [s] in a conversion for a vehicle
constexpr double still_water_times = 5;    // default deadline: multiple of the direct path's time
constexpr double min_time = 86400;         // [s] minimum of the default deadline
constexpr double shallowest_dive = 30;     // [m] shallower dives count as the surface

std::string describe_area(const BoundingBox& area) {
  const auto longitude = [](double degrees) {
    degrees -= 360 * std::round(degrees / 360);
    return fmt::format("{:.2f}° {}", std::abs(degrees), degrees < 0 ? "W" : "E");
  };
  const auto latitude = [](double degrees) {
    return fmt::format("{:.2f}° {}", std::abs(degrees), degrees < 0 ? "S" : "N");
  };
  return fmt::format("{} to {}, {} to {}", longitude(area[0]), longitude(area[2]),
                     latitude(area[1]), latitude(area[3]));
}

std::string describe_times(double first, double last) {
  return fmt::format("{} to {}", describe_date(first), describe_date(last));
}

std::string hours(double seconds) { return fmt::format("{:.3g} h", seconds / 3600); }

/// Parses a deadline: a date, or a duration after the departure. Returns it in [s since 1970].
double parse_deadline(const std::string& text, double departure) {
  const bool is_date = text.size() >= 10 && text[4] == '-';
  if (is_date) return parse_iso_time(text);
  std::string compact = text;
  std::erase(compact, ' ');
  return departure + parse_duration(answer_options.deadline, compact);
}

/// The mission's deadline [s since 1970]: as typed, or the default; nullopt if the default is after
/// the end of the forecast.
std::optional<double> choose_deadline(const MissionAnswers& answers, double departure, double end,
                                      double distance, double speed) {
  if (!answers.deadline.empty()) {
    const double deadline = parse_deadline(answers.deadline, departure);
    if (deadline > departure && deadline <= end) return deadline;
    throw input_error(errors::deadline_outside_forecast, answer_options.deadline, answers.deadline,
                      describe_times(departure, end));
  }
  if (!(speed > 0)) return std::nullopt;
  const double time = std::max(min_time, still_water_times * distance / speed);
  // Rounded up to whole hours.
  const double deadline = departure + 3600 * std::ceil(time / 3600);
  return deadline < end ? std::optional(deadline) : std::nullopt;
}

/// Parses depths such as "0:200" as a profile, which is named after them.
ingest::Profile parse_dive(const std::string& depths) {
  std::string name = depths;
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '-';
  }
  return ingest::parse_profile((deepest_of(depths) == 0 ? "surface" : name) + "=" + depths);
}

/// Returns the dives that were typed, or those of the vehicle, and sets their description in
/// `conversion`.
std::vector<ingest::Profile> choose_dives(const MissionAnswers& answers,
                                          const ChosenVehicle& vehicle,
                                          const ForecastSurvey& survey, double deepest,
                                          Conversion& conversion) {
  std::vector<ingest::Profile> dives;
  for (const std::string& dive : answers.dives) dives.push_back(parse_dive(dive));
  if (!dives.empty() && !survey.has_depths) {
    throw input_error(errors::dive_without_depths, answer_options.dive, answers.dives.front());
  }
  if (dives.empty() && vehicle.is_glider() && deepest >= shallowest_dive) {
    const double max = std::min(vehicle.preset->deepest, std::floor(deepest));
    dives.push_back(parse_dive(fmt::format("0:{:.0f}", max)));
  }
  std::vector<std::string> words;
  for (const ingest::Profile& dive : dives) {
    words.push_back(describe_dive("", dive.depths, "–"));
  }
  conversion.depths = fmt::format("{}", fmt::join(words, " or "));
  if (!dives.empty()) return dives;
  conversion.depths = "surface currents";
  if (!vehicle.is_glider()) return dives;
  conversion.caveat = fmt::format(
      "surface currents stand in for the dive, since {}",
      survey.has_depths ? "the water is too shallow to dive" : "the forecast has no depths");
  return dives;
}

}  // namespace

SurveyedForecast open_forecast(const MissionAnswers& answers) {
  SurveyedForecast forecast;
  forecast.import.files.assign(answers.files.begin(), answers.files.end());
  forecast.import.names.u = answers.u;
  forecast.import.names.v = answers.v;
  forecast.survey = ingest::survey_forecast(forecast.import);
  return forecast;
}

std::string describe_forecast(const ForecastSurvey& survey) {
  const auto& times = survey.times;
  return fmt::format(
      "{}; {}{}; {}, {}", describe_area(survey.area), describe_times(times.front(), times.back()),
      times.size() > 1 ? fmt::format(", every {}", hours((times.back() - times.front()) /
                                                         static_cast<double>(times.size() - 1)))
                       : "",
      counted(survey.member_count, "member"), survey.has_depths ? "several depths" : "one depth");
}

GeographicPoint parse_place_within(const ForecastSurvey& survey, const char* option,
                                   const std::string& text) {
  const Position position = parse_position(option, text, Position::Frame::geographic);
  const GeographicPoint place{position.first, position.second};
  if (survey.contains(place)) return place;
  throw input_error(errors::place_outside_forecast, option, text,
                    describe_degrees(place.longitude, place.latitude), describe_area(survey.area));
}

double current_minute() {
  const auto now = std::chrono::floor<std::chrono::minutes>(std::chrono::system_clock::now());
  return static_cast<double>(
      std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count());
}

double parse_departure_within(const ForecastSurvey& survey, const std::string& text) {
  double departure = 0;
  if (text == "now") {
    departure = current_minute();
  } else {
    try {
      departure = parse_iso_time(text);
    } catch (const InputError&) {
      throw input_error(errors::departure_invalid, answer_options.depart, text);
    }
  }
  if (departure >= survey.times.front() && departure < survey.times.back()) return departure;
  throw input_error(errors::departure_outside_forecast, answer_options.depart, text,
                    describe_date(departure),
                    describe_times(survey.times.front(), survey.times.back()));
}

Conversion plan_conversion(const MissionAnswers& answers, const SurveyedForecast& forecast) {
  const ForecastSurvey& survey = forecast.survey;
  const GeographicPoint start = parse_place_within(survey, answer_options.from, answers.from);
  const GeographicPoint target = parse_place_within(survey, answer_options.to, answers.to);
  const ChosenVehicle vehicle = parse_vehicle(answers.vehicle);
  const double speed = vehicle.greatest_speed();
  const double end = survey.times.back();
  Conversion conversion;
  conversion.import = forecast.import;
  conversion.departure = parse_departure_within(survey, answers.depart);
  conversion.deadline = choose_deadline(answers, conversion.departure, end,
                                        ingest::distance_between(start, target), speed);
  const double last = std::min(end, conversion.deadline.value_or(end) + longest_step);
  ingest::ImportOptions& import = conversion.import;
  import.box = ingest::box_between(start, target, speed, speed, survey.spacing);
  const double greatest_dive = answers.dives.empty() && survey.has_depths && vehicle.is_glider()
                                   ? vehicle.preset->deepest
                                   : 0;
  const ingest::WaterSurvey water =
      ingest::survey_water(import, conversion.departure, last, greatest_dive);
  import.box = ingest::box_between(start, target, speed, water.speed, survey.spacing);
  import.from = conversion.departure;
  if (last < end) import.to = last;
  if (speed > 0) import.vehicle_speed = speed;
  import.dives.profiles = choose_dives(answers, vehicle, survey, water.deepest, conversion);
  if (survey.member_count == 1) import.forecast_error = ingest::default_forecast_error;
  return conversion;
}

std::string describe_conversion(const Conversion& conversion, const ForecastSurvey& survey,
                                const EnvironmentInfo& environment) {
  BoundingBox area = *conversion.import.box;
  const double turns =
      360 * std::round(((area[0] + area[2]) - (survey.area[0] + survey.area[2])) / 720);
  area = {std::max(area[0] - turns, survey.area[0]), std::max(area[1], survey.area[1]),
          std::min(area[2] - turns, survey.area[2]), std::min(area[3], survey.area[3])};
  const double step = environment.time.step;
  return fmt::format(
      "{}; cells {:.2g} km, steps {}, {}; {}; {}", describe_area(area), environment.grid.dx / 1000,
      hours(step),
      describe_times(conversion.departure,
                     conversion.departure + step * (environment.time.level_count - 1)),
      conversion.depths,
      survey.member_count > 1 ? counted(survey.member_count, "member")
                              : fmt::format("{} realizations of a guessed forecast error",
                                            environment.realization_count));
}

ConvertedForecast convert_forecast(const MissionAnswers& answers, const std::filesystem::path& out,
                                   Progress& progress) {
  require_answers(answers);
  const SurveyedForecast forecast = open_forecast(answers);
  Conversion conversion = plan_conversion(answers, forecast);
  conversion.import.out = out;
  const ingest::ImportReport report = ingest::import_forecast(conversion.import, progress);
  ConvertedForecast converted{answers, report.info.history,
                              describe_conversion(conversion, forecast.survey, report.info),
                              conversion.caveat};
  converted.answers.depart = format_date(conversion.departure);
  if (answers.deadline.empty() && conversion.deadline) {
    // Rounded up to a level; the conversion has levels beyond the deadline.
    const double step = report.info.time.step;
    const double steps = std::ceil((*conversion.deadline - conversion.departure) / step);
    converted.answers.deadline = format_date(
        conversion.departure + step * std::min(steps, double(report.info.time.level_count - 1)));
  }
  converted.answers.dives.clear();
  for (const EnvironmentProfile& profile : report.info.profiles) {
    converted.answers.dives.push_back(profile.name);
  }
  return converted;
}

}  // namespace tidewise
