#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "env/file/reader.h"
#include "env/file/writer.h"
#include "env/points.h"

namespace tidewise::test {

/// A small environment with dates, longitudes and latitudes: 24 × 20 cells of 1 km, twelve hours.
/// The three easternmost columns are land. The mean flow is 0.1 m/s along x; mode 0 is 1 along x,
/// mode 1 a shear along y. Coefficients do not vary in time: for five realizations, mode 0 has
/// −0.4 … 0.4, and mode 1 has 0.2, −0.1, −0.2, −0.1, 0.2. All profiles are equal.
struct CoastalForecast {
  static constexpr double first_longitude = -126;
  static constexpr double first_latitude = 47;
  static constexpr double metres_per_degree = 111195;
  double turn = 0;                ///< direction of +y, clockwise from north [rad]
  double west = first_longitude;  ///< western edge of the first cell
  double south = first_latitude;  ///< southern edge of the first cell

  /// Returns the position of a point of the plane [m].
  GeographicPoint globe(double x, double y) const {
    const double east = x * std::cos(turn) + y * std::sin(turn);
    const double north = y * std::cos(turn) - x * std::sin(turn);
    const double latitude = south + north / metres_per_degree;
    return {west + east / (metres_per_degree * std::cos(south * 0.0174532925)), latitude};
  }

  static EnvironmentInfo info() {
    EnvironmentInfo info;
    info.grid = {24, 20, 0, 0, 1000, 1000};
    info.time = {13, 0, 3600};
    info.time_units = "seconds since 2024-10-28T00:00:00";
    info.mode_count = 2;
    info.realization_count = 5;
    info.units = Units::metric;
    info.coordinates = Coordinates::geographic;
    info.obstacles = Obstacles::fixed;
    info.has_scalar = true;
    info.scalar_units = "W m-2";
    info.title = "coast";
    info.history = "made";
    info.projection = "+proj=stere +lat_0=47";
    return info;
  }

  void write(const std::filesystem::path& path,
             EnvironmentInfo info = CoastalForecast::info()) const {
    EnvironmentWriter writer(path, info);
    std::vector<double> longitude;
    std::vector<double> latitude;
    for (std::int32_t j = 0; j < info.grid.ny; ++j) {
      for (std::int32_t i = 0; i < info.grid.nx; ++i) {
        const auto point = globe(info.grid.x(i), info.grid.y(j));
        longitude.push_back(point.longitude);
        latitude.push_back(point.latitude);
      }
    }
    writer.write_longitude_latitude(longitude, latitude);
    writer.write_grid_mapping({{"grid_mapping_name", "stereographic"}});
    writer.write_variance_kept(
        std::vector<double>(static_cast<std::size_t>(info.time.level_count), 0.9));
    LevelFields<> fields(info);
    const auto cells = static_cast<std::size_t>(info.grid.cell_count());
    for (std::size_t n = 0; n < cells; ++n) {
      const CellIndex cell(static_cast<std::int32_t>(n));
      const bool is_land = info.grid.column(cell) >= 21;
      fields.masked[n] = fields.dry[n] = is_land ? 1 : 0;
      fields.u_mean[n] = is_land ? 0 : 0.1F;
      fields.v_mean[n] = 0;
      fields.u_mode[n] = is_land ? 0 : 1;
      fields.v_mode[n] = 0;
      fields.u_mode[cells + n] = 0;
      fields.v_mode[cells + n] =
          is_land ? 0 : 1e-4F * static_cast<float>(info.grid.x(info.grid.column(cell)));
      fields.scalar[n] = static_cast<float>(n);
    }
    constexpr float coefficient[] = {-0.4F, -0.2F, 0, 0.2F, 0.4F, 0.2F, -0.1F, -0.2F, -0.1F, 0.2F};
    std::copy(std::begin(coefficient), std::end(coefficient), fields.coefficient.begin());
    for (std::size_t p = 0; p < std::max<std::size_t>(info.profiles.size(), 1); ++p) {
      for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) {
        writer.write_level(k, fields, p);
      }
    }
    writer.finish();
  }
};

}  // namespace tidewise::test
