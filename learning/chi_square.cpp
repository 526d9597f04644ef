#include "learning/chi_square.h"

#include <unsupported/Eigen/SpecialFunctions>

namespace tidewise {

double chi_square_tail(double chi_square, std::int32_t degrees_of_freedom) {
  if (degrees_of_freedom <= 0 || !(chi_square > 0)) return 1;
  return Eigen::numext::igammac(0.5 * degrees_of_freedom, 0.5 * chi_square);
}

}  // namespace tidewise
