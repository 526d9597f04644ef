#include "env/gyre/strongest_flow.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace tidewise::gyre {
namespace {

/// The search for the greatest speed of one level.
class StrongestFlow {
 public:
  explicit StrongestFlow(const LevelView& level)
      : level_(level),
        cells_(level.u_mean.size),
        modes_(static_cast<std::size_t>(level.mode_count)),
        realizations_(static_cast<std::size_t>(level.realization_count)) {
    measure_coefficients();
    measure_bounds();
  }

  double search() const {
    std::vector<std::size_t> order(cells_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return bound_[a] > bound_[b] || (bound_[a] == bound_[b] && a < b);
    });
    constexpr std::size_t batch = 64;
    float largest = 0;  // square of the speed
    for (std::size_t first = 0; first < cells_; first += batch) {
      // The factor is a margin for the round-off of float32 in the speed.
      if (bound_[order[first]] * 1.0001 < std::sqrt(double(largest))) break;
      const std::size_t last = std::min(first + batch, cells_);
#pragma omp parallel for schedule(static) reduction(max : largest)
      for (std::size_t n = first; n < last; ++n) {
        largest = std::max(largest, greatest_square(order[n]));
      }
    }
    return std::sqrt(double(largest));
  }

 private:
  /// Computes the variance of each coefficient, and each realization's distance from the mean in
  /// standard deviations.
  void measure_coefficients() {
    std::vector<double> distance(realizations_, 0.0);
    for (std::size_t m = 0; m < modes_; ++m) {
      const float* c = level_.coefficient.data + m * realizations_;
      double sum = 0;
      for (std::size_t r = 0; r < realizations_; ++r) sum += double(c[r]) * c[r];
      variance_.push_back(sum / static_cast<double>(realizations_));
      if (sum <= 0) continue;
      for (std::size_t r = 0; r < realizations_; ++r) {
        distance[r] += double(c[r]) * c[r] / variance_[m];
      }
    }
    max_distance_ = std::sqrt(*std::max_element(distance.begin(), distance.end()));
  }

  /// Computes an upper bound of the speed in each cell. By the Cauchy-Schwarz inequality a
  /// realization differs from the mean by at most its distance times the largest standard deviation
  /// of the cell's velocity in any direction.
  void measure_bounds() {
    bound_.resize(cells_);
#pragma omp parallel for schedule(static)
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      double uu = 0;
      double uv = 0;
      double vv = 0;
      for (std::size_t m = 0; m < modes_; ++m) {
        const double u = level_.u_mode[m * cells_ + cell];
        const double v = level_.v_mode[m * cells_ + cell];
        uu += variance_[m] * u * u;
        uv += variance_[m] * u * v;
        vv += variance_[m] * v * v;
      }
      const double largest = 0.5 * (uu + vv + std::hypot(uu - vv, 2 * uv));
      bound_[cell] = std::hypot(double(level_.u_mean[cell]), double(level_.v_mean[cell])) +
                     max_distance_ * std::sqrt(largest);
    }
  }

  float greatest_square(std::size_t cell) const {
    constexpr std::size_t block = 256;
    float u[block];
    float v[block];
    float largest = 0;
    for (std::size_t first = 0; first < realizations_; first += block) {
      const std::size_t count = std::min(block, realizations_ - first);
      std::fill_n(u, count, level_.u_mean[cell]);
      std::fill_n(v, count, level_.v_mean[cell]);
      for (std::size_t m = 0; m < modes_; ++m) {
        const float* c = level_.coefficient.data + m * realizations_ + first;
        const float u_mode = level_.u_mode[m * cells_ + cell];
        const float v_mode = level_.v_mode[m * cells_ + cell];
        for (std::size_t r = 0; r < count; ++r) {
          u[r] += c[r] * u_mode;
          v[r] += c[r] * v_mode;
        }
      }
      for (std::size_t r = 0; r < count; ++r) {
        largest = std::max(largest, u[r] * u[r] + v[r] * v[r]);
      }
    }
    return largest;
  }

  const LevelView& level_;
  std::size_t cells_;
  std::size_t modes_;
  std::size_t realizations_;
  std::vector<double> variance_;  // (mode)
  double max_distance_ = 0;
  std::vector<double> bound_;  // (y, x)
};

}  // namespace

double strongest_flow(const LevelView& level) { return StrongestFlow(level).search(); }

}  // namespace tidewise::gyre
