#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "tidewise/error.h"

namespace tidewise {

/// What a policy leads to on the model, exactly: no sampling. Means are given arrival and NaN where
/// the vehicle cannot arrive. The six probabilities sum to 1.
struct ExpectedOutcome {
  double arrival_probability = 0;
  double time = 0;        ///< [s or 1] from departure to arrival
  double energy = 0;      ///< spent, Σ (c_f F² + c_t) Δt
  double net_energy = 0;  ///< spent less harvested: below 0 where the vehicle gains
  double obstacle_probability = 0;
  double out_of_domain_probability = 0;
  double out_of_time_probability = 0;
  double without_action_probability = 0;   ///< where the policy says nothing of open water
  double out_of_forecast_probability = 0;  ///< into cells that the forecast says nothing of
  double value = 0;  ///< expected total reward from the start: what v(departure, start) promises
  /// Of all that departs, however it ends; of the objective `stay` the time within the target, of
  /// `follow` minus the distance from what is followed, times how long.
  double harvested = 0;
  // What that makes of the mission's time; NaN for other objectives.
  double within = std::numeric_limits<double>::quiet_NaN();    ///< `stay`: share within the target
  double distance = std::numeric_limits<double>::quiet_NaN();  ///< `follow`: its mean [m or 1]
};

/// What to do where and when: every cell at every level of a plan. Of a mission that passes places
/// (Goal::via) it says what to do on one of the legs between them, the first unless leg() chose
/// another. Copies share it.
class Policy {
 public:
  struct Steering {
    double heading = 0;        ///< [rad] counter-clockwise from +x
    double speed = 0;          ///< [m s-1 or 1] through the water
    std::string profile = {};  ///< that it dives, of several that the vehicle has
  };
  /// What the policy does in the cell that holds (x, y) [m or 1] at a level; nothing in the target,
  /// in obstacles, at the last level and outside the grid. Errors: InputError for a level that
  /// there is none of.
  std::optional<Steering> at(std::int32_t level, double x, double y) const;
  /// Expected total reward from there on; NaN outside the grid. Errors: as above.
  double value(std::int32_t level, double x, double y) const;
  /// How many legs the mission has: one, and one more for each place that it passes.
  std::int32_t legs() const;
  /// The same of another leg, 1 … legs(). Errors: InputError for one that there is none of.
  Policy leg(std::int32_t number) const;
  /// L: levels are 0 … last_level().
  std::int32_t last_level() const;
  /// Steps that an action is held (Goal::decide_every): 1 where each level decides.
  std::int32_t decide_every() const;
  /// Whether actions are to be chosen at a level; at others they are held, and at() is for who
  /// may choose there once, before the next level that decides.
  bool decides_at(std::int32_t level) const;
  /// Opens a policy.h5. Errors: InputError naming file, variable and remedy.
  static Policy open(const std::filesystem::path& file);
  /// All that it says of a level, cell by cell, (y, x): which of actions() is taken, −1 where none
  /// is; and the expected total reward. Errors: as of at().
  std::vector<std::int16_t> action_plane(std::int32_t level) const;
  std::vector<float> value_plane(std::int32_t level) const;
  /// What there is to choose from.
  std::vector<Steering> actions() const;
  std::int32_t rows() const;
  std::int32_t columns() const;

  struct Content;  ///< the library's own
  explicit Policy(std::shared_ptr<const Content> content);

 private:
  std::shared_ptr<const Content> content_;
};

}  // namespace tidewise
