#include "env/file/time_reference.h"

#include "base/error.h"
#include "base/hdf5/file.h"
#include "env/error/codes.h"
#include "env/file/reader.h"
#include "env/units/calendar_time.h"

namespace tidewise {

std::optional<double> time_reference(const std::string& units, const std::string& calendar) {
  if (units.find(" since ") == std::string::npos) return std::nullopt;
  const TimeUnits reference(units, calendar);
  if (reference.note().empty()) return reference.to_seconds(0);
  throw input_error(errors::calendar_not_real, calendar);
}

std::optional<double> time_reference(const EnvironmentReader& environment) {
  const Hdf5File& file = environment.file();
  const std::string calendar =
      file.text_attribute(environment.names().time, "calendar").value_or("");
  try {
    return time_reference(environment.info().time_units, calendar);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace tidewise
