#include "planner/mission/read/key_reader.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/byte_size.h"
#include "base/error.h"
#include "planner/error/codes.h"
#include "planner/mission/read/keys.h"

namespace tidewise {
namespace {

/// The value as a double if it is an integer or a finite number; else nullopt.
std::optional<double> as_number(const TomlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value.content)) {
    return static_cast<double>(*integer);
  }
  const auto* real = std::get_if<double>(&value.content);
  return real != nullptr && std::isfinite(*real) ? std::optional<double>(*real) : std::nullopt;
}

bool lies_in(double value, const NumberRange& range) {
  const bool above =
      range.min_is == NumberRange::Limit::included ? value >= range.min : value > range.min;
  return above && value <= range.max;
}

/// True for a text of a number and a unit, such as "3km" or "1 kn".
bool has_unit(const TomlValue& value) {
  const auto* text = std::get_if<std::string>(&value.content);
  if (text == nullptr || text->empty()) return false;
  char* end = nullptr;
  (void)std::strtod(text->c_str(), &end);
  return end != text->c_str() &&
         text->find_first_of("abcdefghijklmnopqrstuvwxyzJKMW") != std::string::npos;
}

/// A hint for a value with a unit; else empty.
std::string_view remark_on_units(const TomlValue& value) {
  const auto* list = std::get_if<TomlValue::Array>(&value.content);
  const bool has_any_unit =
      list != nullptr ? std::any_of(list->begin(), list->end(), has_unit) : has_unit(value);
  return has_any_unit
             ? ", without its unit: m, m/s, s, J where the environment has these (1 kn is 0.514 "
               "m/s)"
             : "";
}

std::string describe(const NumberRange& range) {
  const bool bounded_below = std::isfinite(range.min);
  const bool bounded_above = std::isfinite(range.max);
  if (bounded_below && bounded_above) {
    return fmt::format("a number from {} to {}", range.min, range.max);
  }
  if (bounded_below) {
    return range.min_is == NumberRange::Limit::included
               ? fmt::format("a number of {} or more", range.min)
               : fmt::format("a number above {}", range.min);
  }
  if (bounded_above) return fmt::format("a number of {} or less", range.max);
  return "a finite number";
}

}  // namespace

const TomlEntry* KeyReader::find(std::string_view key) const {
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const TomlEntry& e) { return e.key == key; });
  return entry == entries_.end() ? nullptr : &*entry;
}

void KeyReader::refuse_missing(std::string_view key, std::string_view example) const {
  throw input_error(errors::key_missing, name_, key, example);
}

void KeyReader::refuse(const TomlEntry& entry, std::string_view allowed) {
  throw input_error(errors::key_value_invalid, entry.place, entry.key, to_text(entry.value),
                    allowed);
}

std::optional<double> KeyReader::number(std::string_view key, const NumberRange& range) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  const auto value = as_number(entry->value);
  if (!value || !lies_in(*value, range)) {
    refuse(*entry, fmt::format("{}{}", describe(range), remark_on_units(entry->value)));
  }
  return value;
}

std::optional<std::int64_t> KeyReader::integer(std::string_view key, std::int64_t min,
                                               std::int64_t max) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  std::optional<std::int64_t> value;
  if (const auto* whole = std::get_if<std::int64_t>(&entry->value.content)) value = *whole;
  // 8.0 also counts as a whole number, because some programs have no integers.
  constexpr double exact = 9007199254740992;  // 2^53
  const auto* real = std::get_if<double>(&entry->value.content);
  if (real != nullptr && std::trunc(*real) == *real && std::abs(*real) <= exact) {
    value = static_cast<std::int64_t>(*real);
  }
  if (!value || *value < min || *value > max) {
    refuse(*entry, fmt::format("a whole number from {} to {}", min, max));
  }
  return value;
}

std::optional<std::int64_t> KeyReader::bytes(std::string_view key) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  std::optional<std::int64_t> size;
  if (const auto* number = std::get_if<std::int64_t>(&entry->value.content)) size = *number;
  if (const auto* text = std::get_if<std::string>(&entry->value.content)) {
    size = parse_byte_size(*text);
  }
  if (!size || *size <= 0) refuse(*entry, "a size above 0, e.g. \"512MiB\", \"8GB\" or bytes");
  return size;
}

std::optional<std::string> KeyReader::text(std::string_view key) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  const auto* value = std::get_if<std::string>(&entry->value.content);
  if (value == nullptr || value->empty()) refuse(*entry, "text in quotes, not empty");
  return *value;
}

std::optional<std::size_t> KeyReader::choice(std::string_view key,
                                             const std::vector<std::string_view>& words) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  const std::string allowed = fmt::format("one of {}", fmt::join(words, ", "));
  const auto* value = std::get_if<std::string>(&entry->value.content);
  if (value == nullptr) refuse(*entry, allowed);
  const auto word = std::find(words.begin(), words.end(), *value);
  if (word == words.end()) {
    const std::string near = nearest_word(*value, words);
    refuse(*entry, allowed + (near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
  }
  return static_cast<std::size_t>(word - words.begin());
}

std::optional<std::vector<double>> KeyReader::numbers(std::string_view key, std::size_t count,
                                                      const NumberRange& range) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  const std::string allowed =
      fmt::format("a list of {}, each {}{}{}", count == 0 ? "one or more" : std::to_string(count),
                  describe(range), remark_on_units(entry->value),
                  as_number(entry->value) ? fmt::format(", e.g. [{}]", to_text(entry->value)) : "");
  const auto* array = std::get_if<TomlValue::Array>(&entry->value.content);
  if (array == nullptr || array->empty() || (count != 0 && array->size() != count)) {
    refuse(*entry, allowed);
  }
  std::vector<double> values;
  for (const auto& element : *array) {
    const auto value = as_number(element);
    if (!value || !lies_in(*value, range)) refuse(*entry, allowed);
    values.push_back(*value);
  }
  return values;
}

std::optional<std::vector<std::string>> KeyReader::texts(std::string_view key) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  const auto* array = std::get_if<TomlValue::Array>(&entry->value.content);
  if (array == nullptr) refuse(*entry, "a list of texts");
  std::vector<std::string> values;
  for (const auto& element : *array) {
    const auto* value = std::get_if<std::string>(&element.content);
    if (value == nullptr) refuse(*entry, "a list of texts");
    values.push_back(*value);
  }
  return values;
}

}  // namespace tidewise
