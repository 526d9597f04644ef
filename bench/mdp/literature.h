#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidewise {

/// A time that others published for a world of this kind, on their machine: shown beside ours, and
/// never measured here.
struct LiteratureTime {
  const char* what;  ///< "serial", "cuSPARSE on an L4"
  double milliseconds;
};

/// Empty where there is none for that world. World: as mdp_world() knows it.
std::vector<LiteratureTime> literature_times(std::string_view world);

}  // namespace tidewise
