#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "env/file/reader.h"
#include "env/index_range.h"
#include "env/units/quantity.h"

namespace tidewise {

/// A box of cells and a window of levels.
struct CutWindow {
  IndexRange columns;
  IndexRange rows;
  IndexRange levels;
};

/// The part of an environment that a user requests; dimensions without a request stay whole.
struct CutRequest {
  using Bounds = std::array<double, 2>;  ///< lower and upper, both included

  std::optional<Bounds> x;  ///< [m or 1]
  std::optional<Bounds> y;
  std::optional<BoundingBox> box;           ///< west, south, east, north [degrees]
  std::optional<std::int32_t> first, last;  ///< levels
  std::optional<double> from, to;           ///< dates of the levels [s since 1970]
};

/// The cells whose centres lie in the request's box, and the levels in its window. For a box in
/// degrees, which may cross 180°, it is the smallest rectangle of cells that includes every centre
/// in the box. Errors: InputError naming the option if fewer than two columns, rows or levels are
/// left (an axis needs two), for degrees without lon and lat, and for dates without a date in the
/// time units.
CutWindow choose_window(const EnvironmentReader& reader, const CutRequest& request);

}  // namespace tidewise
