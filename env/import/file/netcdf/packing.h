#pragma once

#include <limits>
#include <vector>

namespace tidewise::ingest {

enum class StoredAs { integers, floating_point };

/// How stored numbers become values: CF's packing attributes, and what stands for "missing".
struct Packing {
  StoredAs stored_as = StoredAs::floating_point;
  double unsigned_span = 0;     ///< 2^bits where a signed integer means an unsigned one, else 0
  double scale = 1;             ///< scale_factor
  double offset = 0;            ///< add_offset
  std::vector<double> missing;  ///< _FillValue, missing_value, as stored
  double stored_least = -std::numeric_limits<double>::infinity();  ///< valid_range as stored
  double stored_greatest = std::numeric_limits<double>::infinity();
  double value_least = -std::numeric_limits<double>::infinity();  ///< valid_range as unpacked
  double value_greatest = std::numeric_limits<double>::infinity();

  /// The value, NaN where it is missing or out of the valid range. Infinity stays, for the reader
  /// to refuse, unless it is declared as missing.
  double unpack(double stored) const;
  /// How far from 0 a value may be that stood for 0: half a step of integers, for packing takes the
  /// nearest one; nothing of floating-point numbers.
  double zero_tolerance() const;
};

}  // namespace tidewise::ingest
