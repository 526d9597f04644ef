#include "learning/file/innovation_mode.h"

namespace tidewise {

// The build without Eigen, whose smoother fails before this is called.
InnovationMode find_innovation_mode(const Grid&, const std::vector<FlowResidual>&, double) {
  return {};
}

std::vector<float> draw_mode_coefficients(const std::vector<double>&, const std::vector<double>&,
                                          std::uint64_t) {
  return {};
}

}  // namespace tidewise
