#pragma once

#include <string>
#include <vector>

#include "env/import/grid/source_grid.h"

namespace tidewise::ingest {

/// How deep the bottom is at the points of `grid` [m], by a file of depths or heights on longitudes
/// and latitudes or any other grid (`told`: FILE or FILE:NAME), bilinear; NaN where it has none,
/// and on land. (row, column) Errors: InputError naming file, variable and remedy.
std::vector<double> read_bottom(const std::string& told, const SourceGrid& grid);

}  // namespace tidewise::ingest
