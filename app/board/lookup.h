#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "base/progress.h"
#include "env/environment_info.h"
#include "env/points.h"
#include "planner/problem/mission_problem.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/fly/surfacing.h"
#include "tidewise/mission.h"

namespace tidewise {

/// Place and time of a question to a policy.
struct PolicyQuestion {
  enum class Frame { plane, geographic };
  Frame frame = Frame::plane;
  double first = 0;     ///< x [m or 1] or longitude [degrees]
  double second = 0;    ///< y or latitude
  std::string time;     ///< a number or a date, as typed
  std::size_t leg = 0;  ///< leg of the run's mission, from 0
};

/// The answer of a policy. Numbers that the policy does not hold are NaN.
struct PolicyAnswer {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::string status;  ///< as tw_policy_text() returns it
  double x = unknown;
  double y = unknown;
  double time = unknown;  ///< [s since 1970], or in the environment's time units
  bool has_date = false;
  double heading = unknown;  ///< [rad] counter-clockwise from +x
  double bearing = unknown;  ///< [degrees] clockwise from true north
  double speed = unknown;    ///< [m/s or 1]
  /// Profile of the dive; without a name if the environment has one velocity.
  EnvironmentProfile profile = {};
  double value = unknown;  ///< expected total reward from here on
  /// For a policy with action holds: time of the next decision; as `time`.
  double hold_until = unknown;
  /// First and last time of the policy, as `time`.
  double first = unknown;
  double last = unknown;
  /// Indices; -1 if unknown.
  std::int64_t action = -1;
  std::int64_t level = -1, row = -1, column = -1;
  std::size_t leg = 0;   ///< leg of the question, from 0
  std::size_t legs = 1;  ///< number of legs of the run's mission
  bool metric = false;
};

/// Answers from a file for a vehicle, with tidewise_policy.h, after verifying its checksum. Errors:
/// InputError for a damaged file or one of a later version, and for an invalid question.
PolicyAnswer ask_on_board(const std::filesystem::path& file, const PolicyQuestion& question);

/// Answers from policy.h5 in full precision. If the policy has no action for the state, the status
/// is land or target, according to the plan's environment, or "no action" if that is missing.
/// Errors: as above.
PolicyAnswer ask_run(const std::filesystem::path& policy, const PolicyQuestion& question);

/// Results of flights that follow a run's policy from the place and time of an answer.
struct FlightsFromState {
  RolloutStatistics flown;
  Objective objective = Objective::time;
  EnergyModel energy;
  /// Region of the next surfacing; nullopt if too few flights were made, or the plan ends before.
  std::optional<SurfacingRegion> surfacing = {};
  double departure = 0;  ///< in the environment's times [s or 1]
  double end = 0;        ///< end of the plan
  bool surfaces_after_end = false;
  std::shared_ptr<const MissionProblem> problem = {};  ///< the mission from that state
  RolloutResult flights = {};

  const EnvironmentReader& environment() const { return problem->environment(); }
};
/// Simulates flights from the place and time of `answer`, in the realizations that the mission
/// selects. `surfacing`: time until the next surfacing [s or 1]; default: until the policy's next
/// decision. Errors: InputError if the environment is missing or was replaced, if the vehicle is on
/// a later leg, or if no mission can begin there.
FlightsFromState fly_from(const std::filesystem::path& policy, const PolicyAnswer& answer,
                          std::optional<double> surfacing, Progress& progress);

/// True if a file begins like a policy for a vehicle.
bool is_board_policy(const std::filesystem::path& file);

}  // namespace tidewise
