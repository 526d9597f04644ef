#include "app/cli/place_option.h"

#include <cmath>

#include "app/cli/number_list.h"
#include "app/error/codes.h"
#include "base/error.h"

namespace tidewise {

Position parse_position(const std::string& option, const std::string& text, Position::Frame frame) {
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
  if (lonlat_.find(',') == std::string::npos) {
    throw input_error(errors::place_not_two_numbers, lonlat_, lonlat_);
  }
  Position place = parse_position("--at", lonlat_, Position::Frame::geographic);
  if (std::abs(place.second) > 90 || std::abs(place.first) > 360) {
    throw input_error(errors::place_degrees_invalid, lonlat_, place.first, place.second);
  }
  return place;
}

}  // namespace tidewise
