#include "env/gyre/flow/row_combination.h"

#include <algorithm>

#include "env/gyre/flow/row_products.h"
#include "env/gyre/flow/small_work.h"

namespace tidewise::gyre {
namespace {

constexpr std::size_t piece_size = 512;

std::size_t pieces_of(std::size_t length) { return (length + piece_size - 1) / piece_size; }

}  // namespace

void recombine(const std::vector<double*>& rows, std::size_t length,
               const std::vector<double>& weights) {
  const std::size_t count = rows.size();
#pragma omp parallel if (length * count * count > small_work)
  {
    std::vector<double> old(count * piece_size);
    std::vector<const double*> from(count);
    for (std::size_t k = 0; k < count; ++k) from[k] = old.data() + k * piece_size;
#pragma omp for schedule(static)
    for (std::size_t piece = 0; piece < pieces_of(length); ++piece) {
      const std::size_t begin = piece * piece_size;
      const std::size_t size = std::min(piece_size, length - begin);
      for (std::size_t k = 0; k < count; ++k) {
        std::copy_n(rows[k] + begin, size, old.data() + k * piece_size);
      }
      for (std::size_t i = 0; i < count; ++i) {
        std::fill_n(rows[i] + begin, size, 0.0);
        add_multiples(rows[i] + begin, weights.data() + i * count, 1, from.data(), count, size);
      }
    }
  }
}

void add_combinations(const std::vector<double*>& to, const std::vector<const double*>& from,
                      std::size_t length, const std::vector<double>& weights) {
  const std::size_t count = from.size();
#pragma omp parallel if (length * count * to.size() > small_work)
  {
    std::vector<const double*> row_pieces(count);
#pragma omp for schedule(static)
    for (std::size_t piece = 0; piece < pieces_of(length); ++piece) {
      const std::size_t begin = piece * piece_size;
      const std::size_t size = std::min(piece_size, length - begin);
      for (std::size_t k = 0; k < count; ++k) row_pieces[k] = from[k] + begin;
      for (std::size_t i = 0; i < to.size(); ++i) {
        add_multiples(to[i] + begin, weights.data() + i * count, 1, row_pieces.data(), count, size);
      }
    }
  }
}

}  // namespace tidewise::gyre
