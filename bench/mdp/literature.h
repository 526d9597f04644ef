#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidewise {

/// A published time for a world of this kind on another machine. It is printed for comparison and
/// never measured here.
struct LiteratureTime {
  const char* what;  ///< "serial", "cuSPARSE on an L4"
  double milliseconds;
};

/// Published times for a world of mdp_world(); empty if there are none.
std::vector<LiteratureTime> literature_times(std::string_view world);

}  // namespace tidewise
