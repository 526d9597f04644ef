#pragma once

#include "env/import/file/field_layout.h"

namespace tidewise::ingest {

/// Settles which kind of grid `layout` is on, and with it the places of columns and rows: those
/// that judging dimension by dimension found stay when their coordinates are longitude and
/// latitude. `names` prevail. Errors: InputError for unstructured grids, and for coordinates that
/// are neither degrees nor on a known projection.
void settle_horizontal(const NetcdfFile& file, const SourceNames& names, FieldLayout& layout);

/// One-dimensional variables along `dimension`, its namesake first.
std::vector<std::string> coordinates_along(const NetcdfFile& file, const std::string& dimension);

}  // namespace tidewise::ingest
