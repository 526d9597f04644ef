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
  std::size_t leg = 0;  ///< of a run's mission, 0 the first
};

/// The answer of a policy; NaN: not in the policy.
struct PolicyAnswer {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::string status;  ///< as tw_policy_text() has it
  double x = unknown;
  double y = unknown;
  double time = unknown;  ///< [s since 1970] or the environment's own
  bool has_date = false;
  double heading = unknown;         ///< [rad] counter-clockwise from +x
  double bearing = unknown;         ///< [degrees] clockwise from true north
  double speed = unknown;           ///< [m/s or 1]
  EnvironmentProfile profile = {};  ///< that it dives; nameless where there is one velocity
  double value = unknown;           ///< expected total reward from here on
  /// For a policy with action holds: time of the next decision; as `time`.
  double hold_until = unknown;
  /// First and last time of the policy, as `time`.
  double first = unknown;
  double last = unknown;
  std::int64_t action = -1;
  std::int64_t level = -1, row = -1, column = -1;
  std::size_t leg = 0;   ///< that was asked, 0 the first
  std::size_t legs = 1;  ///< of the run's mission
  bool metric = false;
};

/// Answers from a file for a vehicle, with tidewise_policy.h, after verifying its checksum. Errors:
/// InputError for a damaged file or one of a later version, and for an invalid question.
PolicyAnswer ask_on_board(const std::filesystem::path& file, const PolicyQuestion& question);

/// Answers from policy.h5 in full precision. If there is no action, the environment of the plan
/// shows whether that is land or the target; without it the status is "no action". Errors: as
/// above.
PolicyAnswer ask_run(const std::filesystem::path& policy, const PolicyQuestion& question);

/// Results of flights by a run's policy from a place and time at which it has an action.
struct FlightsFromHere {
  RolloutStatistics flown;
  Objective objective = Objective::time;
  EnergyModel energy;
  /// Region of the next surfacing; nullopt if too few flights were made, or the plan ends before.
  std::optional<SurfacingRegion> surfacing = {};
  double departure = 0;  ///< in the environment's times [s or 1]
  double end = 0;        ///< end of the plan
  bool surfaces_after_end = false;
  std::shared_ptr<const MissionProblem> problem = {};  ///< from there
  RolloutResult flights = {};

  const EnvironmentReader& environment() const { return problem->environment(); }
};
/// Flies from there through the realizations that the mission names. `surfacing`: when the vehicle
/// comes up next, so long after [s or 1]; when the policy decides next if not given. Errors:
/// InputError where that cannot be: its environment is gone or replaced, the vehicle is on a later
/// leg, ….
FlightsFromHere fly_from(const std::filesystem::path& policy, const PolicyAnswer& answer,
                         std::optional<double> surfacing, Progress& progress);

/// True if a file begins like a policy for a vehicle.
bool is_board_policy(const std::filesystem::path& file);

}  // namespace tidewise
