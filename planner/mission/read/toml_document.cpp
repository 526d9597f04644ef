#include "planner/mission/read/toml_document.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "base/file/text_file.h"
#include "base/nesting.h"
#include "base/printable.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace {

void flatten(const toml::table& table, const std::string& prefix, const std::string& name,
             std::vector<TomlEntry>& entries);

/// Converts a value within a list. Unlike other tables, a table in a list keeps its content.
TomlValue to_element(const toml::node& node, const std::string& name);

TomlValue to_value(const toml::node& node, const std::string& name) {
  if (const auto* value = node.as_boolean()) return {value->get()};
  if (const auto* value = node.as_integer()) return {value->get()};
  if (const auto* value = node.as_floating_point()) return {value->get()};
  if (const auto* value = node.as_string()) return {value->get()};
  if (node.is_table()) return {TomlValue::Table{}};
  if (const auto* array = node.as_array()) {
    TomlValue::Array values;
    for (const auto& element : *array) values.push_back(to_element(element, name));
    return {std::move(values)};
  }
  std::ostringstream text;
  if (const auto* value = node.as_date()) text << value->get();
  if (const auto* value = node.as_time()) text << value->get();
  if (const auto* value = node.as_date_time()) text << value->get();
  return {TomlValue::Other{text.str()}};
}

void flatten(const toml::table& table, const std::string& prefix, const std::string& name,
             std::vector<TomlEntry>& entries) {
  for (const auto& [key, node] : table) {
    const std::string full_name = prefix + std::string(key.str());
    const toml::source_position& begin = node.source().begin;
    entries.push_back({full_name, to_value(node, name), fmt::format("{}:{}", name, begin.line),
                       TomlOrigin::file, begin.line, begin.column});
    if (const auto* inner = node.as_table()) flatten(*inner, full_name + ".", name, entries);
  }
}

TomlValue to_element(const toml::node& node, const std::string& name) {
  const auto* table = node.as_table();
  if (table == nullptr) return to_value(node, name);
  TomlValue::Table content;
  flatten(*table, "", name, content.entries);
  return {std::move(content)};
}

/// Parses `text` as the right-hand side of a TOML line; nullopt if it is none.
std::optional<toml::table> as_right_hand_side(const std::string& text, const std::string& place) {
  try {
    require_shallow(text, NestedText::toml, place);
    toml::table table = toml::parse("value = " + text + "\n");
    if (table.size() == 1) return table;
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
  return std::nullopt;
}

/// True for text without quotes that is taken as a string.
bool is_bare_text(const std::string& text) {
  constexpr std::string_view marks = "_-+./~ :,@%()=";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || byte >= 0x80 || marks.find(c) != std::string_view::npos;
  });
}

std::string to_full_text(const TomlValue& value) {
  struct Writer {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return fmt::format("{}", v); }
    std::string operator()(double v) const { return fmt::format("{}", v); }
    std::string operator()(const std::string& v) const { return quote_toml(v); }
    std::string operator()(const TomlValue::Table&) const { return "a table"; }
    std::string operator()(const TomlValue::Other& v) const { return v.text; }
    std::string operator()(const TomlValue::Array& values) const {
      std::string text;
      for (const auto& v : values) text += (text.empty() ? "" : ", ") + to_full_text(v);
      return "[" + text + "]";
    }
  };
  return std::visit(Writer{}, value.content);
}

}  // namespace

std::string to_text(const TomlValue& value) {
  constexpr std::size_t longest = 60;
  std::string text = to_full_text(value);
  if (text.size() > longest) text = text.substr(0, longest) + "…";
  return text;
}

std::vector<TomlEntry> parse_toml(const std::string& text, const std::string& name) {
  try {
    require_shallow(text, NestedText::toml, name);
    std::vector<TomlEntry> entries;
    flatten(toml::parse(text, name), "", name, entries);
    return entries;
  } catch (const toml::parse_error& error) {
    throw input_error(errors::not_toml, name, error.source().begin.line, error.description());
  }
}

std::vector<TomlEntry> read_toml(const std::filesystem::path& path, std::string_view kind) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw input_error(errors::mission_file_missing, path.string(), kind);
  }
  if (std::filesystem::is_directory(path, ignored)) {
    throw input_error(errors::mission_file_is_folder, path.string(), kind);
  }
  const std::string beginning = read_beginning(path, 4);
  if (beginning == "\x89HDF" || beginning.starts_with("CDF")) {
    throw input_error(errors::mission_is_hdf5, path.string(), kind);
  }
  return parse_toml(read_text_file(path, text_format::toml), path.string());
}

std::vector<TomlEntry> parse_setting(const Setting& setting) {
  const std::string& place = setting.place;
  const std::string& assignment = setting.assignment;
  if (!is_utf8(assignment)) {
    throw input_error(errors::mission_name_not_utf8, place);
  }
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw input_error(errors::setting_without_value, place);
  }
  const std::string key = assignment.substr(0, equals);
  const std::string text = assignment.substr(equals + 1);
  std::vector<TomlEntry> entries;
  if (const auto table = as_right_hand_side(text, place)) {
    const toml::node& node = *table->get("value");
    entries.push_back({key, to_value(node, place), place, TomlOrigin::command_line});
    if (const auto* inner = node.as_table()) flatten(*inner, key + ".", place, entries);
  } else if (is_bare_text(text)) {
    entries.push_back({key, {text}, place, TomlOrigin::command_line});
  } else {
    throw input_error(errors::setting_value_not_toml, place);
  }
  for (auto& entry : entries) {
    entry.place = place;
    entry.origin = TomlOrigin::command_line;
  }
  return entries;
}

std::vector<TomlEntry> override_entries(std::vector<TomlEntry> entries,
                                        const std::vector<TomlEntry>& settings) {
  for (const auto& setting : settings) {
    const auto existing = std::find_if(entries.begin(), entries.end(),
                                       [&](const TomlEntry& e) { return e.key == setting.key; });
    if (existing == entries.end()) {
      entries.push_back(setting);
    } else if (!std::holds_alternative<TomlValue::Table>(setting.value.content) ||
               !std::holds_alternative<TomlValue::Table>(existing->value.content)) {
      *existing = setting;
    }
  }
  return entries;
}

std::string quote_toml(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\u{:04X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace tidewise
