// The tables of docs/missions.md, compared with the table of keys.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "planner/mission/read/key_table.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the texts between backticks.
std::vector<std::string> quoted(const std::string& cell) {
  static const std::regex code("`([^`]*)`");
  std::vector<std::string> texts;
  for (std::sregex_iterator match(cell.begin(), cell.end(), code), end; match != end; ++match) {
    texts.push_back((*match)[1]);
  }
  return texts;
}

/// Returns the keys from `first` to `last`, in the order of the table of keys.
std::vector<std::string> keys_between(const std::string& first, const std::string& last) {
  std::vector<std::string> keys;
  for (const MissionKey& key : mission_keys()) {
    if (!keys.empty() || key.name == first) keys.push_back(key.name);
    if (key.name == last) break;
  }
  return keys;
}

/// Returns the cell of the default of each key in the page.
std::map<std::string, std::string> defaults_of_page() {
  std::ifstream page(std::string(TIDEWISE_CONFIGS) + "/../docs/missions.md");
  static const std::regex heading("### \\[(\\w+)\\]");
  static const std::regex row("\\| (`[^|]*) \\|[^|]*\\| ?([^|]*?) ?\\|.*");
  std::map<std::string, std::string> defaults;
  std::string table;
  std::smatch found;
  for (std::string line; std::getline(page, line);) {
    if (std::regex_match(line, found, heading)) {
      table = found[1];
    } else if (line.starts_with("#")) {
      table.clear();
    } else if (!table.empty() && std::regex_match(line, found, row)) {
      std::vector<std::string> keys;
      for (const std::string& name : quoted(found[1])) keys.push_back(table + "." + name);
      if (found[1].str().find("…") != std::string::npos) {
        keys = keys_between(keys.front(), keys.back());
      }
      for (const std::string& key : keys) {
        EXPECT_TRUE(defaults.emplace(key, found[2]).second) << key << " stands there twice";
      }
    }
  }
  return defaults;
}

/// Returns the value in a cell: a number, or the text in backticks at its beginning.
Json value_in(const std::string& cell) {
  const bool is_code = cell.starts_with("`");
  return Json::parse(is_code ? quoted(cell).front() : cell, nullptr, false);
}

TEST(MissionsPage, HasEveryKeyAndNoOther) {
  auto page = defaults_of_page();
  for (const MissionKey& key : mission_keys()) {
    EXPECT_EQ(page.erase(key.name), 1U) << key.name << " has no row in docs/missions.md";
  }
  for (const auto& [key, cell] : page) ADD_FAILURE() << "docs/missions.md has a row of " << key;
}

TEST(MissionsPage, GivesTheDefaults) {
  const RunRequest defaults;
  const auto page = defaults_of_page();
  std::size_t values = 0;
  for (const MissionKey& key : mission_keys()) {
    const auto row = page.find(key.name);
    if (row == page.end()) continue;
    Json documented = value_in(row->second);
    if (row->second == "their own names") documented = key.name.substr(key.name.rfind('.') + 1);
    const Json found = key.echo(defaults);
    // Some defaults are not values: "needed", "all cores", "to the last level".
    if (row->second == "needed") continue;
    if (documented.is_discarded() || documented == Json::array()) {
      EXPECT_TRUE(found.is_null() || found.empty()) << key.name << " has the default " << found;
    } else {
      EXPECT_EQ(documented, found) << key.name;
      ++values;
    }
  }
  EXPECT_GT(values, 15U);
}

}  // namespace
}  // namespace tidewise
