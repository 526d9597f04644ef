#include "support/ocean/reference_step.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "support/ocean/plain_counting.h"

namespace tidewise::test {

Cloud cloud_of(const LevelView& level, const TimeAxis& time, const PositionRule& rule,
               std::size_t cell) {
  const double x_step = time.step / level.grid.dx;
  const double y_step = time.step / level.grid.dy;
  const auto displacement = [](float mean, double step) {
    return static_cast<std::int32_t>(std::nearbyint(mean * static_cast<float>(step * 0x1p20)));
  };
  return {plain_bins(level, level.u_mode, cell, x_step, rule.bin_bits),
          plain_bins(level, level.v_mode, cell, y_step, rule.bin_bits),
          {displacement(level.u_mean[cell], x_step), displacement(level.v_mean[cell], y_step)}};
}

std::pair<std::int32_t, std::int32_t> position_in(const Cloud& flow, Displacement action,
                                                  const PositionRule& rule,
                                                  std::size_t realization) {
  const auto shared_part = [](std::int64_t displacement) {
    return static_cast<std::int32_t>(std::floor(static_cast<double>(displacement + 2048) / 4096));
  };
  const std::int32_t bin = 256 >> rule.bin_bits;
  return {flow.x[realization] * bin + shared_part(std::int64_t{flow.mean.x} + action.x),
          flow.y[realization] * bin + shared_part(std::int64_t{flow.mean.y} + action.y)};
}

RowCounts count(const Cloud& flow, Displacement action, const PositionRule& rule,
                const std::vector<std::uint32_t>& weights) {
  RowCounts counts;
  for (std::size_t r = 0; r < flow.x.size(); ++r) {
    const std::uint32_t weight = weights.empty() ? 1 : weights[r];
    const auto [x, y] = position_in(flow, action, rule, r);
    for (const auto& [dx, east] : plain_shares(x, rule.landing)) {
      for (const auto& [dy, north] : plain_shares(y, rule.landing)) {
        if (weight * east * north != 0) counts[{dy, dx}] += weight * east * north;
      }
    }
  }
  return counts;
}

std::size_t Step::index(std::int32_t column, std::int32_t row) const {
  return static_cast<std::size_t>(info.grid.cell(column, row).value);
}

bool Step::contains(std::int32_t column, std::int32_t row) const {
  return column >= 0 && row >= 0 && column < info.grid.nx && row < info.grid.ny;
}

bool Step::closed(std::int32_t column, std::int32_t row) const {
  const std::size_t cell = index(column, row);
  return now.masked[cell] == 1 || next.masked[cell] == 1;
}

std::vector<Mission> legs_of(const Mission& mission) {
  std::vector<Mission> legs;
  for (const ViaPlace& place : mission.via) {
    Mission leg = mission;
    std::fill(leg.target.begin(), leg.target.end(), std::uint8_t{0});
    leg.disc = place.circles;
    leg.failure.late = static_cast<float>(double{mission.failure.late} -
                                          mission.failure.late_per_length * place.rest);
    legs.push_back(leg);
  }
  legs.push_back(mission);
  return legs;
}

bool decides(const Mission& mission, std::int32_t k) {
  return std::abs(k - mission.decisions.phase.value) % mission.decisions.every == 0;
}

float late(const Grid& grid, const Mission& mission, std::int32_t column, std::int32_t row) {
  double distance = std::numeric_limits<double>::infinity();
  for (std::int32_t n = 0; n < mission.disc.circle_count; ++n) {
    const TargetCircle& circle = mission.disc.circle[n];
    const double x = (column - circle.column) * grid.dx;
    const double y = (row - circle.row) * grid.dy;
    distance = std::min(distance, std::max(std::sqrt(x * x + y * y) - circle.radius, 0.0));
  }
  const double base = mission.failure.late;
  return static_cast<float>(base - mission.failure.late_per_length * distance);
}

double disc_entered(double x, double y, double along_x, double along_y, double radius) {
  const double c = x * x + y * y - radius * radius;
  if (c <= 0) return 0;
  const double b = -(x * along_x + y * along_y);
  const double root = b * b - (along_x * along_x + along_y * along_y) * c;
  return b > 0 && root >= 0 ? c / (b + std::sqrt(root)) : std::numeric_limits<double>::infinity();
}

Landing land(const Step& step, std::int32_t column, std::int32_t row, std::int32_t dx,
             std::int32_t dy) {
  const Grid& grid = step.info.grid;
  // 1. An obstacle on the straight line, or at its end.
  for (std::int32_t j = std::min(0, dy); j <= std::max(0, dy); ++j) {
    for (std::int32_t i = std::min(0, dx); i <= std::max(0, dx); ++i) {
      const bool is_start = i == 0 && j == 0 && (dx != 0 || dy != 0);
      const bool on_line = 2 * std::abs(i * dy - j * dx) <= std::abs(dx) + std::abs(dy);
      if (is_start || !on_line || !step.contains(column + i, row + j)) continue;
      if (step.closed(column + i, row + j)) return {StepOutcome::obstacle};
    }
  }
  const bool ends_inside = step.contains(column + dx, row + dy);
  const TargetDisc& disc = step.mission.disc;  // 2.
  double entered = std::numeric_limits<double>::infinity();
  for (std::int32_t n = 0; disc.radius > 0 && n < disc.circle_count; ++n) {
    const double x = (column - disc.circle[n].column) * grid.dx;
    const double y = (row - disc.circle[n].row) * grid.dy;
    entered = std::min(entered, disc_entered(x, y, dx * grid.dx, dy * grid.dy, disc.radius));
  }
  if (entered <= 1) return {StepOutcome::arrived, entered};
  if (!ends_inside) return {StepOutcome::out_of_domain};              // 3.
  if (step.mission.target[step.index(column + dx, row + dy)] == 1) {  // 4.
    return {StepOutcome::arrived};
  }
  return {step.last ? StepOutcome::out_of_time : StepOutcome::under_way};  // 5. and 6.
}

std::pair<float, float> scalars(const Step& step, std::int32_t column, std::int32_t row,
                                std::int32_t dx, std::int32_t dy) {
  if (!step.info.has_scalar) return {0.0F, 0.0F};
  const bool ends_inside = step.contains(column + dx, row + dy);
  const std::size_t end_cell =
      ends_inside ? step.index(column + dx, row + dy) : step.index(column, row);
  return {step.now.scalar[step.index(column, row)], step.next.scalar[end_cell]};
}

float reward(const Step& step, const std::pair<float, float>& scalar, float action_part) {
  if (step.mission.objective != Objective::net_energy && !step.mission.kept) return action_part;
  const auto half = static_cast<float>(step.mission.energy.c_r * step.info.time.step / 2);
  return std::fma(half, scalar.first + scalar.second, action_part);
}

float nearness(const Step& step, std::int32_t column, std::int32_t row) {
  const Mission& mission = step.mission;
  if (!(mission.margin > 0)) return 0;
  const Grid& grid = step.info.grid;
  const auto penalty = [&](double gap, float failure) {
    const double loss = double(mission.arrival_reward) - failure;
    if (gap >= mission.margin || loss < 0) return 0.0;
    return 0.1 * -loss * (1 - gap / mission.margin);
  };
  double nearest = std::numeric_limits<double>::infinity();
  for (std::int32_t j = 0; j < grid.ny; ++j) {
    for (std::int32_t i = 0; i < grid.nx; ++i) {
      if (!step.closed(i, j)) continue;
      const double x = std::max(0, std::abs(i - column) - 1) * grid.dx;
      const double y = std::max(0, std::abs(j - row) - 1) * grid.dy;
      nearest = std::min(nearest, std::sqrt(x * x + y * y));
    }
  }
  const double border = std::min(std::min(column, grid.nx - 1 - column) * grid.dx,
                                 std::min(row, grid.ny - 1 - row) * grid.dy);
  return static_cast<float>(std::min(penalty(nearest, mission.failure.obstacle),
                                     penalty(border, mission.failure.outside)));
}

}  // namespace tidewise::test
