#pragma once

#include <Eigen/Dense>
#include <cstddef>

namespace tidewise::gyre {

/// A matrix of any size, stored row by row.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Converts a size or an index to Eigen's type.
inline Eigen::Index index(std::size_t n) { return static_cast<Eigen::Index>(n); }

}  // namespace tidewise::gyre
