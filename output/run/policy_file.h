#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/file/atomic_file.h"
#include "base/hdf5/checked_dataset.h"
#include "base/hdf5/file.h"
#include "base/hdf5/packed_chunk.h"
#include "env/environment_info.h"
#include "env/file/writer.h"
#include "model_builder/step/actions.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Root attribute of a policy that covers only states within reach of its start: the level of the
/// start.
inline constexpr const char* from_start_attribute = "from_start_at_level";

/// Root attributes of a policy with an action hold: steps from one decision to the next, a level
/// that decides, and Decisions::for_all_departures.
inline constexpr const char* decide_every_attribute = "decide_every";
inline constexpr const char* decides_at_attribute = "decides_at_level";
inline constexpr const char* all_departures_attribute = "for_all_departures";

/// Names of the variables of a leg of a mission, from 0.
std::string action_variable(std::size_t leg);
std::string value_variable(std::size_t leg);

/// The states that a policy covers: all of them, or those within reach of the mission's start at
/// its departure.
enum class PolicyExtent { whole, from_start };

/// Origin of a policy, from its file.
struct PolicyOrigin {
  Objective objective = Objective::time;
  /// Fingerprint of the environment's file (file_fingerprint()); empty: not recorded.
  std::string environment_fingerprint = {};
  /// Number of legs of the mission (solver/legs/legs.h): the first has `action` and `value`, leg 2
  /// action_leg_2 and value_leg_2.
  std::size_t legs = 1;
  /// Start level of a partial policy; nullopt if complete.
  std::optional<TimeLevel> from_start = {};
  Decisions decisions = {};
  EnergyModel energy = {};  ///< sets the unit of values if the objective counts energy
};

/// Writes policy.h5 (docs/plan/outputs.md) level by level as the solver finds them, in any order,
/// levels 0 … last. The file appears at finish(), complete or not at all. Errors:
/// InputError for a path that cannot be written to, RunError when writing fails.
class PolicyWriter final : public PolicySink {
 public:
  /// `mission_text`: the resolved mission (TOML), echoed as the root attribute `mission`.
  PolicyWriter(const std::filesystem::path& path, const EnvironmentInfo& info,
               const std::vector<Action>& actions, const std::string& mission_text, TimeLevel last,
               const PolicyOrigin& origin = {});

  /// Longitude and latitude of the cell centres [degrees], (y, x), and the meridian convergence
  /// that follows from them; for maps and bearings. Optional, once.
  void write_longitude_latitude(const std::vector<double>& longitude,
                                const std::vector<double>& latitude);
  /// The CF grid mapping of the projection; optional, once, after
  /// write_longitude_latitude() if that is called.
  void write_grid_mapping(const GridMapping& mapping);
  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;
  void finish();

 private:
  void define(const EnvironmentInfo& info, const std::vector<Action>& actions,
              const PolicyOrigin& origin);
  void define_profiles(const EnvironmentInfo& info, const std::vector<Action>& actions);
  void define_leg(const EnvironmentInfo& info, const PolicyOrigin& origin, std::size_t leg);
  /// The variables of all legs.
  std::vector<std::string> variables() const;

  Grid grid_;
  TimeLevel last_;
  std::size_t legs_;
  AtomicFile atomic_;
  Hdf5File file_;
  ChunkPacker packer_;
};

/// Reads policy.h5 back, level by level. Errors: InputError naming file, variable and remedy.
class PolicyFile final : public PolicySource {
 public:
  explicit PolicyFile(const std::filesystem::path& path);
  PolicyFile(PolicyFile&& other) noexcept;
  PolicyFile& operator=(PolicyFile&&) = delete;

