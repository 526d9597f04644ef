#pragma once

#include <cstdint>

namespace tidewise {

/// The probability that a chi-square variable of so many degrees of freedom is greater than this.
/// 1 for no degrees of freedom.
double chi_square_tail(double chi_square, std::int32_t degrees_of_freedom);

}  // namespace tidewise
