#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/ocean/netcdf_fixture.h"

namespace tidewise::test {

/// A forecast file whose velocity is linear in depth z [m], as u() and v() compute it. The bottom
/// is between 20 and 40 m in the south-western column, and below 80 m in its eastern neighbour.
struct Columns {
  static constexpr double fill = 1e20;

  std::vector<double> depth{0, 20, 40, 80, 160, 240};
  std::vector<double> longitude{-10, -9, -8, -7};
  std::vector<double> latitude{40, 41, 42};
  std::vector<double> hour{0, 6, 12};
  std::size_t members = 1;
  std::pair<const char*, const char*> units{"units", "m"};
  std::string name = "depth";  ///< of the depth coordinate
  std::vector<std::pair<std::string, std::string>> words{{"positive", "down"}};
  double sign = 1;  ///< factor of the stored depths

  static double u(double z, std::size_t member) {
    return (1 - z / 200) * (1 + static_cast<double>(member) / 10);
  }
  static double v(double z, std::size_t member) {
    return z / 400 * (1 - static_cast<double>(member * member) / 10);
  }

  NetcdfFixture fixture() const {
    NetcdfFixture file;
    file.dimensions = {{"time", hour.size()},
                       {"member", members},
                       {name, depth.size()},
                       {"lat", latitude.size()},
                       {"lon", longitude.size()}};
    std::vector<double> u_values;
    std::vector<double> v_values;
    for (std::size_t time = 0; time < hour.size(); ++time) {
      for (std::size_t member = 0; member < members; ++member) {
        for (const double z : depth) {
          for (std::size_t point = 0; point < longitude.size() * latitude.size(); ++point) {
            const bool rock = (point == 0 && z > 20) || (point == 1 && z > 80);
            u_values.push_back(rock ? fill : u(z, member));
            v_values.push_back(rock ? fill : v(z, member));
          }
        }
      }
    }
    const std::vector<std::string> field_dimensions{"time", "member", name, "lat", "lon"};
    auto depth_texts = words;
    if (units.second[0] != '\0') depth_texts.emplace_back(units.first, units.second);
    std::vector<double> stored;
    for (const double z : depth) stored.push_back(sign * z);
    file.variables = {
        {"lon", NC_DOUBLE, {"lon"}, longitude, {{"units", "degrees_east"}}, {}},
        {"lat", NC_DOUBLE, {"lat"}, latitude, {{"units", "degrees_north"}}, {}},
        {"time", NC_DOUBLE, {"time"}, hour, {{"units", "hours since 2024-10-28"}}, {}},
        {name, NC_DOUBLE, {name}, stored, depth_texts, {}},
        {"uo",
         NC_DOUBLE,
         field_dimensions,
         u_values,
         {{"units", "m s-1"}},
         {{"_FillValue", NC_DOUBLE, {fill}}}},
        {"vo",
         NC_DOUBLE,
         field_dimensions,
         v_values,
         {{"units", "m s-1"}},
         {{"_FillValue", NC_DOUBLE, {fill}}}}};
    return file;
  }
};

/// Returns a bathymetry file with one elevation [m] everywhere around the columns.
inline NetcdfFixture even_bottom(double elevation) {
  NetcdfFixture file;
  file.dimensions = {{"lat", 2}, {"lon", 2}};
  file.variables = {{"lon", NC_DOUBLE, {"lon"}, {-11, -6}, {{"units", "degrees_east"}}, {}},
                    {"lat", NC_DOUBLE, {"lat"}, {39, 43}, {{"units", "degrees_north"}}, {}},
                    {"elevation",
                     NC_FLOAT,
                     {"lat", "lon"},
                     std::vector<double>(4, elevation),
                     {{"units", "m"}},
                     {}}};
  return file;
}

}  // namespace tidewise::test
