#pragma once

#include <string>
#include <vector>

#include "env/import/file/netcdf/netcdf_file.h"

namespace tidewise::ingest {

/// Levels that follow surface and bottom (CF: ocean_s_coordinate_g1 and _g2; ROMS), from the
/// surface down.
struct SCoordinate {
  enum class Form { g1, g2 };  ///< ROMS' Vtransform 1 and 2

  Form form = Form::g2;
  std::vector<double> s;           ///< (level), 0 at the surface, -1 at the bottom
  std::vector<double> c;           ///< (level), stretched, 0 at the surface, -1 at the bottom
  std::vector<std::size_t> index;  ///< (level), in the file
  double critical_depth = 0;       ///< hc [m]
  std::string bottom;              ///< variable of the depth at rest
  std::string surface;  ///< variable of the surface's height; empty: the surface is at rest
  std::vector<std::string> notes;

  /// Depth of a level below the moving surface [m], in water whose depth at rest is `h` [m] and
  /// whose surface stands `zeta` [m] higher.
  double depth(std::size_t level, double h, double zeta) const {
    const double stretched =
        form == Form::g1 ? critical_depth * s[level] + (h - critical_depth) * c[level]
                         : (critical_depth * s[level] + h * c[level]) / (critical_depth + h);
    return form == Form::g1 ? -stretched * (1 + zeta / h) : -(zeta + h) * stretched;
  }
};

/// True if a depth coordinate holds such levels.
bool follows_bottom(const NetcdfFile& file, const std::string& coordinate);

/// Reads the coordinate by its formula_terms, else by ROMS' own names. A missing Cs_r is computed
/// from theta_s, theta_b and Vstretching. Errors: InputError naming file, variable and remedy.
SCoordinate read_s_coordinate(const NetcdfFile& file, const std::string& coordinate);

}  // namespace tidewise::ingest
