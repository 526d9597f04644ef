#include "app/batch/file/axis.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/batch/file/file_pattern.h"
#include "app/error/codes.h"
#include "base/error.h"
#include "planner/mission/read/key_reader.h"
#include "planner/mission/read/key_table.h"
#include "planner/mission/read/keys.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

constexpr const char* environment_key = "environment.file";

/// Refuses keys that affect only where missions are computed and written, which all missions of a
/// batch share.
void refuse_batch_wide_key(const TomlEntry& change) {
  const MissionKey* key = find_key(change.key);
  if (key == nullptr || key->changes != Changes::nothing) return;
  throw input_error(errors::key_not_variable, change.place, change.key,
                    change.key == "output.directory"
                        ? "give directory under [batch], or --out"
                        : "give it in the base mission, or as an option");
}

/// Returns `text` as part of a folder's name, with '-' for all characters but letters, digits, '.',
/// '-' and '+'. Letters beyond ASCII, whose bytes are 128 and more in UTF-8, are kept.
std::string as_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = byte >= 128 || std::isalnum(byte) != 0;
    word += letter || c == '.' || c == '-' || c == '+' ? c : '-';
  }
  while (!word.empty() && (word.front() == '.' || word.front() == '-')) word.erase(0, 1);
  return word;
}

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// The label of a value, such as "energy", "departure6" or "target3": the value itself if it is a
/// text or a number, else its number on the axis, from 1.
std::string label_of(const std::string& key, const TomlValue& value, std::size_t index) {
  const std::string name = last_part(key);
  if (const auto* text = std::get_if<std::string>(&value.content)) {
    return as_word(key == environment_key ? fs::path(*text).stem().string() : *text);
  }
  if (std::holds_alternative<std::int64_t>(value.content) ||
      std::holds_alternative<double>(value.content)) {
    return name + to_text(value);
  }
  return fmt::format("{}{}", name, index + 1);
}

/// Appends the value's number to empty labels and to labels that several values share.
void make_labels_differ(BatchAxis& axis) {
  std::map<std::string, int> uses;
  for (const auto& value : axis.values) ++uses[value.label];
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    std::string& label = axis.values[i].label;
    if (label.empty() || uses[label] > 1)
      label += fmt::format("{}{}", label.empty() ? "" : "-", i + 1);
  }
}

const TomlValue::Array& list_of(const TomlEntry& entry, std::string_view allowed) {
  const auto* list = std::get_if<TomlValue::Array>(&entry.value.content);
  if (list == nullptr || list->empty()) KeyReader::refuse(entry, allowed);
  return *list;
}

TomlEntry change(const TomlEntry& origin, const std::string& key, TomlValue value) {
  // The entry overrides the base mission, as the command line does. The origin's value, which may
  // be the list for all missions, is not copied.
  return {key,         std::move(value), origin.place, TomlOrigin::command_line,
          origin.line, origin.column};
}

/// Relative paths in a value start from `folder`, like all paths of a batch file.
void make_paths_absolute(const fs::path& folder, TomlEntry& entry) {
  const auto absolute = [&](TomlValue& value) {
    auto* text = std::get_if<std::string>(&value.content);
    if (text != nullptr && !text->empty()) *text = (folder / *text).lexically_normal().string();
  };
  const MissionKey* key = find_key(entry.key);
  if (key == nullptr) return;
  if (key->holds_path) absolute(entry.value);
  auto* tables = std::get_if<TomlValue::Array>(&entry.value.content);
  if (key->path_in_tables.empty() || tables == nullptr) return;
  for (TomlValue& element : *tables) {
    auto* table = std::get_if<TomlValue::Table>(&element.content);
    if (table == nullptr) continue;
    for (TomlEntry& inner : table->entries) {
      if (inner.key == key->path_in_tables) absolute(inner.value);
    }
  }
}

