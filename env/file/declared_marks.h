#pragma once

#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "env/missing_marks.h"

namespace tidewise {

/// The values that a file declares to mean "missing" in a variable; NaN if it declares none.
struct DeclaredMarks {
  double fill_value;     ///< _FillValue, else NetCDF's default fill of floating-point data
  double missing_value;  ///< missing_value

  /// True if `value` equals a mark.
  bool operator()(double value) const { return value == fill_value || value == missing_value; }
};

/// Reads the marks of `variable`. Errors: InputError for an attribute that is not one number.
DeclaredMarks read_declared_marks(const Hdf5File& file, const std::string& variable);

/// The marks for values that are read as float32. A mark beyond the range of float32 becomes NaN,
/// which equals no value.
MissingMarks in_single_precision(const DeclaredMarks& marks);

/// Reads the box [start, start + count) of a variable, with NaN for values that the file declares
/// missing.
std::vector<double> read_numbers(const Hdf5File& file, const std::string& variable,
                                 const Extents& start, const Extents& count);
/// Reads the whole variable, with NaN for values that the file declares missing.
std::vector<double> read_numbers(const Hdf5File& file, const std::string& variable);

}  // namespace tidewise
