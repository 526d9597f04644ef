#include "env/time_reference.h"

#include "env/import/calendar_time.h"

namespace tidewise {

std::optional<double> time_reference(const std::string& units, const std::string& calendar) {
  if (units.find(" since ") == std::string::npos) return std::nullopt;
  return TimeUnits(units, calendar).to_seconds(0);
}

}  // namespace tidewise
