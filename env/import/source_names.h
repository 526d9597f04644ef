#pragma once

#include <string>

namespace tidewise {

/// What a forecast calls its parts, where the user says so; empty where they are to be found.
struct SourceNames {
  std::string u = {};          ///< eastward velocity
  std::string v = {};          ///< northward velocity
  std::string longitude = {};  ///< dimension or coordinate variable; so for the next ones
  std::string latitude = {};
  std::string time = {};
  std::string depth = {};
  std::string member = {};
};

}  // namespace tidewise
