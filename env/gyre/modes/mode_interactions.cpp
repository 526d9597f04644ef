#include "env/gyre/modes/mode_interactions.h"

#include <algorithm>
#include <array>

#include "env/gyre/flow/row_products.h"
#include "env/gyre/flow/small_work.h"

namespace tidewise::gyre {
namespace {

/// A row of faces: u's rows 0 … ny−1, then v's rows 1 … ny−1.
class FaceRow {
 public:
  FaceRow(const MomentumRows& momentum, int index)
      : momentum_(momentum),
        is_u_(index < momentum.grid().ny),
        j_(is_u_ ? index : index - momentum.grid().ny + 1) {}

  static int count(const StaggeredGrid& grid) { return 2 * grid.ny - 1; }

  /// Number of values of a row, including those in walls.
  std::size_t size() const {
    return static_cast<std::size_t>(momentum_.grid().nx + (is_u_ ? 1 : 0));
  }
  const double* values_of(const VelocityField& a) const {
    return is_u_ ? a.u_row(j_) : a.v_row(j_);
  }
  double* values_of(VelocityField& a) const { return is_u_ ? a.u_row(j_) : a.v_row(j_); }

  void linear(const VelocityField& a, double* out) const {
    is_u_ ? momentum_.linear_u(a, j_, out) : momentum_.linear_v(a, j_, out);
  }
  void advection(const VelocityField& a, const VelocityField& b, double* out) const {
    is_u_ ? momentum_.advection_u(a, b, j_, out) : momentum_.advection_v(a, b, j_, out);
  }
  /// Adds the wind, the only force on a flow at rest.
  void add_wind(double* out) const {
    if (!is_u_) return;
    const double wind = momentum_.wind_u(j_);
    for (int i = 1; i < momentum_.grid().nx; ++i) out[i] += wind;
  }

 private:
  const MomentumRows& momentum_;
  bool is_u_;
  int j_;
};

/// The work on one row. It owns the scratch memory, so that nothing is allocated per row.
class RowInteraction {
 public:
  RowInteraction(const MomentumRows& momentum, const OrthogonalState& state,
                 const std::vector<double>& weights, OrthogonalState& tendency)
      : momentum_(momentum),
        state_(state),
        weights_(weights),
        tendency_(tendency),
        modes_(state.mode_count()),
        row_size_(static_cast<std::size_t>(momentum.grid().nx + 1)),
        products_(batch * row_size_),
        mode_row_(modes_),
        tendency_row_(1 + modes_) {
    for (std::size_t n = 0; n < batch; ++n) product_row_[n] = product(n);
  }

  /// Adds the row's contributions to linear, (mode, mode), quadratic, (pair, mode), and gram,
  /// (mode, mode).
  void operator()(int index, double* linear, double* quadratic, double* gram) {
    const FaceRow row(momentum_, index);
    size_ = row.size();
    tendency_row_[0] = row.values_of(tendency_.mean);
    for (std::size_t k = 0; k < modes_; ++k) {
      mode_row_[k] = row.values_of(state_.modes[k]);
      tendency_row_[1 + k] = row.values_of(tendency_.modes[k]);
    }
    set_mean_tendency(row);
    for (std::size_t m = 0; m < modes_; ++m) set_mode_tendency(row, m);
    add_products(tendency_row_.data() + 1, modes_, mode_row_.data(), modes_, size_, linear);
    add_products(mode_row_.data(), modes_, mode_row_.data(), modes_, size_, gram);

    std::size_t batched = 0;
    std::size_t pair = 0;
    for (std::size_t m = 0; m < modes_; ++m) {
      for (std::size_t n = m; n < modes_; ++n) {
        row.advection(state_.modes[m], state_.modes[n], product(batched));
        if (++batched < batch) continue;
        add_batch(pair, batched, quadratic);
        pair += batched;
        batched = 0;
      }
    }
    add_batch(pair, batched, quadratic);
  }

 private:
  /// Sets the tendency of the mean without modes. Terms are added in FlowSolver's order, so that
  /// without modes the bits are the same.
  void set_mean_tendency(const FaceRow& row) {
    double* out = tendency_row_[0];
    row.advection(state_.mean, state_.mean, out);
    double* linear = product(0);
    row.linear(state_.mean, linear);
    row.add_wind(linear);
    for (std::size_t i = 0; i < size_; ++i) out[i] += linear[i];
  }

  /// Sets the tendency of mode m to ℓ_m.
  void set_mode_tendency(const FaceRow& row, std::size_t m) {
    double* out = tendency_row_[1 + m];
    row.linear(state_.modes[m], out);
    double* advection = product(0);
    row.advection(state_.mean, state_.modes[m], advection);
    for (std::size_t i = 0; i < size_; ++i) out[i] += 2 * advection[i];
  }

  /// Adds the products of a batch, `count` pairs from `pair` on, to `quadratic` and the tendency.
  void add_batch(std::size_t pair, std::size_t count, double* quadratic) {
    add_products(product_row_.data(), count, mode_row_.data(), modes_, size_,
                 quadratic + pair * modes_);
    const double* weights = weights_.data() + pair * (1 + modes_);
    for (std::size_t i = 0; i <= modes_; ++i) {
      add_multiples(tendency_row_[i], weights + i, 1 + modes_, product_row_.data(), count, size_);
    }
  }

  double* product(std::size_t n) { return products_.data() + n * row_size_; }

  static constexpr std::size_t batch = 4;  // number of products used together

  const MomentumRows& momentum_;
  const OrthogonalState& state_;
  const std::vector<double>& weights_;
  OrthogonalState& tendency_;
  std::size_t modes_;
  std::size_t size_ = 0;
  std::size_t row_size_;          // size of the longest row
  std::vector<double> products_;  // (pair of a batch, face)
  std::array<const double*, batch> product_row_;
  std::vector<const double*> mode_row_;
  std::vector<double*> tendency_row_;
};

constexpr int rows_per_block = 8;  // rows with one partial sum

}  // namespace

ModeInteractions interact(const MomentumRows& momentum, const OrthogonalState& state,
                          const std::vector<double>& weights, OrthogonalState& tendency) {
  const std::size_t modes = state.mode_count();
  const std::size_t square = modes * modes;
  const std::size_t quadratic_count = pair_count(modes) * modes;
  const std::size_t per_block = 2 * square + quadratic_count;
  const int rows = FaceRow::count(momentum.grid());
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  std::vector<double> partial(static_cast<std::size_t>(blocks) * per_block, 0.0);
#pragma omp parallel if (state.mean.values().size() * (modes + 1) * (modes + 30) > small_work)
  {
    RowInteraction interact_row(momentum, state, weights, tendency);
#pragma omp for schedule(dynamic)
    for (int block = 0; block < blocks; ++block) {
      double* sums = partial.data() + static_cast<std::size_t>(block) * per_block;
      const int end = std::min(rows, (block + 1) * rows_per_block);
      for (int row = block * rows_per_block; row < end; ++row) {
        interact_row(row, sums, sums + 2 * square, sums + square);
      }
    }
  }

  std::vector<double> total(per_block, 0.0);
  for (std::size_t n = 0; n < partial.size(); ++n) total[n % per_block] += partial[n];
  for (double& value : total) value *= momentum.grid().cell_area();
  const auto begin = total.begin();
  const auto middle = begin + static_cast<std::ptrdiff_t>(square);
  const auto last = middle + static_cast<std::ptrdiff_t>(square);
  return {{begin, middle}, {last, total.end()}, {middle, last}};
}

}  // namespace tidewise::gyre