  const std::filesystem::path& path() const { return file().path(); }
  /// The file, for access to its attributes.
  const Hdf5File& file() const { return file_.file(); }
  const Grid& grid() const { return grid_; }
  /// Time axis of the levels 0 … last_level().
  const TimeAxis& time() const { return time_; }
  TimeLevel last_level() const { return TimeLevel(time_.level_count - 1); }
  /// Number of legs of its mission.
  std::size_t leg_count() const { return later_legs_.size() + 1; }
  /// The mission that it was made for (TOML). Errors: InputError if the file has none.
  const std::string& mission_text() const;
  /// Speed and heading of each action; displacements are computed for this grid.
  const std::vector<Action>& actions() const { return actions_; }
  /// The profiles of Action::profile; empty if there is one velocity.
  const std::vector<EnvironmentProfile>& profiles() const { return profiles_; }

  /// Fingerprint of the environment's file (PolicyOrigin); empty if not recorded.
  const std::string& environment_fingerprint() const { return environment_fingerprint_; }

  /// The states that it covers. Other states have no action and a NaN value.
  PolicyExtent extent() const { return extent_; }

  /// Levels at which actions are decided. The levels between hold the best action of a vehicle that
  /// may decide there once and then holds it until the next of these.
  const Decisions& decisions() const { return decisions_; }

  /// Reads the whole policy and refuses contents that no plan produces: a value that is not finite
  /// (except outside the covered states), an unknown action, no action at all. Errors: InputError.
  void validate() const;
  /// Refuses a policy whose actions are not those of its mission. Errors: InputError.
  void require_actions(const std::vector<Action>& actions) const;

  /// The difference of an environment's cells or levels from those of this policy; empty if there
  /// is none. Further levels after the policy's last one are no difference.
  std::string difference_of_cells(const EnvironmentInfo& info) const;
  /// Refuses an environment with other cells or times than those of this policy. `environment`: its
  /// path, for the message.
  void require_match(const EnvironmentInfo& info, const std::filesystem::path& environment) const;

  /// Places of its cell centres [degrees], (y, x), both NaN if a cell has none.
  struct Positions {
    std::vector<double> longitude, latitude;
  };
  bool has_positions() const { return has_positions_; }
  /// Requires has_positions(). Errors: InputError.
  Positions read_positions() const;

  /// Reads a level, (y, x). Errors: InputError for a level or an action that does not exist.
  void read_action(TimeLevel k, View<std::int16_t> action) const override;
  void read_value(TimeLevel k, View<float> value) const override;
  /// Errors: InputError for a leg that does not exist.
  const PolicySource& leg(std::size_t n) const override;

 private:
  /// A leg after the first.
  class Leg final : public PolicySource {
   public:
    Leg(const PolicyFile& file, std::size_t n) : file_(file), n_(n) {}
    void read_action(TimeLevel k, View<std::int16_t> action) const override {
      file_.read_action_of(n_, k, action);
    }
    void read_value(TimeLevel k, View<float> value) const override {
      file_.read_value_of(n_, k, value);
    }

   private:
    const PolicyFile& file_;
    std::size_t n_;
  };

  void validate_leg(std::size_t leg) const;
  void read_action_of(std::size_t leg, TimeLevel k, View<std::int16_t> action) const;
  void read_value_of(std::size_t leg, TimeLevel k, View<float> value) const;
  [[noreturn]] void refuse(const std::string& what) const;
  void require_level(TimeLevel k) const;
  DatasetRule action_rule(std::size_t leg) const;
  DatasetRule value_rule(std::size_t leg) const;
  void read_layout();
  void read_legs();
  void require_positions();
  void read_actions();
  void read_profiles();
  void read_decisions();

  CheckedFile file_;
  Grid grid_;
  TimeAxis time_;
  bool has_positions_ = false;
  std::vector<Action> actions_;
  std::vector<EnvironmentProfile> profiles_;
  std::string mission_text_;
  std::string environment_fingerprint_;
  PolicyExtent extent_ = PolicyExtent::whole;
  Decisions decisions_;
  std::vector<Leg> later_legs_;
};

/// Copies the policy `from` to `to` with another mission that has the same policy: another start,
/// departure or rollout. Atomic. Errors: RunError.
void copy_policy(const std::filesystem::path& from, const std::filesystem::path& to,
                 const std::string& mission_text);

}  // namespace tidewise
