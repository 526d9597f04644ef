#include "env/levels/level_dates.h"

#include "base/error.h"
#include "base/hdf5/file.h"
#include "env/file/reader.h"
#include "env/units/calendar_time.h"

namespace tidewise {

LevelDates::LevelDates(const EnvironmentReader& environment) {
  const EnvironmentInfo& info = environment.info();
  if (info.time_units.find(" since ") == std::string::npos) return;
  const std::string calendar =
      environment.file().text_attribute(environment.names().time, "calendar").value_or("");
  try {
    const TimeUnits units(info.time_units, calendar);
    for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) {
      seconds_.push_back(units.to_seconds(info.time.at(k)));
    }
  } catch (const InputError&) {  // no readable date: the times are plain numbers
    seconds_.clear();
  }
}

std::string LevelDates::text(TimeLevel k) const { return known() ? format_date(at(k)) : ""; }

std::string format_date(double seconds_since_1970) {
  return format_iso_time(seconds_since_1970) + "Z";
}

}  // namespace tidewise
