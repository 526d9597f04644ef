#include "env/gyre/flow/spin_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/gyre/flow/stream_function.h"

namespace tidewise::gyre {
namespace {

constexpr std::int64_t progress_units = 1000;  // units of progress for the whole duration
constexpr int steps_between_updates = 10;      // steps between updates of the step length

/// The flow of the initial eddy. Its ψ satisfies the walls' conditions and has the same sign on
/// both sides of the middle latitude, whereas the wind-driven ψ has opposite signs.
VelocityField initial_flow(const StaggeredGrid& grid, const DimensionlessNumbers& numbers,
                           double first_eddy) {
  constexpr double pi = std::numbers::pi;
  const double amplitude = first_eddy * numbers.wind / numbers.beta;
  std::vector<double> stream_function(grid.corner_count());
  for (int j = 0; j <= grid.ny; ++j) {
    for (int i = 0; i <= grid.nx; ++i) {
      const double sine = std::sin(pi * i * grid.dx());
      stream_function[corner(grid, j, i)] = amplitude * sine * sine * std::sin(pi * j * grid.dy());
    }
  }
  return velocity_of(grid, stream_function);
}

/// Solves one stage, and reports its progress.
template <class Report>
void run_stage(const FlowSolver& gyre, VelocityField& velocity, double duration, Report report) {
  double time = 0;
  while (time < duration) {
    // Equal steps to the end, so that the last one is not very short.
    const double stable = gyre.stable_step(greatest_courant_rate(velocity));
    const double steps_left = std::ceil((duration - time) / stable);
    const double step = (duration - time) / steps_left;
    const bool last = steps_left <= steps_between_updates;
    const int steps = last ? static_cast<int>(steps_left) : steps_between_updates;
    for (int n = 0; n < steps; ++n) gyre.advance(velocity, time + n * step, step);
    time = last ? duration : time + steps * step;
    if (!std::isfinite(kinetic_energy(velocity))) {
      throw RunError(fmt::format(
          "the gyre's flow is not finite any more {:.3g} L/U into a spin-up stage on {} x {} cells "
          "(Reynolds number {:g}); choose a lower Reynolds number or a finer grid",
          time, gyre.grid().nx, gyre.grid().ny, gyre.momentum().numbers().reynolds));
    }
    report(time);
  }
}

void validate(const DimensionlessNumbers& numbers) {
  for (const auto& [name, value] :
       {std::pair{"Reynolds number", numbers.reynolds}, std::pair{"beta", numbers.beta},
        std::pair{"wind strength", numbers.wind}}) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw input_error(errors::gyre_number_not_positive, name, value);
    }
  }
}

void validate(const SpinUpStage& stage) {
  if (stage.grid.nx < 3 || stage.grid.ny < 3) {
    throw input_error(errors::gyre_grid_too_small, stage.grid.nx, stage.grid.ny);
  }
  if (!(stage.duration > 0) || !std::isfinite(stage.duration)) {
    throw input_error(errors::spin_up_duration_invalid, stage.duration);
  }
}

}  // namespace

double western_layer(const DimensionlessNumbers& numbers) {
  return std::cbrt(1 / (numbers.beta * numbers.reynolds));
}

std::vector<SpinUpStage> spin_up_stages(const StaggeredGrid& grid,
                                        const DimensionlessNumbers& numbers, double duration) {
  struct Share {
    int coarsening;
    double time;
  };
  constexpr Share shares[] = {{4, 0.5}, {2, 0.3}, {1, 0.2}};
  const double layer = western_layer(numbers);
  std::vector<SpinUpStage> stages;
  double pending_time = 0;
  for (const Share& share : shares) {
    const StaggeredGrid coarse{grid.nx / share.coarsening, grid.ny / share.coarsening};
    pending_time += share.time * duration;
    const bool resolved =
        std::min(coarse.nx, coarse.ny) >= 3 && std::max(coarse.dx(), coarse.dy()) <= layer;
    if (!resolved && share.coarsening > 1) continue;
    stages.push_back({coarse, pending_time});
    pending_time = 0;
  }
  return stages;
}

VelocityField spin_up(const std::vector<SpinUpStage>& stages, const DimensionlessNumbers& numbers,
                      Progress& progress, double first_eddy) {
  validate(numbers);
  if (!std::isfinite(first_eddy)) {
    throw input_error(errors::spin_up_not_finite);
  }
  double duration = 0;
  for (const SpinUpStage& stage : stages) {
    validate(stage);
    duration += stage.duration;
  }
  if (stages.empty()) throw input_error(errors::spin_up_without_stages);

  progress.begin("spinning the gyre up", progress_units, "thousandths");
  VelocityField velocity = initial_flow(stages.front().grid, numbers, first_eddy);
  double elapsed = 0;
  for (const SpinUpStage& stage : stages) {
    if (velocity.grid() != stage.grid) velocity = regridded(velocity, stage.grid);
    run_stage(FlowSolver(stage.grid, numbers), velocity, stage.duration, [&](double time) {
      progress.advance_to(static_cast<std::int64_t>((elapsed + time) / duration * progress_units));
    });
    elapsed += stage.duration;
  }
  progress.end();
  return velocity;
}

VelocityField spin_up(const StaggeredGrid& grid, const DimensionlessNumbers& numbers,
                      double duration, Progress& progress, double first_eddy) {
  return spin_up(spin_up_stages(grid, numbers, duration), numbers, progress, first_eddy);
}

}  // namespace tidewise::gyre
