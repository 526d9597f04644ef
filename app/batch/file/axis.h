#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/mission/read/toml_document.h"

namespace tidewise {

/// One value of an axis: the keys of a mission that it changes, and a label, which names folders
/// and table rows.
struct AxisValue {
  std::string label;
  std::vector<TomlEntry> changes;
};

/// One dimension in which the missions of a batch differ.
struct BatchAxis {
  std::string key;    ///< a mission's key or table of keys; "mission" for the list [[mission]]
  std::string place;  ///< position for messages: "batch.toml:7"
  std::vector<AxisValue> values;
};

/// The axis of one entry under [vary]. `key`: the entry's key without "vary.". The entry is a list
/// of values, or of tables that change several keys of the table `key` at once. Files of
/// environment.file become absolute paths, and patterns the sorted paths that match; relative paths
/// start at `folder`. Errors: InputError with place, key, the value and what is allowed.
BatchAxis read_axis(const TomlEntry& entry, const std::string& key,
                    const std::filesystem::path& folder);

/// The axis of [[mission]]: tables with complete keys, such as mission.start. Errors: as above.
BatchAxis read_mission_list(const TomlEntry& entry, const std::filesystem::path& folder);

}  // namespace tidewise
