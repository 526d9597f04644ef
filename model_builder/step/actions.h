#pragma once

#include <cstdint>
#include <vector>

#include "base/host_device.h"
#include "base/index.h"
#include "env/grid.h"
#include "model_builder/step/displacement.h"

namespace tidewise {

using ActionIndex = Index<struct ActionTag>;

/// A speed through the water, a heading and a profile to dive.
struct Action {
  double speed = 0;           ///< [m s-1 or 1]
  double heading = 0;         ///< [rad] counter-clockwise from +x, 0 … 2π
  Displacement displacement;  ///< A: the displacement that it adds in a step, in 2^-20 of a cell
  std::int32_t profile = 0;   ///< index of the velocity that is read (EnvironmentInfo::velocities)
  DisplacementError error = {};
};

/// Standard deviations of a vehicle's speed and heading; an error is drawn once per decision
/// (docs/model.md, 1.7).
struct VehicleError {
  double speed = 0;        ///< [m s-1 or 1]
  double heading = 0;      ///< [rad]
  std::uint64_t seed = 1;  ///< seed of the draws of flights

  TIDEWISE_HOST_DEVICE bool any() const { return speed > 0 || heading > 0; }
};

/// Sets the error and the mean displacement of each action with a speed. `steps`: steps between
/// decisions. Errors: InputError for an error of 1024 cells per step or more.
void set_errors(std::vector<Action>& actions, const VehicleError& error, std::int32_t steps,
                const Grid& grid, const TimeAxis& time);

/// For each action, `draws` consecutive actions with its displacement and drawn errors. `draws`: 1
/// or error_draws (PositionRule::draws).
std::vector<Action> displaced_actions(const std::vector<Action>& actions, std::int32_t draws);

/// One action on a grid: A = round(speed · cos(heading) · Δt/dx · 2^20), in double; y with sin and
/// dy. Errors: InputError for a step of 1024 cells or more.
Action make_action(double speed, double heading, const Grid& grid, const TimeAxis& time);

/// Every speed with `heading_count` uniform headings, speeds outermost, both in the given order; a
/// speed of 0 adds one drift action. The index of an action is its position here. Errors:
/// InputError for a negative or repeated speed, no speeds, fewer than 1 heading, more than 32767
/// actions (a policy stores them as int16), or a step of 1024 cells or more.
std::vector<Action> make_actions(const std::vector<double>& speeds, std::int32_t heading_count,
                                 const Grid& grid, const TimeAxis& time);

/// As make_actions() for each profile in sequence. speeds: (profile), the profile's speeds. Errors:
/// those of make_actions().
std::vector<Action> make_profile_actions(const std::vector<std::vector<double>>& speeds,
                                         std::int32_t heading_count, const Grid& grid,
                                         const TimeAxis& time);

/// Consecutive actions of one profile.
struct ProfileActions {
  std::int32_t profile = 0;
  std::int32_t first = 0;  ///< index of the first of them among all actions
  std::vector<Action> actions;
};

/// Groups actions by profile. Requires that actions of a profile are consecutive.
std::vector<ProfileActions> by_profile(const std::vector<Action>& actions);

}  // namespace tidewise
