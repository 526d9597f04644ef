#include "output/model/model_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel/team.h"

namespace tidewise {
namespace {

/// Mean coefficient of each mode over the realizations, (mode).
std::vector<double> mean_coefficients(const LevelView& level, View<const std::uint32_t> weights) {
  const auto realizations = static_cast<std::size_t>(level.realization_count);
  std::vector<double> means(static_cast<std::size_t>(level.mode_count), 0);
  double total = 0;
  for (std::size_t r = 0; r < realizations; ++r) {
    const double weight = weights.size == 0 ? 1.0 : weights[r];
    total += weight;
    for (std::size_t m = 0; m < means.size(); ++m) {
      means[m] += weight * static_cast<double>(level.coefficient[m * realizations + r]);
    }
  }
  for (double& mean : means) mean /= total;
  return means;
}

/// Mean displacement by the flow only [cells].
double mean_displacement(View<const float> mean, View<const float> mode,
                         const std::vector<double>& coefficients, std::size_t cell, float scale) {
  double velocity = mean[cell];
  for (std::size_t m = 0; m < coefficients.size(); ++m) {
    velocity += coefficients[m] * static_cast<double>(mode[m * mean.size + cell]);
  }
  return velocity * static_cast<double>(scale) / one_cell;
}

/// Greatest |coefficient| of each mode, (mode).
std::vector<double> greatest_coefficients(const LevelView& level) {
  const auto realizations = static_cast<std::size_t>(level.realization_count);
  std::vector<double> max(static_cast<std::size_t>(level.mode_count), 0);
  for (std::size_t n = 0; n < level.coefficient.size; ++n) {
    double& mode_max = max[n / realizations];
    mode_max = std::max(mode_max, std::abs(static_cast<double>(level.coefficient[n])));
  }
  return max;
}

/// Bound of the error of the integer coefficients c̃ and modes m̃ (spread.h) [cells]: 2^-14 of the
/// greatest value of each mode, and 2^-11 of the cell's greatest mode, which grow with the number M
/// of modes.
double integer_error(View<const float> mode, const std::vector<double>& max, std::size_t cell,
                     float scale) {
  double reach = 0;
  const std::size_t cells = mode.size / std::max<std::size_t>(max.size(), 1);
  for (std::size_t m = 0; m < max.size(); ++m) {
    reach = std::max(reach, max[m] * std::abs(static_cast<double>(mode[m * cells + cell])));
  }
  const auto modes = static_cast<double>(max.size());
  return reach * scale / one_cell * modes * (modes + 8) * 0x1p-12;
}

}  // namespace

std::string fault_of_rows(const CompactLevel& level, const SubGrid& subgrid, std::uint32_t total,
                          std::int32_t threads, RowMeans& means) {
  const std::size_t rows = level.row_start.size() - 1;
  means.dx.resize(rows);
  means.dy.resize(rows);
  const std::vector<Offset> offsets = offsets_of(subgrid);
  const auto fault_of = [&](std::size_t row) -> std::string {
    const auto end = static_cast<std::size_t>(level.row_start[row + 1]);
    std::uint64_t sum = 0;
    std::int64_t east = 0;
    std::int64_t north = 0;
    std::int32_t previous = -1;
    for (auto n = static_cast<std::size_t>(level.row_start[row]); n < end; ++n) {
      const std::int32_t offset = level.offset[n];
      if (offset <= previous || offset >= subgrid.size()) {
        return fmt::format("offset {} follows {} in row {}; they must grow, below {}", offset,
                           previous, row, subgrid.size());
      }
      previous = offset;
      const Offset to = offsets[static_cast<std::size_t>(offset)];
      sum += level.count[n];
      east += std::int64_t{to.dx} * level.count[n];
      north += std::int64_t{to.dy} * level.count[n];
    }
    if (sum != total) {
      return fmt::format("the counts of row {} sum to {} and must sum to {}", row, sum, total);
    }
    means.dx[row] = static_cast<float>(static_cast<double>(east) / total);
    means.dy[row] = static_cast<float>(static_cast<double>(north) / total);
    return {};
  };
  struct FirstFault {
    std::size_t row = std::numeric_limits<std::size_t>::max();
    void include(const FirstFault& other) { row = std::min(row, other.row); }
  };
  constexpr std::size_t piece_rows = 8192;
  const auto pieces = static_cast<std::int64_t>((rows + piece_rows - 1) / piece_rows);
  const auto first =
      gather_pieces<FirstFault>(pieces, threads, [&](std::int64_t piece, FirstFault& fault) {
        const std::size_t begin = static_cast<std::size_t>(piece) * piece_rows;
        const std::size_t end = std::min(begin + piece_rows, rows);
        for (std::size_t row = begin; row < end && row < fault.row; ++row) {
          if (!fault_of(row).empty()) fault.row = row;
        }
      });
  return first.row < rows ? fault_of(first.row) : std::string();
}

std::string fault_of_means(const RowMeans& means, const LevelView& level,
                           const DisplacementScale& scale, const PositionRule& rule,
                           View<const std::uint32_t> weights, const std::vector<Action>& actions) {
  // Errors [cells] of the nearest cell, of bins, and of float32 in displacements up to 1024 cells;
  // integer_error() adds the error of the modes.
  const double rounding =
      (rule.landing == LandingBy::cell ? 0.5 : 0) + 0.5 / (1 << rule.bin_bits) + 0.01;
  const std::vector<double> coefficients = mean_coefficients(level, weights);
  const std::vector<double> max = greatest_coefficients(level);
  for (const ProfileActions& group : by_profile(actions)) {
    const LevelView flow = level.profile(group.profile);
    for (std::size_t cell = 0; cell < flow.u_mean.size; ++cell) {
      const double x = mean_displacement(flow.u_mean, flow.u_mode, coefficients, cell, scale.x);
      const double y = mean_displacement(flow.v_mean, flow.v_mode, coefficients, cell, scale.y);
      const double max_error_x = rounding + integer_error(flow.u_mode, max, cell, scale.x);
      const double max_error_y = rounding + integer_error(flow.v_mode, max, cell, scale.y);
      const std::size_t first = cell * actions.size() + static_cast<std::size_t>(group.first);
      for (std::size_t a = 0; a < group.actions.size(); ++a) {
        const std::size_t row = first + a;
        const double to_x = x + double(group.actions[a].displacement.x) / one_cell;
        const double to_y = y + double(group.actions[a].displacement.y) / one_cell;
        if (std::abs(means.dx[row] - to_x) <= max_error_x &&
            std::abs(means.dy[row] - to_y) <= max_error_y) {
          continue;
        }
        return fmt::format(
            "row {} leads {:.2f}, {:.2f} cells on average where the forecast leads {:.2f}, {:.2f}",
            row, means.dx[row], means.dy[row], to_x, to_y);
      }
    }
  }
  return {};
}

}  // namespace tidewise
