#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "tidewise/error.h"

namespace tidewise {

/// The model estimate of a policy: exact on the model, no sampling. Means are conditional on
/// arrival, and NaN if the vehicle cannot arrive. The six probabilities sum to 1.
struct ExpectedOutcome {
  double arrival_probability = 0;   ///< probability of reaching the target in time
  double time = 0;                  ///< [s or 1] from departure to arrival
  double energy = 0;                ///< spent, Σ (c_f F² + c_t) Δt
  double net_energy = 0;            ///< spent less harvested; below 0 if the vehicle gains energy
  double obstacle_probability = 0;  ///< probability of hitting an obstacle
  double out_of_domain_probability = 0;   ///< probability of leaving the grid
  double out_of_time_probability = 0;     ///< probability of being late
  double without_action_probability = 0;  ///< probability of reaching open water without an action
  double out_of_forecast_probability =
      0;             ///< probability of entering cells that the forecast does not cover
  double value = 0;  ///< expected total reward v(departure, start)
  /// Mean over all outcomes, not only arrivals: the energy harvested; for `stay` the time within
  /// the target; for `follow` minus the distance from the track, integrated over time.
  double harvested = 0;
  // `harvested` divided by the mission's time; NaN for other objectives.
  /// `stay`: share of the time within the target.
  double within = std::numeric_limits<double>::quiet_NaN();
  double distance = std::numeric_limits<double>::quiet_NaN();  ///< `follow`: mean distance [m or 1]
};

/// The action for every cell at every level of a plan. In a mission with via points (Goal::via) the
/// object is the policy of one leg between them: the first, unless leg() chose another. Copies
/// share the data.
class Policy {
 public:
  /// An action.
  struct Steering {
    double heading = 0;        ///< [rad] counter-clockwise from +x
    double speed = 0;          ///< [m s-1 or 1] through the water
    std::string profile = {};  ///< name of the profile; empty if there is no choice
  };
  /// The action in the cell that holds (x, y) [m or 1] at a level; nullopt in the target, in
  /// obstacles, at the last level and outside the grid. Errors: InputError if the level does not
  /// exist.
  std::optional<Steering> at(std::int32_t level, double x, double y) const;
  /// Expected total reward from this cell and level; NaN outside the grid. Errors: those of at().
  double value(std::int32_t level, double x, double y) const;
  /// Number of legs: one more than the number of via points.
  std::int32_t legs() const;
  /// The policy of another leg, 1 … legs(). Errors: InputError for a number out of range.
  Policy leg(std::int32_t number) const;
  /// The last level L: levels are 0 … L.
  std::int32_t last_level() const;
  /// Steps for which an action is held (Goal::decide_every); 1: every level decides.
  std::int32_t decide_every() const;
  /// True if the mission chooses an action at this level. At other levels actions are held, and
  /// at() applies to a vehicle that may choose there once, before the next level that decides.
  bool decides_at(std::int32_t level) const;
  /// Opens a policy.h5. Errors: InputError with file, variable and remedy.
  static Policy open(const std::filesystem::path& file);
  /// The index of the best action in actions() for each cell of a level, (y, x); −1 if there is
  /// none. Errors: those of at().
  std::vector<std::int16_t> action_plane(std::int32_t level) const;
  /// The expected total reward of each cell of a level, (y, x). Errors: those of at().
  std::vector<float> value_plane(std::int32_t level) const;
  /// The actions of the vehicle.
  std::vector<Steering> actions() const;
  /// Number of rows of the grid.
  std::int32_t rows() const;
  /// Number of columns of the grid.
  std::int32_t columns() const;

  struct Content;  ///< internal
  explicit Policy(std::shared_ptr<const Content> content);

 private:
  std::shared_ptr<const Content> content_;
};

}  // namespace tidewise
