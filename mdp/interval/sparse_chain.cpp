#include "mdp/interval/sparse_chain.h"

#include <Eigen/SparseLU>
#include <limits>

namespace tidewise::mdp {
namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr std::size_t max_entries = 4'000'000;           // maximum entries of the matrix: 64 MB
constexpr std::int64_t max_factor_entries = 10'000'000;  // 160 MB
constexpr std::size_t max_dense_states = 1024;           // 8 MB

Matrix matrix_of(std::size_t count, const Triplets& triplets) {
  const auto size = static_cast<int>(count);
  Matrix matrix(size, size);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

}  // namespace

struct SparseChain::Factors {
  std::vector<double> diagonal;  // (state), divisor of the row
  std::vector<int> place;        // (state)
  Eigen::SparseLU<Matrix, Eigen::NaturalOrdering<int>> factors;
};

SparseChain::SparseChain(std::size_t state_count) : leaving_(state_count, 0) {}
SparseChain::~SparseChain() = default;

void SparseChain::add(std::int32_t from, std::int32_t to, double share) {
  if (entries_.size() > max_entries) return;  // already too many
  if (from != to && share > 0) entries_.push_back({from, to, share});
}

void SparseChain::add_leaving(std::int32_t from, double share) { leaving_[from] += share; }

// Counts the columns of a factor by walks up its elimination tree. Source: Liu, "The role of
// elimination trees in sparse factorization", SIAM Journal on Matrix Analysis 11, 1990.
double SparseChain::estimate_work(double max_work) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (entries_.size() > max_entries) return infinity;
  const std::size_t count = leaving_.size();
  Triplets triplets;
  triplets.reserve(2 * entries_.size());
  for (const Entry& entry : entries_) {
    triplets.emplace_back(entry.from, entry.to, 1);
    triplets.emplace_back(entry.to, entry.from, 1);
  }
  const Matrix pattern = matrix_of(count, triplets);
  Eigen::AMDOrdering<int>::PermutationType order;
  Eigen::AMDOrdering<int>()(pattern, order);
  order_.assign(order.indices().data(), order.indices().data() + count);
  std::vector<std::int32_t> place(count);
  for (std::size_t n = 0; n < count; ++n) place[order_[n]] = static_cast<std::int32_t>(n);
  std::vector<std::int32_t> parent(count, -1);
  std::vector<std::int32_t> visited(count, -1);
  std::vector<double> column_entries(count, 0);
  std::int64_t entries = 0;
  for (std::int32_t row = 0; row < static_cast<std::int32_t>(count); ++row) {
    visited[row] = row;
    for (Matrix::InnerIterator entry(pattern, order_[row]); entry; ++entry) {
      std::int32_t column = place[entry.row()];
      while (column < row && visited[column] != row) {
        const auto at = static_cast<std::size_t>(column);
        if (parent[at] < 0) parent[at] = row;
        ++column_entries[at];
        if (++entries > max_factor_entries) return infinity;
        visited[at] = row;
        column = parent[at];
      }
    }
  }
  double work = 0;
  for (const double length : column_entries) work += length * length;
  return work > max_work ? infinity : work;
}

bool SparseChain::factorise(double max_work) {
  if (!(estimate_work(max_work) <= max_work)) return false;
  const std::size_t count = leaving_.size();
  factors_ = std::make_unique<Factors>();
  factors_->diagonal = leaving_;
  factors_->place.resize(count);
  for (const Entry& entry : entries_) factors_->diagonal[entry.from] += entry.share;
  Triplets triplets;
  triplets.reserve(entries_.size() + count);
  for (std::size_t n = 0; n < count; ++n) {
    const auto place = static_cast<int>(n);
    factors_->place[order_[n]] = place;
    triplets.emplace_back(place, place, 1);
  }
  for (const Entry& entry : entries_) {
    const auto from = static_cast<std::size_t>(entry.from);
    triplets.emplace_back(factors_->place[from], factors_->place[entry.to],
                          -entry.share / factors_->diagonal[from]);
  }
  // Rows are diagonally dominant, so that no other pivot is needed.
  factors_->factors.isSymmetric(true);
  factors_->factors.setPivotThreshold(0);
  factors_->factors.compute(matrix_of(count, triplets));
  return factors_->factors.info() == Eigen::Success;
}

// A pivot is the sum of the leaving shares, instead of 1 minus the share that returns, so that
// nothing cancels.
bool SparseChain::factorise_densely() {
  const std::size_t count = leaving_.size();
  if (count > max_dense_states) return false;
  dense_.assign(count * count, 0);
  for (const Entry& entry : entries_) {
    dense_[static_cast<std::size_t>(entry.from) * count + static_cast<std::size_t>(entry.to)] +=
        entry.share;
  }
  pivot_ = leaving_;
  for (std::size_t k = 0; k < count; ++k) {
    const double* const row = dense_.data() + k * count;
    const double leaving = pivot_[k];
    for (std::size_t j = k + 1; j < count; ++j) pivot_[k] += row[j];
    if (!(pivot_[k] > 0)) return false;
    for (std::size_t i = k + 1; i < count; ++i) {
      double* const target_row = dense_.data() + i * count;
      const double factor = target_row[k] /= pivot_[k];
      for (std::size_t j = k + 1; j < count; ++j) target_row[j] += factor * row[j];
      pivot_[i] += factor * leaving;
    }
  }
  return true;
}

std::vector<double> SparseChain::solve_densely(std::vector<double> right_side) const {
  const std::size_t count = right_side.size();
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t k = 0; k < i; ++k) right_side[i] += dense_[i * count + k] * right_side[k];
  }
  for (std::size_t k = count; k-- > 0;) {
    for (std::size_t j = k + 1; j < count; ++j)
      right_side[k] += dense_[k * count + j] * right_side[j];
    right_side[k] /= pivot_[k];
  }
  return right_side;
}

std::vector<double> SparseChain::solve(const std::vector<double>& right_side) const {
  if (!dense_.empty()) return solve_densely(right_side);
  Eigen::VectorXd b(static_cast<Eigen::Index>(right_side.size()));
  for (std::size_t n = 0; n < right_side.size(); ++n)
    b[factors_->place[n]] = right_side[n] / factors_->diagonal[n];
  const Eigen::VectorXd solution = factors_->factors.solve(b);
  std::vector<double> x(right_side.size());
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = solution[factors_->place[n]];
  return x;
}

}  // namespace tidewise::mdp
