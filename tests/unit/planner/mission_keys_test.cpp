// The table of keys, compared with the effect of each key.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "planner/mission/read/key_table.h"
#include "tidewise/mission_file.h"

namespace tidewise {
namespace {

const std::map<std::string, std::string> plain_keys{
    {"vehicle.speeds", "[1.0]"},
    {"vehicle.headings", "8"},
    {"mission.start", "[10.5, 5.5]"},
    {"mission.target", "[10.5, 14.5]"},
    {"mission.objective", "energy"},
    {"mission.horizon", "20"},
    {"mission.failure.obstacle", "-50"},
    {"mission.failure.outside", "-50"},
    {"mission.failure.late", "-40"},
    {"vehicle.energy.c_f", "1.5"},
    {"planner.backend", "cpu"},
    {"planner.threads", "2"},
    {"rollout.mode", "none"},
};

/// Another value of each key. It is empty if the key cannot change the policy of this mission,
/// whose environment has no map.
const std::map<std::string, std::string> other_values{
    {"environment.file", ""},
    {"vehicle.preset", ""},  // in metres and seconds, but the environment has no units
    {"vehicle.speeds", "[0.5]"},
    {"vehicle.headings", "12"},
    {"vehicle.battery", "3.0"},
    {"vehicle.speed_error", "0.25"},
    {"vehicle.heading_error", "20.0"},
    {"vehicle.energy.c_f", "2.0"},
    {"vehicle.energy.c_t", "0.5"},
    {"mission.objective", "time"},
    {"mission.start", "[6.5, 5.5]"},
    {"mission.start_lonlat", ""},
    {"mission.start_polygon", "[[3, 3], [8, 3], [8, 5]]"},
    {"mission.start_polygon_lonlat", ""},
    {"mission.target", "[6.5, 14.5]"},
    {"mission.target_lonlat", ""},
    {"mission.target_polygon", "[[8, 13], [13, 13], [13, 16]]"},
    {"mission.target_polygon_lonlat", ""},
    {"mission.follow", ""},  // replaces the target
    {"mission.target_radius", "2.0"},
    {"mission.via", "[{point = [14.5, 10.5]}]"},
    {"mission.departure", ""},  // with the horizon it sets the last level
    {"mission.horizon", ""},
    {"mission.deadline", ""},
    {"mission.decide_every", "3"},
    {"mission.no_go", "[{polygon = [[5, 9], [9, 9], [9, 11]]}]"},
    {"mission.arrival_reward", "20.0"},
    {"mission.failure_penalty", ""},  // replaces the three penalties
    {"mission.failure.obstacle", "-90.0"},
    {"mission.failure.outside", "-90.0"},
    {"mission.failure.late", "-90.0"},
    {"mission.harvest.c_r", ""},  // there is no field to harvest
    {"mission.weight.alpha", ""},
    {"planner.engine", "direct"},  // the same bits by another engine
    {"planner.landing", "cell"},
    {"planner.margin", "2.5"},
    {"planner.backend", "auto"},
    {"planner.threads", "2"},
    {"planner.subgrid_radius", "6"},
    {"planner.device", ""},
    {"planner.devices", "[]"},
    {"planner.device_memory", "\"1 GiB\""},
    {"planner.block_size", "128"},
    {"rollout.mode", "continuous"},
    {"rollout.realizations", "3"},
    {"rollout.flights", "7"},
    {"rollout.seed", "5"},
    {"rollout.baselines", "none"},
    {"rollout.deadlines", "[10]"},
    {"output.directory", "elsewhere"},
    {"vehicle.profiles", ""},  // the environment has one velocity
    {"vehicle.profile_speeds", ""},
    {"vehicle.profile_power", ""},
    {"vehicle.surface_drift", ""},
    {"vehicle.vertical_speed", "0.2"},
    {"output.formats", "[\"netcdf\", \"csv\"]"},
};

std::vector<std::string> settings_of(const std::map<std::string, std::string>& keys) {
  std::vector<std::string> settings;
  settings.reserve(keys.size());
  for (const auto& [key, value] : keys) settings.emplace_back(key).append("=").append(value);
  return settings;
}

/// A mission with one key changed, and without the key's alternatives.
std::vector<std::string> settings_with(const MissionKey& key, const std::string& value) {
  auto keys = plain_keys;
  std::erase_if(keys, [&](const auto& entry) {
    const MissionKey* alternative = find_key(entry.first);
    return !key.says.empty() && alternative->says == key.says;
  });
  keys[key.name] = value;
  return settings_of(keys);
}

struct PolicyData {
  std::vector<std::int16_t> actions;
  std::vector<float> values;
  friend bool operator==(const PolicyData&, const PolicyData&) = default;
};

PolicyData solve(const Environment& environment, const std::vector<std::string>& settings) {
  const Policy policy = plan(environment, mission_of_settings(settings, "mission")).policy();
  PolicyData result;
  for (std::int32_t level = 0; level < 20; ++level) {
    const auto actions = policy.action_plane(level);
    const auto values = policy.value_plane(level);
    result.actions.insert(result.actions.end(), actions.begin(), actions.end());
    result.values.insert(result.values.end(), values.begin(), values.end());
  }
  return result;
}

TEST(MissionKeys, ChangeThePolicyExactlyIfTheTableListsThem) {
  const auto environment =
      Environment::double_gyre({.nx = 20, .ny = 20, .levels = 22, .modes = 1, .realizations = 5});
  const PolicyData plain_policy = solve(environment, settings_of(plain_keys));
  for (const MissionKey& key : mission_keys()) {
    if (key.name.starts_with("environment.names.")) continue;
    ASSERT_TRUE(other_values.contains(key.name))
        << key.name << " is new: give it another value here";
    const std::string& value = other_values.at(key.name);
    if (value.empty()) continue;
    const bool is_same = solve(environment, settings_with(key, value)) == plain_policy;
    const bool keeps_policy = key.changes != Changes::counts && key.changes != Changes::policy;
    const bool is_same_by_design =
        key.name == "planner.engine" || key.name == "planner.subgrid_radius";
    EXPECT_EQ(is_same, keeps_policy || is_same_by_design) << key.name;
  }
}

}  // namespace
}  // namespace tidewise
