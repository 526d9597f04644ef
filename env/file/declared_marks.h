#pragma once

#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "env/missing_marks.h"

namespace tidewise {

/// What stands for "missing" in a variable by the file's own words; NaN where it has none.
struct DeclaredMarks {
  double fill_value;     ///< _FillValue, else what the NetCDF library fills floating point with
  double missing_value;  ///< missing_value

  bool operator()(double value) const { return value == fill_value || value == missing_value; }
};

/// Errors: InputError for an attribute that is no number, or several.
DeclaredMarks read_declared_marks(const Hdf5File& file, const std::string& variable);

/// The same for values that are read as float; a mark beyond float32 reads as infinity, and so is
/// none.
MissingMarks in_single_precision(const DeclaredMarks& marks);

/// The box [start, start + count) of a variable, with NaN for what the file declares as missing.
std::vector<double> read_numbers(const Hdf5File& file, const std::string& variable,
                                 const Extents& start, const Extents& count);
/// The whole variable likewise.
std::vector<double> read_numbers(const Hdf5File& file, const std::string& variable);

}  // namespace tidewise
