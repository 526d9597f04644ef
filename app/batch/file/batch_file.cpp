#include "app/batch/file/batch_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "app/error/codes.h"
#include "base/error.h"
#include "planner/mission/read/key_reader.h"
#include "planner/mission/read/keys.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

const std::vector<std::string_view> batch_keys{"batch.mission",  "batch.directory", "batch.combine",
                                               "batch.policies", "batch.tracks",    "batch.memory"};

bool is_table(const TomlEntry& entry) {
  return std::holds_alternative<TomlValue::Table>(entry.value.content);
}

[[noreturn]] void refuse_foreign(const TomlEntry& entry) {
  if (entry.key == "mission" || entry.key.starts_with("mission.")) {
    throw input_error(errors::batch_key_misplaced, entry.place, entry.key);
  }
  std::vector<std::string_view> words = batch_keys;
  words.insert(words.end(), {"batch", "vary", "mission"});
  const std::string near = nearest_word(entry.key, words);
  if (!near.empty()) {
    throw input_error(errors::batch_key_misspelled, entry.place, entry.key, near);
  }
  throw input_error(errors::batch_key_unknown, entry.place, entry.key);
}

/// Keys of `entries` that are not inside another axis: of "vary.vehicle" given as a list of tables
/// the content is in the list.
std::vector<BatchAxis> read_axes(std::vector<const TomlEntry*> varied, const fs::path& folder) {
  std::sort(varied.begin(), varied.end(), [](const TomlEntry* a, const TomlEntry* b) {
    return std::tie(a->line, a->column) < std::tie(b->line, b->column);
  });
  std::vector<BatchAxis> axes;
  for (const TomlEntry* entry : varied) {
    axes.push_back(read_axis(*entry, entry->key.substr(std::string_view("vary.").size()), folder));
  }
  return axes;
}

/// Two axes must not change the same key: which of them should count?
void refuse_contradictions(const std::vector<BatchAxis>& axes) {
  using Changes = std::map<std::string_view, const TomlEntry*>;  // by key, where first met
  Changes of_earlier_axes;
  for (const auto& axis : axes) {
    Changes own;
    for (const auto& value : axis.values) {
      for (const auto& change : value.changes) own.emplace(change.key, &change);
    }
    for (const auto& [key, change] : own) {
      const auto same = of_earlier_axes.find(key);
      if (same == of_earlier_axes.end()) continue;
      throw input_error(errors::varied_twice, change->place, key, same->second->place);
    }
    of_earlier_axes.merge(own);
  }
}

void refuse_unequal_lengths(const BatchFile& file) {
  for (const auto& axis : file.axes) {
    const auto& first = file.axes.front();
    if (axis.values.size() == first.values.size()) continue;
    throw input_error(errors::zip_lengths_differ, axis.place, axis.key, axis.values.size(),
                      first.key, first.values.size());
  }
}

}  // namespace

BatchFile read_batch_file(const fs::path& path) {
  const auto entries = read_toml(path, "batch");
  const fs::path folder = fs::absolute(path).parent_path();
  const KeyReader keys(entries, path.string());
  BatchFile file;
  file.name = path.string();

  std::vector<const TomlEntry*> varied;
  const TomlEntry* missions = nullptr;
  for (const auto& entry : entries) {
    const bool known =
        std::find(batch_keys.begin(), batch_keys.end(), entry.key) != batch_keys.end();
    if (known) continue;
    if (entry.key == "batch" || entry.key == "vary") {
      if (!is_table(entry)) KeyReader::refuse(entry, fmt::format("a table, [{}]", entry.key));
    } else if (entry.key.starts_with("vary.")) {
      if (!is_table(entry)) varied.push_back(&entry);
    } else if (entry.key == "mission" && !is_table(entry)) {
      missions = &entry;
    } else {
      refuse_foreign(entry);
    }
  }
  const auto mission = keys.text("batch.mission");
  if (!mission) keys.refuse_missing("batch.mission", "mission = \"base.toml\" under [batch]");
  file.mission = (folder / *mission).lexically_normal();
  const auto directory = keys.text("batch.directory");
  file.directory = fs::absolute(directory ? folder / *directory : fs::path("runs") / path.stem())
                       .lexically_normal();
  if (const auto word = keys.choice("batch.combine", {"product", "zip"})) {
    file.combine = static_cast<Combination>(*word);
  }
  if (const auto word = keys.choice("batch.policies", {"all", "none"})) {
    file.policies = static_cast<PolicyFiles>(*word);
  }
  file.tracks = keys.integer("batch.tracks", 1, 1'000'000'000).value_or(file.tracks);
  file.memory = keys.bytes("batch.memory");

  if (missions != nullptr) file.axes.push_back(read_mission_list(*missions, folder));
  for (auto& axis : read_axes(std::move(varied), folder)) file.axes.push_back(std::move(axis));
  if (file.axes.empty()) {
    throw input_error(errors::batch_varies_nothing, file.name);
  }
  refuse_contradictions(file.axes);
  if (file.combine == Combination::zip) refuse_unequal_lengths(file);
  return file;
}

}  // namespace tidewise
