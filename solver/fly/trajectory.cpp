#include "solver/fly/trajectory.h"

namespace tidewise {

std::string_view to_string(RolloutMode mode) {
  return mode == RolloutMode::continuous ? "continuous" : "chain";
}

}  // namespace tidewise
