#include "app/cli/place_option.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/number_list.h"
#include "app/error/codes.h"
#include "base/error.h"
#include "base/parse_number.h"
#include "env/points.h"

namespace tidewise {
namespace {

constexpr std::string_view hemispheres = "NSEWnsew";

/// An angle with its hemisphere: a capital letter, or 0 if the text has none.
struct Angle {
  double degrees = 0;
  char hemisphere = 0;

  bool is_latitude() const { return hemisphere == 'N' || hemisphere == 'S'; }
};

/// `text` with blanks in place of the signs of degrees, minutes and seconds.
std::string without_signs(std::string text) {
  constexpr std::array<std::string_view, 8> signs{"°", "º", "′", "’", "″", "”", "'", "\""};
  for (const std::string_view sign : signs) {
    for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign)) {
      text.replace(at, sign.size(), " ");
    }
  }
  return text;
}

/// Splits a text at its comma, or without one after its first hemisphere letter.
std::optional<std::pair<std::string, std::string>> halves(const std::string& text) {
  const auto split_at = [&](std::size_t end, std::size_t begin) {
    return std::pair{text.substr(0, end), text.substr(begin)};
  };
  const auto comma = text.find(',');
  if (comma != std::string::npos) return split_at(comma, comma + 1);
  const auto first = text.find_first_of(hemispheres);
  if (first == std::string::npos) return std::nullopt;
  if (first != text.find_first_not_of(' ')) return split_at(first + 1, first + 1);
  const auto second = text.find_first_of(hemispheres, first + 1);
  if (second == std::string::npos) return std::nullopt;
  return split_at(second, second);
}

/// Parses degrees, minutes and seconds; all but the last number must be whole.
std::optional<double> as_degrees(const std::string& text) {
  std::istringstream stream(text);
  std::vector<double> numbers;
  for (std::string word; stream >> word;) {
    const auto number = parse_number<double>(word);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.empty() || numbers.size() > 3) return std::nullopt;
  double part = 1;
  double degrees = 0;
  for (std::size_t n = 0; n < numbers.size(); ++n, part *= 60) {
    const double size = std::abs(numbers[n]);
    const bool is_last = n + 1 == numbers.size();
    if (!is_last && size != std::floor(size)) return std::nullopt;
    if (n > 0 && !(numbers[n] >= 0 && size < 60)) return std::nullopt;
    degrees += size / part;
  }
  return text.find('-') == std::string::npos ? degrees : -degrees;
}

std::optional<Angle> parse_angle(std::string text) {
  Angle angle;
  const auto letter = text.find_first_of(hemispheres);
  if (letter != std::string::npos) {
    const auto is_end = [&](std::size_t from, std::size_t count) {
      return text.substr(from, count).find_first_not_of(' ') == std::string::npos;
    };
    if (!is_end(0, letter) && !is_end(letter + 1, std::string::npos)) return std::nullopt;
    angle.hemisphere = text[letter];
    if (angle.hemisphere >= 'a') angle.hemisphere = static_cast<char>(angle.hemisphere - 'a' + 'A');
    text[letter] = ' ';
  }
  const auto degrees = as_degrees(text);
  if (!degrees || (angle.hemisphere != 0 && std::signbit(*degrees))) return std::nullopt;
  const bool is_negative = angle.hemisphere == 'S' || angle.hemisphere == 'W';
  angle.degrees = is_negative ? -*degrees : *degrees;
  return angle;
}

/// True if a text gives a place by letters of hemispheres or by degrees and minutes, not by two
/// plain numbers.
bool has_degrees_and_minutes(const std::string& text) {
  // In "1e3,2" the letter is part of a number.
  const auto is_hemisphere = [&](std::size_t n) {
    if (hemispheres.find(text[n]) == std::string_view::npos) return false;
    const bool is_exponent = (text[n] == 'e' || text[n] == 'E') && n > 0 && n + 1 < text.size() &&
                             text.find_first_of("0123456789+-", n + 1) == n + 1 &&
                             text.find_last_of("0123456789.", n - 1) == n - 1;
    return !is_exponent;
  };
  for (std::size_t n = 0; n < text.size(); ++n) {
    if (is_hemisphere(n)) return true;
  }
  const std::string plain = without_signs(text);
  if (plain != text) return true;
  const auto parts = halves(plain);
  std::istringstream words(parts ? parts->first : "");
  std::string degrees;
  std::string minutes;
  return static_cast<bool>(words >> degrees >> minutes);
}

/// Parses a place, also in degrees and minutes with hemispheres. Letters distinguish longitude from
/// latitude; without letters longitude comes first.
GeographicPoint parse_geographic_point(const std::string& option, const std::string& text) {
  const auto parts = halves(without_signs(text));
  std::optional<Angle> first;
  std::optional<Angle> second;
  if (parts) {
    first = parse_angle(parts->first);
    second = parse_angle(parts->second);
  }
  const bool is_clear = first && second && (first->hemisphere == 0) == (second->hemisphere == 0) &&
                        (first->hemisphere == 0 || first->is_latitude() != second->is_latitude());
  if (!is_clear) throw input_error(errors::position_invalid, option, text);
  if (first->is_latitude()) std::swap(first, second);
  if (std::abs(first->degrees) > 360 || std::abs(second->degrees) > 90) {
    throw input_error(errors::position_not_on_earth, option, text, first->degrees, second->degrees);
  }
  return {first->degrees, second->degrees};
}

}  // namespace

Position parse_position(const std::string& option, const std::string& text, Position::Frame frame) {
  if (frame == Position::Frame::geographic && has_degrees_and_minutes(text)) {
    const GeographicPoint point = parse_geographic_point(option, text);
    return {frame, point.longitude, point.latitude};
  }
  const char* example = frame == Position::Frame::plane ? "100.5,40.5" : "-126.0,46.8";
  const auto numbers = parse_number_list(option, text, 2, example);
  return {frame, numbers[0], numbers[1]};
}

void PlaceOptions::add(Command command, const std::string& what) {
  const Option degrees = command.add_option("--at", lonlat_, what + ", in degrees east and north")
                             .type_name("LON,LAT");
  command.add_option("--at-xy", xy_, what + ", on the environment's plane and in its units")
      .type_name("X,Y")
      .excludes(degrees);
}

std::string PlaceOptions::text() const {
  return lonlat_.empty() ? "--at-xy " + xy_ : "--at " + lonlat_;
}

Position PlaceOptions::position() const {
  if (lonlat_.empty()) return parse_position("--at-xy", xy_, Position::Frame::plane);
  if (lonlat_.find(',') == std::string::npos && !has_degrees_and_minutes(lonlat_)) {
    throw input_error(errors::place_not_two_numbers, lonlat_, lonlat_);
  }
  Position place = parse_position("--at", lonlat_, Position::Frame::geographic);
  if (std::abs(place.second) > 90 || std::abs(place.first) > 360) {
    throw input_error(errors::place_degrees_invalid, lonlat_, place.first, place.second);
  }
  return place;
}

}  // namespace tidewise
