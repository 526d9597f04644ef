#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "env/level_fields.h"
#include "model_builder/step/displacement.h"
#include "solver/flight/bilinear.h"
#include "solver/flight/steering.h"

namespace tidewise {

/// Flow of one realization at one level, bilinear between cell centres. Caches the four centres
/// around the last point, because the next point usually lies between the same centres.
class RealizedFlow {
 public:
  /// `level` and `grid` must outlive the object.
  TIDEWISE_HOST_DEVICE RealizedFlow(const LevelView& level, const Grid& grid,
                                    std::int32_t realization)
      : level_(level), grid_(grid), realization_(realization) {}

  /// Flow at (x, y) [m s-1 or 1].
  TIDEWISE_HOST_DEVICE Current at(double x, double y) {
    const BilinearStencil stencil = bilinear_stencil(grid_, level_.dry, x, y);
    if (stencil.cell[0] != south_west_) look_up(stencil);
    Current current;
    for (std::int32_t n = 0; n < 4; ++n) {
      if (stencil.weight[n] == 0) continue;
      current.u += stencil.weight[n] * centre_flow_[n].u;
      current.v += stencil.weight[n] * centre_flow_[n].v;
    }
    return current;
  }

  /// Maximum number of cells along either axis that a vehicle crosses in `time`, with velocity
  /// `through_water` and the flow at any of the centres around the last point.
  TIDEWISE_HOST_DEVICE double max_cells(const Current& through_water, double time) const {
    double maximum = 0;
    for (const Current& flow : centre_flow_) {
      const double x = std::fabs(flow.u + through_water.u) * time / grid_.dx;
      const double y = std::fabs(flow.v + through_water.v) * time / grid_.dy;
      maximum = x > maximum ? x : maximum;
      maximum = y > maximum ? y : maximum;
    }
    return maximum;
  }

  /// Displacement in `time` of a vehicle at (x, y), where the flow is `current`, with velocity
  /// `through_water`: the classical Runge-Kutta method of fourth order. In uniform flow the result
  /// is exactly velocity times time.
  TIDEWISE_HOST_DEVICE Current displacement(double x, double y, const Current& current,
                                            const Current& through_water, double time) {
    const auto velocity_at = [&](const Current& mean, double after) -> Current {
      const Current flow = at(x + mean.u * after, y + mean.v * after);
      return {flow.u + through_water.u, flow.v + through_water.v};
    };
    const Current first{current.u + through_water.u, current.v + through_water.v};
    const Current second = velocity_at(first, time / 2);
    const Current third = velocity_at(second, time / 2);
    const Current fourth = velocity_at(third, time);
    const auto mean = [](double a, double b, double c, double d) {
      return a + (2 * (b - a) + 2 * (c - a) + (d - a)) / 6;
    };
    return {mean(first.u, second.u, third.u, fourth.u) * time,
            mean(first.v, second.v, third.v, fourth.v) * time};
  }

 private:
  TIDEWISE_HOST_DEVICE void look_up(const BilinearStencil& stencil) {
    south_west_ = stencil.cell[0];
    const auto component = [&](View<const float> mean, View<const float> mode, std::int32_t n) {
      const auto cell = static_cast<std::size_t>(stencil.cell[n]);
      if (level_.dry[cell] != 0) return 0.0;  // the modes' velocities may not be 0 there
      return static_cast<double>(
          velocity(mean[cell], mode.data + cell, mean.size, level_.coefficient.data + realization_,
                   static_cast<std::size_t>(level_.realization_count), level_.mode_count));
    };
    for (std::int32_t n = 0; n < 4; ++n) {
      centre_flow_[n] = {component(level_.u_mean, level_.u_mode, n),
                         component(level_.v_mean, level_.v_mode, n)};
    }
  }

  const LevelView& level_;
  const Grid& grid_;
  std::int32_t realization_;
  std::int32_t south_west_ = -1;  // south-western of the four cached centres; −1: none yet
  Current centre_flow_[4];
};

}  // namespace tidewise
