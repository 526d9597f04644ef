#pragma once

#include <cstdint>

namespace tidewise {

/// The probability that a chi-square variable with these degrees of freedom exceeds `chi_square`; 1
/// without degrees of freedom.
double chi_square_tail(double chi_square, std::int32_t degrees_of_freedom);

}  // namespace tidewise
