#pragma once

#include <vector>

namespace tidewise::ingest {

/// The step of a time axis whose times may be rounded: days since 1900 stored as float32 are off by
/// up to 169 s.
struct UsualStep {
  double seconds = 0;  ///< 0 for fewer than two times
  double slack = 0;    ///< [s] by which a time may be off; 1 s where no rounding shows
};

/// The step of growing times [s]. Where all are within a tenth of a step of a regular axis, and
/// within ten minutes of it: their mean step, to a whole hour, minute or second if that is within
/// their own irregularity. Else the median of their steps.
UsualStep usual_step(const std::vector<double>& times);

/// True if two axes have the same times but for their slack.
bool are_same_times(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace tidewise::ingest
