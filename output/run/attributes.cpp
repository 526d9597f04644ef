#include "output/run/attributes.h"

#include <fmt/format.h>

#include "base/cf_conventions.h"
#include "env/units/meridian_convergence.h"
#include "output/version.h"

namespace tidewise {

void set_source_attributes(Hdf5File& file, const std::string& title) {
  file.set_attribute("/", "Conventions", cf_conventions);
  file.set_attribute("/", "title", title);
  file.set_attribute("/", "source", fmt::format("tidewise {}", version()));
}

void set_run_attributes(Hdf5File& file, const EnvironmentInfo& info, const std::string& title,
                        const std::string& mission_text, const std::string& work) {
  set_source_attributes(file,
                        info.title.empty() ? title : fmt::format("{}: {}", title, info.title));
  file.set_attribute("/", "history", history_with(info.history, work));
  if (!info.projection.empty()) file.set_attribute("/", "projection", info.projection);
  file.set_attribute("/", "mission", mission_text);
}

std::string history_with(const std::string& history, const std::string& work) {
  const bool starts_line = !history.empty() && !history.ends_with('\n');
  return fmt::format("{}{}tidewise {}: {}", history, starts_line ? "\n" : "", version(), work);
}

void describe(Hdf5File& file, const std::string& variable, const std::string& units,
              const std::string& long_name) {
  if (!units.empty()) file.set_attribute(variable, "units", units);
  file.set_attribute(variable, "long_name", long_name);
}

void describe_coordinates(Hdf5File& file, const EnvironmentInfo& info) {
  const std::string length = info.units == Units::metric ? "m" : "1";
  // On a projected plane x is not quite east.
  const bool projected = info.coordinates == Coordinates::geographic;
  describe(file, "x", length, projected ? "x of the projection's plane" : "eastward distance");
  describe(file, "y", length, projected ? "y of the projection's plane" : "northward distance");
  describe(file, "time", info.time_units, "time");
  file.set_attribute("time", "standard_name", "time");
  if (info.time_units.find(" since ") != std::string::npos) {
    file.set_attribute("time", "calendar", "standard");
  }
  if (projected) {
    file.set_attribute("x", "standard_name", "projection_x_coordinate");
    file.set_attribute("y", "standard_name", "projection_y_coordinate");
  }
}

void define_axes(Hdf5File& file, const EnvironmentInfo& info, const Grid& grid,
                 const TimeAxis& time) {
  file.define_coordinate("time", axis_values(time.first, time.step, time.level_count));
  file.define_coordinate("y", axis_values(grid.y_first, grid.dy, grid.ny));
  file.define_coordinate("x", axis_values(grid.x_first, grid.dx, grid.nx));
  describe_coordinates(file, info);
  file.set_attribute("time", "axis", "T");
  file.set_attribute("y", "axis", "Y");
  file.set_attribute("x", "axis", "X");
}

void describe_longitude_latitude(Hdf5File& file) {
  describe(file, "lon", "degrees_east", "longitude");
  describe(file, "lat", "degrees_north", "latitude");
  file.set_attribute("lon", "standard_name", "longitude");
  file.set_attribute("lat", "standard_name", "latitude");
}

void write_places(Hdf5File& file, const Grid& grid, const std::vector<double>& longitude,
                  const std::vector<double>& latitude, const std::vector<std::string>& variables) {
  for (const char* name : {"lon", "lat", "meridian_convergence"}) {
    file.define_variable(name, NumberType::float64, {"y", "x"});
  }
  describe_longitude_latitude(file);
  describe(file, "meridian_convergence", "degree",
           "angle from true north to the y axis, clockwise");
  file.set_attribute("meridian_convergence", "comment",
                     "true bearing = 90 - heading in degrees + meridian_convergence");
  file.write_all("lon", longitude);
  file.write_all("lat", latitude);
  file.write_all("meridian_convergence", MeridianConvergence(grid, longitude, latitude).at_cells());
  file.set_attribute("meridian_convergence", "coordinates", "lon lat");
  for (const auto& variable : variables) file.set_attribute(variable, "coordinates", "lon lat");
}

std::string energy_units(const EnergyModel& model, Units units) {
  if (units == Units::nondimensional) return "1";
  // `dive` is NaN, which differs from 0, if each profile has its own power.
  if (model.c_t != 0 || model.dive != 0) return "J";
  return model.c_f == 1 ? "m2 s-1" : "1";
}

std::string value_units(Objective objective, const EnergyModel& model, Units units) {
  switch (objective) {
    case Objective::time:
    case Objective::stay:
      return units == Units::metric ? "s" : "1";
    case Objective::energy:
    case Objective::net_energy:
      return energy_units(model, units);
    case Objective::follow:
      return units == Units::metric ? "m s" : "1";
    case Objective::weighted:
    case Objective::arrival:
      return "1";
  }
  return "1";
}

std::string speed_units(const EnvironmentInfo& info) {
  return info.units == Units::metric ? "m s-1" : "1";
}

}  // namespace tidewise
