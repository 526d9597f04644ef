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

/// Where and when to ask a policy.
struct PolicyQuestion {
  enum class Frame { plane, geographic };
  Frame frame = Frame::plane;
  double first = 0;     ///< x [m or 1] or longitude [degrees]
  double second = 0;    ///< y or latitude
  std::string time;     ///< a number or a date, as typed
  std::size_t leg = 0;  ///< of a run's mission, 0 the first
};

/// What it says; NaN is what it does not.
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
  /// Of a policy that holds actions: when it decides next; as `time`.
  double hold_until = unknown;
  /// From when to when the policy speaks, as `time`.
  double first = unknown;
  double last = unknown;
  std::int64_t action = -1;
  std::int64_t level = -1, row = -1, column = -1;
  std::size_t leg = 0;   ///< that was asked, 0 the first
  std::size_t legs = 1;  ///< of the run's mission
  bool metric = false;
};

/// Of a file for a vehicle, by tidewise_policy.h, checksum first. Errors: InputError for a file
/// that is damaged or of a later version, and for a question that it cannot be asked.
PolicyAnswer ask_on_board(const std::filesystem::path& file, const PolicyQuestion& question);

/// Of policy.h5, by the planner's own means and in full precision. Where there is no action, the
/// environment that it was planned on says whether that is land or the target; where that is not
/// there any more, the status is "no action". Errors: as above.
PolicyAnswer ask_run(const std::filesystem::path& policy, const PolicyQuestion& question);

/// What the flights of a run's policy come to from a place and a time that it has an action for.
struct FlightsFromHere {
  RolloutStatistics flown;
  Objective objective = Objective::time;
  EnergyModel energy;
  /// Where the vehicle comes up next; nothing where too few are flown, or the plan ends before.
  std::optional<SurfacingRegion> surfacing = {};
  double departure = 0;  ///< in the environment's times [s or 1]
  double end = 0;        ///< the plan's, likewise
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

/// Whether a file begins as one for a vehicle does.
bool is_board_policy(const std::filesystem::path& file);

}  // namespace tidewise
