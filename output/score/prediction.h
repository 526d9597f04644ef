#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/file/file_kind.h"
#include "env/points.h"
#include "solver/fly/arrival_quantiles.h"
#include "tidewise/polygon.h"

namespace tidewise {

/// A target or via point on the globe: discs about points, or polygons in degrees.
struct GlobeTarget {
  std::vector<GeographicPoint> points;
  double radius = 0;  ///< [m]
  std::vector<Polygon> polygons;
};

/// Predicted place of a surfacing.
struct PredictedSurfacing {
  double time = 0;  ///< [s since 1970]
  GeographicPoint centre;
  double bearing = 0;  ///< bearing of the long axes [degrees from true north]
  std::array<std::array<double, 2>, 2>
      semi_axes{};  ///< semi-axes of the 50 % and the 90 % ellipse [m]
};

/// Outcome of a predicted mission.
struct PredictionOutcome {
  std::optional<double> arrived;  ///< after the departure [s]; nullopt: it did not arrive
  /// True if the vehicle surfaced in the 50 and in the 90 % region; nullopt if unknown.
  std::optional<std::array<bool, 2>> surfaced;
};

/// A line of a log of predictions (docs/trust/probabilities.md).
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON is noexcept, whatever its library calls
struct Prediction {
  nlohmann::ordered_json line;
  double departure = 0;                     ///< [s since 1970]
  double deadline = 0;                      ///< [s since 1970]
  GeographicPoint start;                    ///< NaN if the line has none
  std::vector<GlobeTarget> targets;         ///< via points in their order, then the target
  std::optional<ArrivalQuantiles> arrival;  ///< nullopt if the forecast gives no probability
  std::optional<PredictedSurfacing> surfacing;
  std::optional<PredictionOutcome> outcome;
};

/// The beginning of each line: the version of the format.
inline constexpr std::string_view prediction_key = "tidewise_prediction";
inline constexpr int prediction_version = 1;

/// JSON for a line of a log. Times that are not finite become null.
nlohmann::ordered_json to_json(const ArrivalQuantiles& arrival);
nlohmann::ordered_json to_json(const PredictionOutcome& outcome);

/// Reads a log. Errors: InputError with file and line for a line that is no prediction, or is of
/// another version.
std::vector<Prediction> read_predictions(const std::filesystem::path& path);

/// The kind of existing files that are logs of predictions.
FileKind prediction_log_kind();

/// Refuses a file to which append_prediction() could not add. Errors: InputError.
void require_prediction_log(const std::filesystem::path& path);

/// Adds a line to a log; creates a log that does not exist. Processes write one after the other
/// (flock). A line that cannot be written completely is removed again. Does not follow links.
/// Errors: InputError for a file that is not a log; RunError if writing fails.
void append_prediction(const std::filesystem::path& path, const nlohmann::ordered_json& line);

}  // namespace tidewise
