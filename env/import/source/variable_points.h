#pragma once

#include <vector>

#include "env/import/file/field_layout.h"
#include "env/import/grid/point_grid.h"

namespace tidewise::ingest {

/// The coordinates of a variable's points as stored in its file, for any kind of grid.
struct VariablePoints {
  GridKind kind = GridKind::longitude_latitude;
  std::string x_name, y_name;  ///< the coordinate variables
  std::vector<double> x;       ///< [degrees], or [m] on a projection: (column), or (row, column)
  std::vector<double> y;       ///< [degrees], or [m] on a projection: (row), or (row, column)
  std::size_t rows = 0, columns = 0;
  std::string proj;  ///< projection of a projected grid
  /// 1 if x grows with the columns, or y with the rows; -1 if it decreases.
  double x_sense = 1, y_sense = 1;
  std::string note;  ///< note for the user

  /// The positions of all points. Errors: InputError, without the file's name, for a projection
  /// that PROJ cannot make.
  PointGrid to_point_grid() const;
};

/// Reads the points of a variable. Errors: InputError naming file and variable.
VariablePoints read_points(const NetcdfFile& file, const FieldLayout& layout);

/// True if two variables have the same points, to a ten-thousandth of a degree or a hundredth of a
/// step on a projection.
bool same_points(const VariablePoints& a, const VariablePoints& b);

}  // namespace tidewise::ingest
