#pragma once

#include <optional>
#include <string>

#include "app/cli/command.h"
#include "tidewise/mission.h"

namespace tidewise {

/// The place that an option names: "X,Y" or "LON,LAT". Errors: InputError for other text.
Position parse_position(const std::string& option, const std::string& text, Position::Frame frame);

/// The place that a command takes as --at LON,LAT or --at-xy X,Y.
class PlaceOptions {
 public:
  /// `what`: subject of the descriptions, such as "Start". The object must outlive the command.
  void add(Command command, const std::string& what);

  bool given() const { return !lonlat_.empty() || !xy_.empty(); }
  /// The option as typed: "--at -125.8,47.2".
  std::string text() const;
  /// Requires given(). Errors: InputError for an invalid place.
  Position position() const;

 private:
  std::string lonlat_, xy_;
};

}  // namespace tidewise
