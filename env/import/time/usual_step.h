#pragma once

#include <vector>

namespace tidewise::ingest {

/// The step of a time axis whose times may be rounded: days since 1900 stored as float32 are off by
/// up to 169 s.
struct UsualStep {
  double seconds = 0;  ///< 0 for fewer than two times
  double slack = 0;    ///< greatest error of a time [s]; 1 s if no rounding is visible
};

/// The step of ascending times [s]. If all times are within a tenth of a step, and within ten
/// minutes, of a regular axis, it is their mean step, rounded to a whole hour, minute or second if
/// that is within their irregularity. Otherwise it is the median of their steps.
UsualStep usual_step(const std::vector<double>& times);

/// True if two axes have the same times up to their slack.
bool are_same_times(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace tidewise::ingest
