#pragma once

#include <netcdf.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tidewise::test {

/// A description of a small NetCDF file, which write() writes.
class NetcdfFixture {
 public:
  /// A numeric attribute.
  struct Numbers {
    std::string name;
    nc_type type;
    std::vector<double> values;
  };
  struct Variable {
    std::string name;
    nc_type type = NC_FLOAT;
    std::vector<std::string> dimensions;
    /// Values as stored: packed values of a packed variable, characters for NC_CHAR. Empty: nothing
    /// is written.
    std::vector<double> values;
    std::vector<std::pair<std::string, std::string>> texts;
    std::vector<Numbers> numbers;
  };

  std::vector<std::pair<std::string, std::size_t>> dimensions;
  std::vector<Variable> variables;
  std::vector<std::pair<std::string, std::string>> texts;  ///< attributes of the file
  std::string group_name;                                  ///< only of a group
  std::vector<NetcdfFixture> groups;                       ///< groups of NetCDF-4

  Variable& variable(const std::string& name);
  /// `format`: NC_NETCDF4, or 0 for classic.
  void write(const std::filesystem::path& path, int format = NC_NETCDF4) const;

 private:
  void define(int group, std::map<std::string, int> dimension_ids) const;
  void fill(int group) const;
};

/// A correct forecast, of which each test changes one part.
struct SmallForecast {
  using Field = std::function<double(double longitude, double latitude, double hour, int member)>;

  std::vector<double> longitude{-10, -9, -8, -7, -6};
  std::vector<double> latitude{40, 41, 42, 43};
  std::vector<double> hour{0, 6, 12, 18};
  std::vector<double> depth;  ///< empty: no such dimension; velocities grow by 10 per index
  int members = 3;            ///< 0: no such dimension
  std::vector<std::string> order{"time", "member", "depth", "lat", "lon"};
  std::string u_name = "uo";
  std::string v_name = "vo";
  Field u = [](double lon, double lat, double hours, int member) {
    return 0.1 * (lon + 8) + 0.02 * (lat - 40) + 0.01 * hours + 0.05 * member;
  };
  // Not linear in the member as u is, so that three members have two modes.
  Field v = [](double lon, double lat, double hours, int member) {
    return 0.03 * (lat - 41) - 0.01 * (lon + 8) + 0.002 * hours * member * member;
  };

  /// Coordinates with full attributes and both components in m s-1 as float32.
  NetcdfFixture fixture() const;
  void write(const std::filesystem::path& path, int format = NC_NETCDF4) const {
    fixture().write(path, format);
  }
};

}  // namespace tidewise::test