/// Returns an entry for each file that a text of environment.file stands for.
std::vector<TomlEntry> environment_changes(const TomlEntry& entry, const fs::path& folder) {
  const auto* text = std::get_if<std::string>(&entry.value.content);
  if (text == nullptr || text->empty()) {
    KeyReader::refuse(entry, "a list of files and patterns, each text in quotes");
  }
  std::vector<TomlEntry> changes;
  for (const auto& file : expand_file_pattern(folder, *text, entry.place, environment_key)) {
    changes.push_back(change(entry, environment_key, {file.string()}));
  }
  return changes;
}

/// Reads a table of a list: the label is its name, and its keys get `prefix`. `names`: the names of
/// earlier tables.
AxisValue read_table(const TomlValue::Table& table, const std::string& prefix,
                     const fs::path& folder, std::set<std::string>& names) {
  AxisValue value;
  for (const auto& entry : table.entries) {
    if (entry.key == "name") {
      const auto* name = std::get_if<std::string>(&entry.value.content);
      if (name == nullptr || as_word(*name).empty())
        KeyReader::refuse(entry, "text in quotes with a letter or a number");
      value.label = as_word(*name);
      if (!names.insert(value.label).second) {
        KeyReader::refuse(entry, "a name that no other one of the list bears");
      }
      continue;
    }
    if (std::holds_alternative<TomlValue::Table>(entry.value.content)) {
      refuse_unknown_keys({change(entry, prefix + entry.key, entry.value)});
      continue;  // entries with its keys follow
    }
    const std::string key = prefix + entry.key;
    if (key == environment_key) {
      auto files = environment_changes(entry, folder);
      if (files.size() > 1) KeyReader::refuse(entry, "one file; patterns belong under [vary]");
      value.changes.push_back(std::move(files.front()));
    } else {
      value.changes.push_back(change(entry, key, entry.value));
      make_paths_absolute(folder, value.changes.back());
    }
  }
  refuse_unknown_keys(value.changes);
  for (const auto& entry : value.changes) refuse_batch_wide_key(entry);
  return value;
}

}  // namespace

BatchAxis read_axis(const TomlEntry& entry, const std::string& key, const fs::path& folder) {
  BatchAxis axis{key, entry.place, {}};
  const auto& list = list_of(entry, "a list of one or more values, which the batch varies");
  const bool tables = std::all_of(list.begin(), list.end(), [](const TomlValue& value) {
    return std::holds_alternative<TomlValue::Table>(value.content);
  });
  // An unknown key is reported by its own name, whatever the list contains.
  refuse_unknown_keys({change(entry, key, tables ? TomlValue{TomlValue::Table{}} : list.front())});
  std::set<std::string> names;
  for (const auto& element : list) {
    if (tables) {
      axis.values.push_back(
          read_table(std::get<TomlValue::Table>(element.content), key + ".", folder, names));
      if (axis.values.back().label.empty()) {
        axis.values.back().label = fmt::format("{}{}", last_part(key), axis.values.size());
      }
      continue;
    }
    std::vector<TomlEntry> changes{change(entry, key, element)};
    make_paths_absolute(folder, changes.front());
    refuse_unknown_keys(changes);
    refuse_batch_wide_key(changes.front());
    if (key == environment_key) changes = environment_changes(changes.front(), folder);
    for (auto& change : changes) {
      std::string label = label_of(key, change.value, axis.values.size());
      axis.values.push_back({std::move(label), {std::move(change)}});
    }
  }
  make_labels_differ(axis);
  return axis;
}

BatchAxis read_mission_list(const TomlEntry& entry, const fs::path& folder) {
  BatchAxis axis{"mission", entry.place, {}};
  constexpr const char* allowed = "a list of tables, each begun by [[mission]]";
  std::set<std::string> names;
  for (const auto& element : list_of(entry, allowed)) {
    const auto* table = std::get_if<TomlValue::Table>(&element.content);
    if (table == nullptr) KeyReader::refuse(entry, allowed);
    axis.values.push_back(read_table(*table, "", folder, names));
    std::string& label = axis.values.back().label;
    if (label.empty()) label = fmt::format("mission{}", axis.values.size());
  }
  make_labels_differ(axis);
  return axis;
}

}  // namespace tidewise
