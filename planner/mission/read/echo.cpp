#include "planner/mission/read/echo.h"

#include <fmt/core.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "planner/mission/read/toml_document.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

std::string to_toml_value(const Json& value) {
  if (value.is_string()) return quote_toml(value.get<std::string>());
  constexpr std::uint64_t max = std::numeric_limits<std::int64_t>::max();
  const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > max;  // a seed
  if (value.is_number_float() || too_large) {
    // The shortest text that reads back to the same double; a point keeps it a float.
    std::string text = fmt::format("{}", value.get<double>());
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
  }
  if (value.is_object()) {  // a table in a list
    std::string table;
    for (const auto& [key, element] : value.items()) {
      table += fmt::format("{}{} = {}", table.empty() ? "" : ", ", key, to_toml_value(element));
    }
    return "{ " + table + " }";
  }
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const auto& element : value) text += (text.empty() ? "" : ", ") + to_toml_value(element);
  return "[" + text + "]";
}

/// A table's own values first, then the tables in it, as TOML needs them.
void write_table(const std::string& name, const Json& table, std::string& text) {
  if (!name.empty()) text += fmt::format("[{}]\n", name);
  for (const auto& [key, value] : table.items()) {
    if (!value.is_object()) text += fmt::format("{} = {}\n", key, to_toml_value(value));
  }
  for (const auto& [key, value] : table.items()) {
    if (value.is_object()) write_table(name.empty() ? key : name + "." + key, value, text);
  }
}

}  // namespace

std::string to_toml(const RunRequest& request) {
  std::string text;
  write_table("", to_json(request), text);
  return text;
}

}  // namespace tidewise
