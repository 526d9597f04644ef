#pragma once

#include <cmath>

#include "base/host_device.h"

namespace tidewise {

/// What stands for "missing" in a variable; NaN, which equals nothing, where none is declared.
struct MissingMarks {
  float fill_value;     ///< _FillValue
  float missing_value;  ///< missing_value

  /// Whether `value` says that there is none: it is not finite, or one of the marks.
  TIDEWISE_HOST_DEVICE bool operator()(float value) const {
    return !std::isfinite(value) || value == fill_value || value == missing_value;
  }
};

/// The marks of all fields of a level.
struct LevelMarks {
  MissingMarks u_mean, v_mean, u_mode, v_mode, coefficient, scalar;
};

}  // namespace tidewise
