#pragma once

#include <cstddef>
#include <string>

namespace tidewise {

/// Description of the file that a mission follows, for reports.
struct RunFollowed {
  bool moves = false;       ///< a moving target; else a line
  std::size_t fixes = 0;    ///< number of fixes of the target, or of points of the line
  std::string column = {};  ///< column of a moving target's times
  std::string first = {};   ///< time of its first fix: a date, or a number
  std::string last = {};
};

/// "moving target", "line".
const char* followed_kind(const RunFollowed& followed);

/// "moving target: 17 fixes from … to …, times in column BaseDateTime", "line: 12 points, no
/// times".
std::string describe_followed(const RunFollowed& followed);

}  // namespace tidewise
