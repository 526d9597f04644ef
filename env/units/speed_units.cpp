#include "env/units/speed_units.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "env/units/text.h"

namespace tidewise {
namespace {

struct Unit {
  std::string_view name;
  double size;  ///< [m] or [s]
};

constexpr std::array lengths{Unit{"m", 1},      Unit{"meter", 1},          Unit{"metre", 1},
                             Unit{"cm", 0.01},  Unit{"centimeter", 0.01},  Unit{"centimetre", 0.01},
                             Unit{"mm", 0.001}, Unit{"millimeter", .001},  Unit{"millimetre", .001},
                             Unit{"km", 1000},  Unit{"kilometer", 1000},   Unit{"kilometre", 1000},
                             Unit{"nmi", 1852}, Unit{"nauticalmile", 1852}};
constexpr std::array times{
    Unit{"s", 1},    Unit{"sec", 1},   Unit{"second", 1},  Unit{"min", 60},  Unit{"minute", 60},
    Unit{"h", 3600}, Unit{"hr", 3600}, Unit{"hour", 3600}, Unit{"d", 86400}, Unit{"day", 86400}};
constexpr std::array knots{"kt", "kts", "kn", "knot", "knots", "knot_international"};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto position = text.find(from); position != std::string::npos;
       position = text.find(from, position + to.size())) {
    text.replace(position, from.size(), to);
  }
}

/// True if `text` begins with `word`, or its plural, and rest(remaining text) is true.
template <typename Rest>
bool begins_with(std::string_view text, std::string_view word, const Rest& rest) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  // Only words have plurals: the s of "ms-1" is a second.
  return rest(text) || (word.size() > 2 && text.starts_with("s") && rest(text.substr(1)));
}

bool is_divided_by(std::string_view text, std::string_view time) {
  const auto ends_with_time = [&](std::string_view rest, std::string_view tail) {
    return begins_with(rest, time, [&](std::string_view remaining) { return remaining == tail; });
  };
  for (const std::string_view division : {"/", "per"}) {
    if (text.starts_with(division) && ends_with_time(text.substr(division.size()), "")) return true;
  }
  return ends_with_time(text, "-1");
}

}  // namespace

std::optional<double> speed_factor(const std::string& units) {
  std::string text = lower_case(trimmed(units));
  if (text.empty()) return 1;
  for (const char* minus_one : {"⁻¹", "−1"}) replace_all(text, minus_one, "-1");
  replace_all(text, "·", " ");
  double factor = 1;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end != text.c_str()) {  // a multiple in the syntax of UDUNITS: "0.01 m s-1"
    if (!std::isfinite(number) || number <= 0) return std::nullopt;
    factor = number;
    text.erase(0, static_cast<std::size_t>(end - text.c_str()));
  }
  for (const char* knot : knots) {
    if (trimmed(text) == knot) return factor * (1852.0 / 3600);
  }
  std::erase_if(text,
                [](char c) { return std::string_view(" .*^_()").find(c) != std::string::npos; });
  for (const Unit& length : lengths) {
    for (const Unit& time : times) {
      const auto by_time = [&](std::string_view rest) { return is_divided_by(rest, time.name); };
      if (begins_with(text, length.name, by_time)) return factor * (length.size / time.size);
    }
  }
  return std::nullopt;
}

bool are_same_units(const std::string& first, const std::string& second) {
  const std::string a = lower_case(trimmed(first));
  const std::string b = lower_case(trimmed(second));
  if (a == b || (a.starts_with("degree") && b.starts_with("degree"))) return true;
  const auto are_equal = [](std::optional<double> x, std::optional<double> y) {
    return x && x == y;
  };
  return are_equal(speed_factor(a), speed_factor(b)) ||
         are_equal(speed_factor(a + " s-1"), speed_factor(b + " s-1"));  // lengths
}

}  // namespace tidewise
