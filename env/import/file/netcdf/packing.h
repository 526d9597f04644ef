#pragma once

#include <limits>
#include <vector>

namespace tidewise::ingest {

/// The type of stored numbers.
enum class StoredAs { integers, floating_point };

/// The conversion of stored numbers to values: CF's packing attributes, and values for "missing".
struct Packing {
  StoredAs stored_as = StoredAs::floating_point;
  double unsigned_span = 0;     ///< 2^bits if signed integers mean unsigned ones, else 0
  double scale = 1;             ///< scale_factor
  double offset = 0;            ///< add_offset
  std::vector<double> missing;  ///< _FillValue, missing_value, as stored
  double stored_min = -std::numeric_limits<double>::infinity();  ///< valid_range as stored
  double stored_max = std::numeric_limits<double>::infinity();
  double value_min = -std::numeric_limits<double>::infinity();  ///< valid_range as unpacked
  double value_max = std::numeric_limits<double>::infinity();

  /// The value; NaN if it is missing or out of the valid range. Infinity is kept, so that the
  /// reader can refuse it, unless it is declared as missing.
  double unpack(double stored) const;
  /// Greatest deviation from 0 of a value that was 0 before packing: half a step for integers,
  /// because packing rounds to the nearest one; 0 for floating-point numbers.
  double zero_tolerance() const;
};

}  // namespace tidewise::ingest
