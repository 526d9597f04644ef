#include "app/run/prediction.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <string>

#include "app/error/codes.h"
#include "base/error.h"
#include "env/file/time_reference.h"
#include "env/file/uncertainty_words.h"
#include "env/units/calendar_time.h"
#include "env/units/geographic_position.h"
#include "output/json_number.h"
#include "output/score/prediction.h"
#include "planner/mission/read/echo.h"
#include "solver/fly/arrival_quantiles.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string date(double seconds_since_1970) { return format_iso_time(seconds_since_1970) + "Z"; }

double now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

Json point_json(const RunPoint& point) { return {*point.longitude, *point.latitude}; }

/// The polygons in degrees, also if the mission has them in x and y.
Json polygons_json(const RunArea& area, const EnvironmentReader& environment) {
  if (area.geographic) return area.polygons;
  const auto longitude = environment.read_longitude();
  const auto latitude = environment.read_latitude();
  std::vector<Polygon> polygons = area.polygons;
  for (Polygon& polygon : polygons) {
    for (Ring& ring : polygon) {
      for (Vertex& vertex : ring) {
        const auto position =
            to_globe(environment.info().grid, longitude, latitude, {vertex[0], vertex[1]});
        vertex = {position.longitude, position.latitude};
      }
    }
  }
  return polygons;
}

/// A target without a radius is a cell, and becomes a disc of its area.
Json target_json(const RunPoint& point, const RunArea& area, double radius,
                 const EnvironmentReader& environment) {
  if (!area.polygons.empty()) return {{"polygons", polygons_json(area, environment)}};
  const Grid& grid = environment.info().grid;
  Json points = Json::array();
  for (const RunPoint& target_point : area.points) points.push_back(point_json(target_point));
  if (points.empty()) points.push_back(point_json(point));
  const double cell = std::sqrt(std::abs(grid.dx * grid.dy) / std::numbers::pi);
  return {{"points", std::move(points)}, {"radius", std::max(radius, cell)}};
}

/// The recommendation without its outlook, whose figures are already in the prediction.
Json recommended_json(Json recommended) {
  if (recommended.is_object()) recommended.erase("outlook");
  return recommended;
}

}  // namespace

void PredictionOptions::add(Command command) {
  command
      .add_option("--log", log_,
                  "Append the prediction to this log as a JSON line, for 'tidewise score'")
      .type_name("FILE");
  command
      .add_option("--calibrate", calibration_file_,
                  "Calibrate the 90 % arrival window with earlier missions: a file of 'tidewise "
                  "score --out' with nine or more that arrived")
      .type_name("FILE");
}

void PredictionOptions::add_files(Outputs& outputs) const {
  outputs.add_input(calibration_file_);
  outputs.add_output("--log", log_, prediction_log_kind());
}

void PredictionOptions::validate(const EnvironmentReader& environment) const {
  const EnvironmentInfo& info = environment.info();
  if (!calibration_file_.empty() && !supports_probability(info.uncertainty)) {
    throw input_error(errors::calibration_without_probability, calibration_file_,
                      uncertainty_word(info.uncertainty));
  }
  if (log_.empty()) return;
  require_prediction_log(log_);
  if (info.coordinates != Coordinates::geographic || !time_reference(environment)) {
    throw input_error(errors::log_without_dates, log_, environment.path().string());
  }
}

std::optional<WindowCalibration> PredictionOptions::calibration() const {
  if (calibration_file_.empty()) return std::nullopt;
  return calibrate_windows(read_predictions(calibration_file_), "--calibrate " + calibration_file_);
}

Json PredictionOptions::line_of(const Predicted& predicted) const {
  if (log_.empty()) return nullptr;
  const MissionProblem& problem = predicted.problem;
  const EnvironmentReader& environment = problem.environment();
  const EnvironmentInfo& info = environment.info();
  const RunPlaces places = places_of(problem);
  const bool is_keeping = problem.mission.kept.has_value();
  Json line{{std::string(prediction_key), prediction_version},
            {"issued", date(now())},
            {"command", predicted.command},
            {"run", predicted.run.string()},
            {"forecast", problem.request.environment.string()},
            {"fingerprint", problem.context->environment_fingerprint()},
            {"uncertainty", uncertainty_word(info.uncertainty)},
            {"vehicle", to_json(problem.request).value("vehicle", Json())},
            {"start", point_json(places.start)}};
  for (const RunVia& via : places.via) {
    line["via"].push_back(target_json(via.point, via.area, via.radius, environment));
  }
  if (!is_keeping) {
    line["target"] =
        target_json(places.target, places.target_area, places.target_radius, environment);
  }
  line["departure"] = date(*places.departure_instant);
  line["deadline"] = date(*places.last_instant);
  const bool supported = supports_probability(info.uncertainty);
  const bool flown = !predicted.flights.trajectories.empty();
  if (!supported || !flown) {
    line["no_probability"] = supported ? std::string("nothing was flown")
                                       : fmt::format("the forecast's uncertainty is \"{}\"",
                                                     uncertainty_word(info.uncertainty));
  }
  line["arrival"] = supported && flown && !is_keeping
                        ? to_json(arrival_quantiles(predicted.flights, info))
                        : Json();
  line["surfacing"] = supported ? predicted.surfacing : Json();
  line["recommendation"] = recommended_json(predicted.recommended);
  if (predicted.calibration) {
    line["calibration"] = {{"factor", predicted.calibration->factor},
                           {"missions", predicted.calibration->missions}};
  }
  return line;
}

void PredictionOptions::append(const Json& line) const {
  if (!line.is_null()) append_prediction(log_, line);
}

}  // namespace tidewise
