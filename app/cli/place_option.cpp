#include "app/cli/place_option.h"

#include "app/cli/number_list.h"

namespace tidewise {

Position parse_position(const std::string& option, const std::string& text, Position::Frame frame) {
  const char* example = frame == Position::Frame::plane ? "100.5,40.5" : "-126.0,46.8";
  const auto numbers = parse_number_list(option, text, 2, example);
  return {frame, numbers[0], numbers[1]};
}

}  // namespace tidewise
