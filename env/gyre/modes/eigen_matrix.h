#pragma once

#include <Eigen/Dense>
#include <cstddef>

namespace tidewise::gyre {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Index index(std::size_t n) { return static_cast<Eigen::Index>(n); }

}  // namespace tidewise::gyre
