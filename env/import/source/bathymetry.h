#pragma once

#include <string>
#include <vector>

#include "env/import/grid/source_grid.h"

namespace tidewise::ingest {

/// Reads the depth of the bottom at the points of `grid` [m], (row, column), from a file of depths
/// or heights on any grid (`argument`: FILE or FILE:NAME). Bilinear; NaN on land and where the file
/// has no value. Errors: InputError naming file, variable and remedy.
std::vector<double> read_bottom(const std::string& argument, const SourceGrid& grid);

}  // namespace tidewise::ingest
