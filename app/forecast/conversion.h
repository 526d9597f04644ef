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

/// Opens the files of answers. Errors: InputError where they are no forecast.
SurveyedForecast open_forecast(const MissionAnswers& answers);

/// "126.8° W to 124.0° W, 46.6° N to 49.7° N; 28 Oct 2024 03:00 UTC to 5 Nov 2024 00:00 UTC, every
/// 3 h; 1 member; currents at the surface".
std::string describe_forecast(const ingest::ForecastSurvey& survey);

/// A place of the answers. Errors: InputError for text that is no place, and for one outside of the
/// forecast.
GeographicPoint parse_place_within(const ingest::ForecastSurvey& survey, const char* option,
                                   const std::string& text);

/// The minute that it is [s since 1970].
double this_minute();

/// The departure [s since 1970]; "now" is this_minute(). Errors: InputError for text that is no
/// time, and for one outside of the forecast.
double parse_departure_within(const ingest::ForecastSurvey& survey, const std::string& text);

/// Options for converting a forecast for a mission, and the mission's values that follow from it.
struct Conversion {
  ingest::ImportOptions import;    ///< without `out`
  double departure = 0;            ///< [s since 1970]
  std::optional<double> deadline;  ///< [s since 1970]; nothing: the end of the forecast
  std::string depths;              ///< in words
  std::string caveat;              ///< caveat for a gliding vehicle without dives; else empty
};

/// The request of 'env import' for a mission: a box around start and target (box_between), the time
/// from the departure to the deadline, cells and steps for the vehicle's speed, its dives where the
/// forecast has depths, and the guessed forecast error where it has one member. Errors: InputError
/// for answers that the forecast does not allow.
Conversion plan_conversion(const MissionAnswers& answers, const SurveyedForecast& forecast);

/// One line on the converted forecast: area, cells, steps, times, depths, uncertainty.
std::string describe_conversion(const Conversion& conversion, const ingest::ForecastSurvey& survey,
                                const EnvironmentInfo& environment);

/// A forecast that was converted.
struct ConvertedForecast {
  MissionAnswers answers;  ///< as mission_text() takes them: dates, and names of profiles
  std::string history;     ///< history attribute of the environment
  std::string line;        ///< describe_conversion()
  std::string caveat;      ///< caveat about the conversion
};

/// Converts the answers' forecast into the environment `out`. Errors: those of plan_conversion()
/// and of import_forecast().
ConvertedForecast convert_forecast(const MissionAnswers& answers, const std::filesystem::path& out,
                                   Progress& progress);

}  // namespace tidewise
