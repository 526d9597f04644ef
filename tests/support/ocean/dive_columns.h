#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/ocean/netcdf_fixture.h"

namespace tidewise::test {

/// Columns whose velocity falls evenly with depth, 1 − z/200 along x and z/400 along y, times
/// 1 + member/10. The column in the south-west ends between 20 and 40 m, its neighbour below 80 m.
struct Columns {
  static constexpr double fill = 1e20;

  std::vector<double> depth{0, 20, 40, 80, 160, 240};
  std::vector<double> longitude{-10, -9, -8, -7};
  std::vector<double> latitude{40, 41, 42};
  std::vector<double> hour{0, 6, 12};
  std::size_t members = 1;
  std::pair<const char*, const char*> units{"units", "m"};
  std::string name = "depth";
  std::vector<std::pair<std::string, std::string>> words{{"positive", "down"}};
  double sign = 1;

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
    std::vector<double> of_u;
    std::vector<double> of_v;
    for (std::size_t time = 0; time < hour.size(); ++time) {
      for (std::size_t member = 0; member < members; ++member) {
        for (const double z : depth) {
          for (std::size_t point = 0; point < longitude.size() * latitude.size(); ++point) {
            const bool rock = (point == 0 && z > 20) || (point == 1 && z > 80);
            of_u.push_back(rock ? fill : u(z, member));
            of_v.push_back(rock ? fill : v(z, member));
          }
        }
      }
    }
    const std::vector<std::string> along{"time", "member", name, "lat", "lon"};
    auto own = words;
    if (units.second[0] != '\0') own.emplace_back(units.first, units.second);
    std::vector<double> stored;
    for (const double z : depth) stored.push_back(sign * z);
    file.variables = {
        {"lon", NC_DOUBLE, {"lon"}, longitude, {{"units", "degrees_east"}}, {}},
        {"lat", NC_DOUBLE, {"lat"}, latitude, {{"units", "degrees_north"}}, {}},
        {"time", NC_DOUBLE, {"time"}, hour, {{"units", "hours since 2024-10-28"}}, {}},
        {name, NC_DOUBLE, {name}, stored, own, {}},
        {"uo", NC_DOUBLE, along, of_u, {{"units", "m s-1"}}, {{"_FillValue", NC_DOUBLE, {fill}}}},
        {"vo", NC_DOUBLE, along, of_v, {{"units", "m s-1"}}, {{"_FillValue", NC_DOUBLE, {fill}}}}};
    return file;
  }
};

/// A bottom of one elevation [m] around the columns, as files of depths have it.
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
