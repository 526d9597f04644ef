#include "output/run_attributes.h"

#include <fmt/format.h>

#include "base/cf_conventions.h"
#include "output/version.h"

namespace tidewise {

void set_run_attributes(Hdf5File& file, const EnvironmentInfo& info, const std::string& title,
                        const std::string& mission_text) {
  file.set_attribute("/", "Conventions", cf_conventions);
  file.set_attribute("/", "title",
                     info.title.empty() ? title : fmt::format("{}: {}", title, info.title));
  file.set_attribute("/", "source", fmt::format("tidewise {}", version()));
  if (!info.projection.empty()) file.set_attribute("/", "projection", info.projection);
  file.set_attribute("/", "mission", mission_text);
}

void describe(Hdf5File& file, const std::string& variable, const std::string& units,
              const std::string& long_name) {
  if (!units.empty()) file.set_attribute(variable, "units", units);
  file.set_attribute(variable, "long_name", long_name);
}

void describe_coordinates(Hdf5File& file, const EnvironmentInfo& info) {
  const std::string length = info.units == Units::metric ? "m" : "1";
  describe(file, "x", length, "eastward distance");
  describe(file, "y", length, "northward distance");
  describe(file, "time", info.time_units, "time");
  file.set_attribute("time", "standard_name", "time");
  if (info.time_units.find(" since ") != std::string::npos) {
    file.set_attribute("time", "calendar", "standard");
  }
  if (info.coordinates == Coordinates::geographic) {
    file.set_attribute("x", "standard_name", "projection_x_coordinate");
    file.set_attribute("y", "standard_name", "projection_y_coordinate");
  }
}

void describe_longitude_latitude(Hdf5File& file) {
  describe(file, "lon", "degrees_east", "longitude");
  describe(file, "lat", "degrees_north", "latitude");
  file.set_attribute("lon", "standard_name", "longitude");
  file.set_attribute("lat", "standard_name", "latitude");
}

std::string speed_units(const EnvironmentInfo& info) {
  return info.units == Units::metric ? "m s-1" : "1";
}

}  // namespace tidewise
