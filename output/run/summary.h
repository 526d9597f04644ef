#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "output/run/followed.h"
#include "output/run/recommendation.h"
#include "output/score/window_calibration.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/induction/non_terminal_states.h"
#include "tidewise/policy.h"
#include "tidewise/polygon.h"

namespace tidewise {

/// Sizes of the problem that was solved.
struct ProblemSizes {
  std::int64_t nx = 0;
  std::int64_t ny = 0;
  std::int64_t levels = 0;  ///< L + 1
  std::int64_t states = 0;  ///< nx · ny · levels
  std::int64_t actions = 0;
  std::int64_t realizations = 0;
  std::int64_t modes = 0;
  std::int64_t rows = 0;         ///< (state, action) pairs with a transition row
  std::int64_t transitions = 0;  ///< (state, action, realization) transitions counted
};

/// Wall-clock seconds of the parts of a run. Files are read and written in parallel with other
/// work: only the time that the run waited for them counts.
struct RunSeconds {
  double prepare = 0;  ///< validating the mission, opening the environment, starting the GPU
  double read = 0;     ///< waiting for levels while solving
  double solve = 0;    ///< counting and backing up
  /// Exact evaluation of the policy, including reading levels again. If a GPU evaluates during the
  /// flights, only the wait after them.
  double evaluate = 0;
  double rollout = 0;  ///< flights and baseline controllers, including reading levels again
  double write = 0;    ///< waiting for policy and trajectories
  double total = 0;
};

/// Origin of a policy that is flown in another environment than it was planned on.
struct PlannedOn {
  std::string policy;         ///< the policy file
  std::string environment;    ///< planning environment
  double value_at_start = 0;  ///< the predicted value there
  OpenStates states;          ///< states of the flown environment in which the policy has an action
};

/// The run that a replanned run continues.
struct ReplannedFrom {
  std::string policy;                    ///< the policy file of the run before
  std::string environment;               ///< environment of this plan
  std::vector<std::string> tracks = {};  ///< tracks that corrected its forecast
  std::int32_t passed = 0;               ///< via points of its mission that were passed before
  std::int64_t states = 0;               ///< within reach of the vehicle, of all legs
};

/// A point on the plane and, if known, on the globe.
struct RunPoint {
  double x = 0;  ///< [m or 1]
  double y = 0;
  std::optional<double> longitude;  ///< [degrees]; set if the environment has longitudes
  std::optional<double> latitude;
};

/// The points or the area of a start or target.
struct RunArea {
  std::vector<RunPoint> points;   ///< if several points were given
  std::vector<Polygon> polygons;  ///< if polygons were given
  bool geographic = false;        ///< true if they are in degrees
  std::int64_t cells = 1;  ///< start: number of cells to choose from; target: number of its cells
};

/// A via point, and how many flights pass it.
struct RunVia {
  RunPoint point;  ///< the first of several points, or the middle of the cells of an area
  RunArea area;
  double radius = 0;  ///< [m or 1]
  /// nullopt if nothing was flown.
  std::optional<double> passed_share;  ///< share of all flights, weighted
  std::optional<Spread> passed_time;   ///< [s or 1] after the departure, over those that passed it
};

/// Places and times of a mission.
struct RunPlaces {
  RunPoint start;
  RunPoint target;  ///< nearest to the start of several points or of an area
  RunArea start_area;
  RunArea target_area;
  double target_radius = 0;                  ///< [m or 1]
  std::optional<RunFollowed> followed = {};  ///< instead of a target
  std::vector<RunVia> via;                   ///< in their order
  std::int32_t departure_level = 0;
  double departure_time = 0;                ///< in the environment's units
  std::optional<double> departure_instant;  ///< [s since 1970]; set if times have dates
  std::int32_t last_level = 0;              ///< level at which time is up
  double last_time = 0;
  std::optional<double> last_instant;
  std::int32_t decide_every = 1;  ///< steps of an action hold
  double decide_every_time = 0;   ///< [s or 1]
};

/// The outcome with the best mean total reward; null without any.
const BaselineOutcome* best_baseline(const std::vector<BaselineOutcome>& baselines);

/// The contents of summary.json.
struct RunSummary {  // NOLINT(bugprone-exception-escape): of a constructor that is not noexcept
  /// Value of the policy at the start in the environment that it flies in: its stored value, or, if
  /// it was planned elsewhere, the value of its exact evaluation.
  double value_at_start = 0;
  std::optional<PlannedOn> planned_on;          ///< left out of the file if absent
  std::optional<ReplannedFrom> replanned_from;  ///< nullopt: not replanned
  std::optional<ExpectedOutcome> expected;      ///< null in the file if not computed
  std::optional<RolloutStatistics> rollout;     ///< null in the file if nothing was flown
  RolloutMode rollout_mode = RolloutMode::continuous;
  /// The steering of the flights if it was not the policy; replaces the mode.
  std::string steered_by;
  std::vector<BaselineOutcome> baselines;   ///< null in the file if none was flown
  std::optional<RunPlaces> places;          ///< left out of the file if absent
  std::optional<FirstAction> first_action;  ///< nullopt: no action at the start
  ForecastUncertainty uncertainty =
      ForecastUncertainty::ensemble;  ///< uncertainty of the flown forecast
  Recommendation recommendation;      ///< result of recommend() (planner/run/recommend.h)
  std::optional<WindowCalibration>
      calibration;  ///< calibration of the outlook's window, if requested
  std::vector<std::string>
      notes;  ///< parts of the mission that were replaced by the nearest possible ones
  std::vector<std::string> warnings;  ///< about the results (prediction_check.h), as on stderr
  /// The arrival probability for which a failure penalty was found; left out of the file if absent.
  std::optional<double> arrival_at_least;
  ProblemSizes problem;
  std::string engine;
  std::string backend;
  std::string device;
  std::int32_t threads = 1;     ///< number of threads of each process
  std::int32_t processes = 1;   ///< number of processes that solved together
  std::int32_t subdomains = 1;  ///< number of bands of rows
  RunSeconds seconds;
  std::int64_t peak_memory_bytes = 0;  ///< base/memory/peak_memory.h
  std::int64_t peak_device_memory_bytes =
      0;                           ///< base/memory/memory.h; left out of the file if it is 0
  nlohmann::ordered_json mission;  ///< the resolved mission
  /// The value of knowing or learning the flow; left out of the file if null.
  nlohmann::ordered_json knowledge;
  nlohmann::ordered_json batch;  ///< data that a batch adds; not written if null
};

/// summary.json's content; keys always in the same order, numbers that are not finite as null.
nlohmann::ordered_json to_json(const RunSummary& summary);
/// Statistics of flights as in summary.json.
nlohmann::ordered_json to_json(const RolloutStatistics& flown);

/// Writes summary.json, complete or not at all. Errors: those of write_text_file().
void write_summary(const std::filesystem::path& path, const RunSummary& summary);

/// Reads the summary.json of a run's folder. Returns a discarded JSON value if it is missing or not
/// JSON. Errors: InputError for JSON that is nested too deep to be read.
nlohmann::ordered_json read_summary(const std::filesystem::path& folder);

/// The uncertainty that a summary states for its forecast; a summary without it counts like a file
/// without it (docs/forecast/environments.md).
ForecastUncertainty uncertainty_in(const nlohmann::ordered_json& summary);

/// The text under a key of a part of a summary, which people may have edited; empty if there is
/// none.
std::string text_in(const nlohmann::ordered_json& part, const char* key);

}  // namespace tidewise
