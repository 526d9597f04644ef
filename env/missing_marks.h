#pragma once

#include <cmath>

#include "base/host_device.h"

namespace tidewise {

/// The values that mean "missing" in a variable. An undeclared mark is NaN, which equals nothing.
struct MissingMarks {
  float fill_value;     ///< _FillValue
  float missing_value;  ///< missing_value

  /// True if `value` is missing: it is not finite, or equals a mark.
  TIDEWISE_HOST_DEVICE bool operator()(float value) const {
    return !std::isfinite(value) || value == fill_value || value == missing_value;
  }
};

/// The marks of all fields of a level.
struct LevelMarks {
  MissingMarks u_mean, v_mean, u_mode, v_mode, coefficient, scalar;
};

}  // namespace tidewise
