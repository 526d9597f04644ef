#include "env/units/quantity.h"

#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "env/error/codes.h"

namespace tidewise {
namespace {

using UnitTable = std::vector<std::pair<std::string_view, double>>;

enum class Zero { refused, allowed };

double parse_quantity(const std::string& option, const std::string& text, const UnitTable& units,
                      const char* examples, Zero zero = Zero::refused) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  std::string_view unit(end);
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  for (const auto& [name, factor] : units) {
    if (end == text.c_str() || unit != name) continue;
    const double value = number * factor;
    if (std::isfinite(value) && value > 0) return value;
    if (value == 0 && zero == Zero::allowed) return 0;
  }
  throw input_error(errors::quantity_invalid, option, text, examples);
}

double parse_time(const std::string& option, const std::string& text, const char* examples,
                  Zero zero) {
  return parse_quantity(option, text, {{"", 1}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}},
                        examples, zero);
}

}  // namespace

double parse_length(const std::string& option, const std::string& text) {
  return parse_quantity(option, text, {{"", 1}, {"m", 1}, {"km", 1000}, {"nmi", 1852}},
                        "3km or 3000m");
}

double parse_duration(const std::string& option, const std::string& text) {
  return parse_time(option, text, "3h, 30min or 10800s", Zero::refused);
}

double parse_lead_time(const std::string& option, const std::string& text) {
  return parse_time(option, text, "24h, or 0h", Zero::allowed);
}

double parse_speed(const std::string& option, const std::string& text) {
  return parse_quantity(option, text, {{"", 1}, {"m/s", 1}, {"cm/s", 0.01}, {"kn", 1852.0 / 3600}},
                        "0.15m/s or 15cm/s");
}

BoundingBox parse_bounding_box(const std::string& option, const std::string& text) {
  BoundingBox box{};
  const char* position = text.c_str();
  bool is_valid = true;
  for (std::size_t side = 0; side < box.size() && is_valid; ++side) {
    char* end = nullptr;
    box[side] = std::strtod(position, &end);
    const char expected = side + 1 < box.size() ? ',' : '\0';
    is_valid = end != position && std::isfinite(box[side]) && *end == expected;
    position = end + 1;
  }
  const auto [west, south, east, north] = box;
  if (!is_valid || south >= north || south < -90 || north > 90 || west == east ||
      std::abs(west) > 360 || std::abs(east) > 360) {
    throw input_error(errors::bbox_option_invalid, option, text);
  }
  return box;
}

}  // namespace tidewise
