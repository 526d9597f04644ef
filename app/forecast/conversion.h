#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/forecast/mission_answers.h"
#include "base/progress.h"
#include "env/import/forecast_survey.h"
#include "env/import/import_forecast.h"

namespace tidewise {

/// A forecast that a mission is planned in.
struct SurveyedForecast {
  ingest::ImportOptions import;  ///< its files
  ingest::ForecastSurvey survey;
};

/// Opens the files of the answers. Errors: InputError if they are not a forecast.
SurveyedForecast open_forecast(const MissionAnswers& answers);

/// Describes a forecast, such as "126.8° W to 124.0° W, 46.6° N to 49.7° N; 28 Oct 2024 03:00 UTC
/// to 5 Nov 2024 00:00 UTC, every 3 h; 1 member, one depth".
std::string describe_forecast(const ingest::ForecastSurvey& survey);

/// Parses a place, the value of `option`. Errors: InputError for an invalid place, and for one
/// outside the forecast.
GeographicPoint parse_place_within(const ingest::ForecastSurvey& survey, const char* option,
                                   const std::string& text);

/// The current time, rounded down to minutes [s since 1970].
double current_minute();

/// Parses a departure [s since 1970]; "now" is current_minute(). Errors: InputError for an invalid
/// time, and for one outside the forecast.
double parse_departure_within(const ingest::ForecastSurvey& survey, const std::string& text);

/// Options for converting a forecast for a mission, and the mission's values that follow from it.
struct Conversion {
  ingest::ImportOptions import;    ///< without `out`
  double departure = 0;            ///< [s since 1970]
  std::optional<double> deadline;  ///< [s since 1970]; nullopt: the end of the forecast
  std::string depths;              ///< description of the dives
  std::string caveat;              ///< caveat for a gliding vehicle without dives; else empty
};

/// Options of 'env import' for a mission: a box around start and target (box_between), the time
/// from the departure to the deadline, cells and steps for the vehicle's speed, its dives if the
/// forecast has depths, and the guessed forecast error if it has one member. Errors: InputError for
/// answers that the forecast does not allow.
Conversion plan_conversion(const MissionAnswers& answers, const SurveyedForecast& forecast);

/// One line on the converted forecast: area, cells, steps, times, depths, uncertainty.
std::string describe_conversion(const Conversion& conversion, const ingest::ForecastSurvey& survey,
                                const EnvironmentInfo& environment);

/// A forecast that was converted.
struct ConvertedForecast {
  MissionAnswers answers;  ///< for mission_text(): with dates and names of profiles
  std::string history;     ///< history attribute of the environment
  std::string line;        ///< describe_conversion()
  std::string caveat;      ///< caveat about the conversion
};

/// Converts the answers' forecast into the environment `out`. Errors: those of plan_conversion()
/// and of import_forecast().
ConvertedForecast convert_forecast(const MissionAnswers& answers, const std::filesystem::path& out,
                                   Progress& progress);

}  // namespace tidewise
