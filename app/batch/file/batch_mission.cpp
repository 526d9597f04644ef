#include "app/batch/file/batch_mission.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/batch/file/mission_identity.h"
#include "app/error/codes.h"
#include "base/error.h"

namespace tidewise {
namespace {

constexpr std::size_t longest_name = 100;  // bytes; file systems allow 255

std::size_t mission_count(const BatchFile& file) {
  std::size_t count = 1;
  for (const auto& axis : file.axes) {
    count = axis.values.size() * (file.combine == Combination::zip ? 1 : count);
    if (count > max_missions) {
      throw input_error(errors::too_many_missions, file.name, max_missions);
    }
  }
  return count;  // zipped lists have equal lengths
}

/// The values of all axes for mission `index`.
std::vector<const AxisValue*> values_of(const BatchFile& file, std::size_t index) {
  std::vector<const AxisValue*> values(file.axes.size());
  for (std::size_t a = file.axes.size(); a-- > 0;) {
    const auto& axis = file.axes[a];
    const bool zip = file.combine == Combination::zip;
    values[a] = &axis.values[zip ? index : index % axis.values.size()];
    if (!zip) index /= axis.values.size();
  }
  return values;
}

/// The keys that the batch varies, in the order of their first occurrence.
std::vector<std::string> varied_keys(const BatchFile& file) {
  std::vector<std::string> keys;
  for (const auto& axis : file.axes) {
    for (const auto& value : axis.values) {
      for (const auto& change : value.changes) {
        if (std::find(keys.begin(), keys.end(), change.key) == keys.end()) {
          keys.push_back(change.key);
        }
      }
    }
  }
  return keys;
}

std::string plain_text(const TomlValue& value) {
  const auto* text = std::get_if<std::string>(&value.content);
  return text != nullptr ? *text : to_text(value);
}

/// Opens the base mission and applies the settings.
MissionDocument open_base(const BatchFile& file, const std::vector<Setting>& settings,
                          const std::vector<std::string>& varied) {
  MissionDocument base = open_mission(file.mission);
  for (const auto& setting : settings) {
    for (const auto& entry : parse_setting(setting)) {
      if (std::find(varied.begin(), varied.end(), entry.key) != varied.end()) {
        throw input_error(errors::key_varied_and_fixed, entry.place, entry.key, file.name);
      }
      base.entries = override_entries(std::move(base.entries), {entry});
    }
  }
  return base;
}

void refuse_equal_missions(const BatchFile& file, const std::vector<BatchMission>& missions) {
  std::map<std::string, const BatchMission*> seen;
  for (const auto& mission : missions) {
    const auto [known, is_new] = seen.emplace(identity_of(mission.request).dump(), &mission);
    if (is_new) continue;
    throw input_error(errors::missions_equal, file.name, known->second->index, mission.index,
                      known->second->name, mission.name);
  }
}

}  // namespace

std::string directory_name(std::size_t index, std::size_t count, const std::string& name) {
  const std::size_t digits = std::max<std::size_t>(4, std::to_string(count - 1).size());
  std::string directory = fmt::format("{:0{}}", index, digits);
  if (!name.empty() && name.size() <= longest_name) directory += "_" + name;
  return directory;
}

std::vector<BatchMission> expand_batch(const BatchFile& file,
                                       const std::vector<Setting>& settings) {
  const std::size_t count = mission_count(file);
  const auto keys = varied_keys(file);
  const MissionDocument base = open_base(file, settings, keys);
  std::vector<BatchMission> missions;
  missions.reserve(count);
  for (std::size_t index = 0; index < count; ++index) {
    BatchMission mission;
    mission.index = index;
    std::vector<TomlEntry> changes;
    const auto values = values_of(file, index);
    for (std::size_t a = 0; a < values.size(); ++a) {
      // a value that all missions share distinguishes none
      if (count == 1 || file.axes[a].values.size() > 1) {
        mission.name += (mission.name.empty() ? "" : "_") + values[a]->label;
      }
      changes.insert(changes.end(), values[a]->changes.begin(), values[a]->changes.end());
    }
    mission.directory = directory_name(index, count, mission.name);
    mission.request = make_mission(base, changes);
    mission.request.output.directory = file.directory / mission.directory;
    // Baseline controllers add three flights to each flight of the plan; a batch simulates them
    // only on request.
    if (!mission.request.places.contains("rollout.baselines")) {
      mission.request.rollout.baselines = BaselineChoice::none;
    }
    for (const auto& key : keys) {
      const auto change = std::find_if(changes.begin(), changes.end(),
                                       [&](const TomlEntry& entry) { return entry.key == key; });
      mission.varied.emplace_back(key, change == changes.end() ? "" : plain_text(change->value));
    }
    missions.push_back(std::move(mission));
  }
  refuse_equal_missions(file, missions);
  return missions;
}

}  // namespace tidewise
