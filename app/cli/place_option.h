#pragma once

#include <string>

#include "tidewise/mission.h"

namespace tidewise {

/// The place that an option names: "X,Y" or "LON,LAT". Errors: InputError for other text.
Position parse_position(const std::string& option, const std::string& text, Position::Frame frame);

}  // namespace tidewise
