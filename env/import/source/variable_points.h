#pragma once

#include <vector>

#include "env/import/file/field_layout.h"
#include "env/import/grid/point_grid.h"

namespace tidewise::ingest {

/// The coordinates of a variable's points as its file holds them, of any kind of grid.
struct VariablePoints {
  GridKind kind = GridKind::longitude_latitude;
  std::string x_name, y_name;  ///< the coordinate variables
  std::vector<double> x;       ///< [degrees], or [m] on a projection: (column), or (row, column)
  std::vector<double> y;       ///< likewise (row), or (row, column)
  std::size_t rows = 0, columns = 0;
  std::string proj;  ///< of a projected grid
  /// Whether x grows with the columns and y with the rows: 1, or -1 where they fall.
  double x_sense = 1, y_sense = 1;
  std::string note;  ///< what a user should know

  /// Every point with its place. Errors: InputError, without the file's name, for a projection that
  /// PROJ cannot make.
  PointGrid to_point_grid() const;
};

/// Errors: InputError naming file and variable.
VariablePoints read_points(const NetcdfFile& file, const FieldLayout& layout);

/// Whether two variables' points are the same, to a ten-thousandth of a degree or a hundredth of a
/// step on a projection.
bool same_points(const VariablePoints& a, const VariablePoints& b);

}  // namespace tidewise::ingest
