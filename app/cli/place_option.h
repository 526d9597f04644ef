#pragma once

#include <optional>
#include <string>

#include "app/cli/command.h"
#include "tidewise/mission.h"

namespace tidewise {

/// The place that an option names: "X,Y" or "LON,LAT". Errors: InputError for other text.
Position parse_position(const std::string& option, const std::string& text, Position::Frame frame);

/// A place as every command takes it: --at LON,LAT or --at-xy X,Y.
class PlaceOptions {
 public:
  /// `what`: is there, "Start" or "Vehicle position". They must outlive the command.
  void add(Command command, const std::string& what);

  bool given() const { return !lonlat_.empty() || !xy_.empty(); }
  /// The option as typed: "--at -125.8,47.2".
  std::string text() const;
  /// Requires given(). Errors: InputError for what is no place.
  Position position() const;

 private:
  std::string lonlat_, xy_;
};

}  // namespace tidewise
