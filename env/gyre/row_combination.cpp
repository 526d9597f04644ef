#include "env/gyre/row_combination.h"

#include <algorithm>

#include "env/gyre/fixed_order_sum.h"

namespace tidewise {
namespace {

constexpr std::size_t piece_size = 512;

std::size_t pieces_of(std::size_t length) { return (length + piece_size - 1) / piece_size; }

}  // namespace

void recombine(const std::vector<double*>& rows, std::size_t length,
               const std::vector<double>& weights) {
  const std::size_t count = rows.size();
#pragma omp parallel
  {
    std::vector<double> old(count * piece_size);
#pragma omp for schedule(static)
    for (std::size_t piece = 0; piece < pieces_of(length); ++piece) {
      const std::size_t begin = piece * piece_size;
      const std::size_t size = std::min(piece_size, length - begin);
      for (std::size_t k = 0; k < count; ++k) {
        std::copy_n(rows[k] + begin, size, old.data() + k * piece_size);
      }
      for (std::size_t i = 0; i < count; ++i) {
        double* to = rows[i] + begin;
        std::fill_n(to, size, 0.0);
        for (std::size_t k = 0; k < count; ++k) {
          // Most matrices here are triangular, or nearly the identity.
          const double weight = weights[i * count + k];
          if (weight != 0) add_multiple(to, weight, old.data() + k * piece_size, size);
        }
      }
    }
  }
}

void add_combinations(const std::vector<double*>& to, const std::vector<const double*>& from,
                      std::size_t length, const std::vector<double>& weights) {
#pragma omp parallel for schedule(static)
  for (std::size_t piece = 0; piece < pieces_of(length); ++piece) {
    const std::size_t begin = piece * piece_size;
    const std::size_t size = std::min(piece_size, length - begin);
    for (std::size_t i = 0; i < to.size(); ++i) {
      for (std::size_t k = 0; k < from.size(); ++k) {
        add_multiple(to[i] + begin, weights[i * from.size() + k], from[k] + begin, size);
      }
    }
  }
}

}  // namespace tidewise
