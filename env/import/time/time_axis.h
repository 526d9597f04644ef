#pragma once

#include <string>
#include <vector>

#include "env/import/file/netcdf/netcdf_file.h"

namespace tidewise::ingest {

/// The times of a field in one file.
struct TimeAxis {
  std::vector<double> seconds;     ///< [s since 1970], in the file's order
  std::vector<std::string> notes;  ///< notes for the user on how they were read
};

/// The variables that hold the times of a field.
struct TimeNames {
  std::string variable;    ///< the field, for its cell_methods
  std::string dimension;   ///< dimension of the times; empty for a scalar time
  std::string coordinate;  ///< the variable that holds the times
  std::string units;       ///< in place of the file's own; empty: the file's
};

/// Reads the times of a field. Instantaneous fields are at their own times. A field that is a mean,
/// or another statistic over an interval, is at the middle of the interval that the coordinate's
/// `bounds` give. Bounds are also used for a field without cell_methods, because they have no other
/// meaning. Without bounds the field is at its time stamp, and a note reports an unknown interval.
/// Errors: InputError naming file and variable, for units, calendars and times that cannot be read,
/// for a climatology, and for bounds that do not enclose their time.
TimeAxis read_time_axis(const NetcdfFile& file, const TimeNames& names);

}  // namespace tidewise::ingest
