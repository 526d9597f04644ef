#include "env/gyre/modes/random_stream_function.h"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "base/error.h"
#include "base/standard_normal.h"
#include "env/error/codes.h"
#include "env/gyre/flow/stream_function.h"

namespace tidewise::gyre {
namespace {

using std::numbers::pi;
constexpr double min_length = 0.01;
constexpr double max_length = 0.5;
constexpr double spectrum_cutoff = 6;  // πk·length at which the spectrum has fallen to e^(−18)

/// The basis along x, tapered: (face of x, k), 1 then cosines then sines.
std::vector<double> west_east_basis(int nx, const std::vector<double>& amplitude, double length) {
  const auto rise = [length](double distance) {
    return -std::expm1(-(distance / length) * (distance / length));
  };
  std::vector<double> basis;
  for (int i = 0; i <= nx; ++i) {
    const double x = static_cast<double>(i) / nx;
    const double taper = rise(x) * rise(1 - x);
    basis.push_back(taper * amplitude[0]);
    for (std::size_t k = 1; k < amplitude.size(); ++k) {
      basis.push_back(taper * amplitude[k] * std::sqrt(2) * std::cos(pi * double(k) * x));
    }
    for (std::size_t k = 1; k < amplitude.size(); ++k) {
      basis.push_back(taper * amplitude[k] * std::sqrt(2) * std::sin(pi * double(k) * x));
    }
  }
  return basis;
}

}  // namespace

RandomStreamFunction::RandomStreamFunction(double correlation_length)
    : correlation_length_(correlation_length) {
  if (!(correlation_length >= min_length && correlation_length <= max_length)) {
    throw input_error(errors::correlation_length_invalid, correlation_length, min_length,
                      max_length);
  }
  wave_count_ = static_cast<int>(std::ceil(spectrum_cutoff / (pi * correlation_length)));
  double variance = 0;
  for (int k = 0; k <= wave_count_; ++k) {
    const double argument = pi * k * correlation_length;
    const double share = std::exp(-argument * argument / 2);
    amplitude_.push_back(std::sqrt(share));
    variance += k == 0 ? share : 2 * share;
  }
  for (double& amplitude : amplitude_) amplitude /= std::sqrt(variance);
}

std::size_t RandomStreamFunction::weight_count() const {
  const auto waves = static_cast<std::size_t>(wave_count_);
  return waves * (2 * waves + 1);
}

std::vector<double> RandomStreamFunction::draw_weights(std::uint64_t seed,
                                                       std::uint32_t draw) const {
  const Philox random(seed);
  std::vector<double> weights(weight_count());
  for (std::size_t n = 0; n < weights.size(); ++n) {
    weights[n] = standard_normal(random, static_cast<std::uint32_t>(n), draw);
  }
  return weights;
}

std::vector<double> RandomStreamFunction::at_corners(const StaggeredGrid& grid,
                                                     const std::vector<double>& weights) const {
  const std::size_t function_count = 2 * amplitude_.size() - 1;
  const auto columns = static_cast<std::size_t>(grid.nx) + 1;
  const std::vector<double> basis = west_east_basis(grid.nx, amplitude_, correlation_length_);

  // First the sum over k for each wave along y, then the sum of those waves at each latitude.
  std::vector<double> wave_sums(static_cast<std::size_t>(wave_count_) * columns);  // (l, face of x)
  for (std::size_t l = 0; l < static_cast<std::size_t>(wave_count_); ++l) {
    for (std::size_t i = 0; i < columns; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < function_count; ++k)
        sum += weights[l * function_count + k] * basis[i * function_count + k];
      wave_sums[l * columns + i] = sum;
    }
  }
  std::vector<double> stream_function(grid.corner_count(), 0.0);  // 0 on the walls, exactly
  for (int j = 1; j < grid.ny; ++j) {
    double* row = stream_function.data() + corner(grid, j, 0);
    for (int l = 1; l <= wave_count_; ++l) {
      const double sine = 2 * amplitude_[l] * std::sin(pi * l * j * grid.dy());
      const double* values = wave_sums.data() + static_cast<std::size_t>(l - 1) * columns;
      for (std::size_t i = 1; i + 1 < columns; ++i) row[i] += sine * values[i];
    }
  }
  return stream_function;
}

}  // namespace tidewise::gyre
