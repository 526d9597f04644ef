#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/mission/read/toml_document.h"

namespace tidewise {

/// One value of an axis: the keys of a mission that it changes, and a word for folders and tables.
struct AxisValue {
  std::string label;
  std::vector<TomlEntry> changes;
};

/// One thing that a batch varies.
struct BatchAxis {
  std::string key;    ///< of a mission, or a table of keys; "mission" for the list [[mission]]
  std::string place;  ///< "batch.toml:7"
  std::vector<AxisValue> values;
};

/// The axis of one entry under [vary], whose key is `key` without "vary.": a list of values, or of
/// tables that change several keys of the table `key` at once. Files and patterns of
/// environment.file become absolute paths, those of a pattern sorted; relative ones count from
/// `folder`. Errors: InputError with place, key, what was found and what is allowed.
BatchAxis read_axis(const TomlEntry& entry, const std::string& key,
                    const std::filesystem::path& folder);

/// The axis of [[mission]]: tables of whole keys. Errors: as above.
BatchAxis read_mission_list(const TomlEntry& entry, const std::filesystem::path& folder);

}  // namespace tidewise
