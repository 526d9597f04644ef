#include "planner/mission/read/keys.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/error.h"
#include "planner/error/codes.h"
#include "planner/mission/read/key_table.h"

namespace tidewise {
namespace {

/// Returns the number of letters to change, insert, leave out or swap with a neighbour to turn `a`
/// into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

std::vector<std::string_view> key_names() {
  std::vector<std::string_view> names;
  for (const MissionKey& key : mission_keys()) names.push_back(key.name);
  return names;
}

std::string_view last_part(std::string_view key) { return key.substr(key.rfind('.') + 1); }

bool is_table_of_keys(std::string_view key) {
  const MissionKeys& keys = mission_keys();
  return std::any_of(keys.begin(), keys.end(), [&](const MissionKey& key_of_table) {
    const std::string_view known = key_of_table.name;
    return known.size() > key.size() && known.starts_with(key) && known[key.size()] == '.';
  });
}

/// The tables that known keys lie in: environment, environment.names, …
std::vector<std::string_view> mission_tables() {
  std::vector<std::string_view> tables;
  for (const auto key : key_names()) {
    for (auto point = key.find('.'); point != std::string_view::npos;
         point = key.find('.', point + 1)) {
      const auto table = key.substr(0, point);
      if (std::find(tables.begin(), tables.end(), table) == tables.end()) tables.push_back(table);
    }
  }
  return tables;
}

/// The known key nearest to a wrong one: the likeliest spelling, or the same word in another table.
std::string suggestion(std::string_view key) {
  const std::vector<std::string_view> keys = key_names();
  if (const std::string near = nearest_word(key, keys); !near.empty()) return near;
  for (const auto known : keys) {
    if (last_part(known) == last_part(key)) return std::string(known);
  }
  return {};
}

/// The table that a key lies in: its name up to the last point; empty at the top.
std::string table_of(const std::string& key) {
  const auto point = key.rfind('.');
  return point == std::string::npos ? "" : key.substr(0, point);
}

/// Keys allowed directly in a table ("" is the top).
std::string words_in_table(const std::string& table) {
  std::vector<std::string_view> words;
  const std::string prefix = table.empty() ? "" : table + ".";
  for (const auto key : key_names()) {
    if (!key.starts_with(prefix)) continue;
    const auto rest = key.substr(prefix.size());
    const auto word = rest.substr(0, rest.find('.'));
    if (words.empty() || words.back() != word) words.push_back(word);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

[[noreturn]] void refuse_unknown(const TomlEntry& entry) {
  const bool is_table = std::holds_alternative<TomlValue::Table>(entry.value.content);
  const std::string near =
      is_table ? nearest_word(entry.key, mission_tables()) : suggestion(entry.key);
  const char* kind = is_table ? "table" : "key";
  if (!near.empty()) {
    throw input_error(errors::key_misspelled, entry.place, kind, entry.key, near);
  }
  std::string table = table_of(entry.key);
  if (!is_table_of_keys(table)) table.clear();
  throw input_error(errors::key_unknown, entry.place, kind, entry.key,
                    table.empty() ? "a mission" : table, words_in_table(table));
}

}  // namespace

std::string nearest_word(std::string_view word, const std::vector<std::string_view>& candidates) {
  std::string_view nearest;
  // A word with more different letters is not similar.
  std::size_t min = std::max<std::size_t>(2, word.size() / 4) + 1;
  for (const auto candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < min && distance < candidate.size()) {
      min = distance;
      nearest = candidate;
    }
  }
  if (!nearest.empty()) return std::string(nearest);
  // Else returns the only candidate that begins with the word.
  constexpr std::size_t min_beginning = 3;
  const auto begins = [&](std::string_view candidate) { return candidate.starts_with(word); };
  const auto first = std::find_if(candidates.begin(), candidates.end(), begins);
  const bool is_only = word.size() >= min_beginning && first != candidates.end() &&
                       std::find_if(std::next(first), candidates.end(), begins) == candidates.end();
  return is_only ? std::string(*first) : std::string();
}

void refuse_unknown_keys(const std::vector<TomlEntry>& entries) {
  for (const auto& entry : entries) {
    const MissionKey* key = find_key(entry.key);
    const bool is_key = key != nullptr;
    const bool is_table = std::holds_alternative<TomlValue::Table>(entry.value.content);
    if (is_key && is_table && !key->path_in_tables.empty()) {
      throw input_error(errors::key_is_table_list, entry.place, entry.key, entry.key);
    }
    if (is_key && is_table) {
      throw input_error(errors::key_is_table, entry.place, entry.key);
    }
    if (is_key) continue;
    if (is_table_of_keys(entry.key)) {
      if (is_table) continue;
      throw input_error(errors::key_is_not_table, entry.place, entry.key, to_text(entry.value),
                        words_in_table(entry.key));
    }
    refuse_unknown(entry);
  }
}

}  // namespace tidewise
