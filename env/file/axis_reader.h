#pragma once

#include <cstdint>
#include <string>

#include "base/hdf5/file.h"

namespace tidewise {

/// Equally spaced, growing coordinates.
struct Axis {
  std::int32_t count;
  double first;
  double step;
};

/// Reads a variable of the file as an axis. `order`: how its points follow each other, for
/// messages. Errors: InputError naming file, variable and remedy for anything but two or more
/// numbers that grow evenly, to a thousandth of a step.
Axis read_axis(const Hdf5File& file, const std::string& variable, const char* order);

}  // namespace tidewise
