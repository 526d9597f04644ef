// The tables of docs/missions.md, held against the table of keys.

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

/// The texts between backticks.
std::vector<std::string> quoted(const std::string& cell) {
  static const std::regex code("`([^`]*)`");
  std::vector<std::string> found;
  for (std::sregex_iterator one(cell.begin(), cell.end(), code), none; one != none; ++one) {
    found.push_back((*one)[1]);
  }
  return found;
}

/// The keys from one to another, in the order of the table of keys.
std::vector<std::string> keys_between(const std::string& first, const std::string& last) {
  std::vector<std::string> keys;
  for (const MissionKey& key : mission_keys()) {
    if (!keys.empty() || key.name == first) keys.push_back(key.name);
    if (key.name == last) break;
  }
  return keys;
}

/// The default's cell of each key that the page has.
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

/// The value that a cell gives as one: a number, or what stands in backticks at its beginning.
Json value_in(const std::string& cell) {
  const bool code = cell.starts_with("`");
  return Json::parse(code ? quoted(cell).front() : cell, nullptr, false);
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
    // "needed", "all cores", "to the last level": defaults that are no value.
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
