#include "planner/view/read_fields.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "env/levels/level_stream.h"
#include "env/units/angle.h"
#include "env/units/meridian_convergence.h"
#include "env/weights.h"
#include "output/run/policy_description.h"
#include "output/run/to_go_file.h"
#include "output/view/flight_density.h"

namespace tidewise {
namespace {

// Maximum number of values that are read, before packing.
constexpr std::size_t max_policy_size = 6'000'000;
constexpr std::size_t max_obstacle_size = 16'000'000;
constexpr std::size_t max_flow_size = 6'000'000;
constexpr std::size_t max_coefficient_size = 600'000;
constexpr std::int32_t max_globe_side = 200;

ViewLattice fitting_lattice(const Grid& grid, const FlightLevels& levels, std::size_t planes,
                            std::size_t max, CoarsenFirst coarsened_first) {
  ViewLattice lattice = whole_lattice(grid, levels.first, levels.last);
  while (lattice.size() * planes > max && lattice.size() > 1)
    lattice = coarsened(lattice, coarsened_first);
  return lattice;
}

std::vector<TimeLevel> levels_of(const ViewLattice& lattice) {
  std::vector<TimeLevel> levels;
  levels.reserve(static_cast<std::size_t>(lattice.level_count));
  for (std::int32_t n = 0; n < lattice.level_count; ++n) levels.push_back(lattice.level(n));
  return levels;
}

/// Collects the closed cells of levels; of equal levels only one.
class ObstacleCollector {
 public:
  ObstacleCollector(const Grid& grid, const FlightLevels& levels)
      : nx_(grid.nx),
        lattice_(fitting_lattice(grid, levels, 1, max_obstacle_size, CoarsenFirst::levels)) {}

  /// Levels must come one after the other.
  void add(TimeLevel level, const std::uint8_t* closed) {
    if ((level.value - lattice_.first_level) % lattice_.level_stride != 0) return;
    append_kept(closed, nx_, lattice_, closed_);
  }

  ObstacleView take() {
    const std::size_t plane = lattice_.plane();
    bool moving = false;
    for (std::size_t n = plane; n < closed_.size() && !moving; ++n) {
      moving = closed_[n] != closed_[n - plane];
    }
    if (!moving) {
      closed_.resize(plane);
      lattice_.level_count = 1;
      lattice_.level_stride = 1;
    }
    return {lattice_, std::move(closed_)};
  }

 private:
  std::int32_t nx_;
  ViewLattice lattice_;
  std::vector<std::uint8_t> closed_;
};

/// Appends the weighted covariance of a level's coefficients over all realizations. `variance`:
/// that of each mode, (level, mode).
void append_covariance(const EnvironmentInfo& info, const float* coefficient, bool whole,
                       std::vector<float>& covariance, std::vector<double>& variance) {
  const auto modes = static_cast<std::size_t>(info.mode_count);
  const auto count = static_cast<std::size_t>(info.realization_count);
  const std::vector<double> weight = realization_shares(info);
  std::vector<double> mean(modes, 0);
  for (std::size_t m = 0; m < modes; ++m) {
    for (std::size_t r = 0; r < count; ++r) mean[m] += weight[r] * coefficient[m * count + r];
  }
  const auto covariance_of = [&](std::size_t m, std::size_t l) {
    double sum = 0;
    for (std::size_t r = 0; r < count; ++r) {
      sum += weight[r] * (coefficient[m * count + r] - mean[m]) *
             (coefficient[l * count + r] - mean[l]);
    }
    return static_cast<float>(sum);
  };
  for (std::size_t m = 0; m < modes; ++m) {
    variance.push_back(covariance_of(m, m));
    for (std::size_t l = 0; whole && l < modes; ++l) covariance.push_back(covariance_of(m, l));
  }
}

/// Divides the coefficients of each mode by their root mean square and multiplies the mode by it.
/// `variance`: that of the coefficients (level, mode).
void normalise_modes(const std::vector<double>& variance, FlowView& flow) {
  const auto modes = static_cast<std::size_t>(flow.mode_count);
  const auto levels = static_cast<std::size_t>(flow.lattice.level_count);
  const std::size_t count = flow.realization.size();
  const std::size_t plane = flow.lattice.plane();
  std::vector<double> size(modes, 0);
  for (std::size_t m = 0; m < modes; ++m) {
    double sum = 0;
    for (std::size_t k = 0; k < levels; ++k) sum += variance[k * modes + m];
    const double root = std::sqrt(sum / static_cast<double>(levels));
    size[m] = root > 0 ? root : 1;
  }
  for (std::size_t k = 0; k < levels; ++k) {
    for (std::size_t m = 0; m < modes; ++m) {
      const std::size_t index = k * modes + m;
      for (std::size_t r = 0; r < count; ++r) {
        float& coefficient = flow.coefficient[index * count + r];
        coefficient = static_cast<float>(coefficient / size[m]);
      }
      for (VelocityView& velocity : flow.velocity) {
        if (flow.fixed_modes && k > 0) break;
        for (std::size_t n = index * plane; n < (index + 1) * plane; ++n) {
          velocity.u_mode[n] = static_cast<float>(velocity.u_mode[n] * size[m]);
          velocity.v_mode[n] = static_cast<float>(velocity.v_mode[n] * size[m]);
        }
      }
      for (std::size_t l = 0; !flow.covariance.empty() && l < modes; ++l) {
        float& covariance = flow.covariance[index * modes + l];
        covariance = static_cast<float>(covariance / (size[m] * size[l]));
      }
    }
  }
}

/// Fills cells without a velocity, such as land, with the mean of their neighbours, in several
/// rings. Otherwise the flow along a coast, drawn between nodes, would weaken towards it.
class CoastFiller {
 public:
  CoastFiller(const Grid& grid, const std::uint8_t* dry, std::int32_t rings) {
    const auto cells = static_cast<std::size_t>(grid.cell_count());
    std::vector<std::uint8_t> unknown(dry, dry + cells);
    for (std::int32_t ring = 0; ring < rings; ++ring) {
      const std::size_t before = fills_.size();
      for (std::int32_t j = 0; j < grid.ny; ++j) {
        for (std::int32_t i = 0; i < grid.nx; ++i) add_fill(grid, unknown, i, j);
      }
      for (std::size_t n = before; n < fills_.size(); ++n) unknown[fills_[n].cell] = 0;
    }
  }

  void fill(float* plane) const {
    for (const Fill& fill : fills_) {
      float sum = 0;
      for (std::size_t n = fill.first; n < fill.last; ++n) sum += plane[sources_[n]];
      plane[fill.cell] = sum / static_cast<float>(fill.last - fill.first);
    }
  }

 private:
  struct Fill {
    std::size_t cell;
    std::size_t first, last;  ///< indices in sources_
  };

  void add_fill(const Grid& grid, const std::vector<std::uint8_t>& unknown, std::int32_t i,
                std::int32_t j) {
    const auto cell = static_cast<std::size_t>(grid.cell(i, j).value);
    if (unknown[cell] == 0) return;
    const std::size_t first = sources_.size();
    for (std::int32_t row = std::max(j - 1, 0); row <= std::min(j + 1, grid.ny - 1); ++row) {
      for (std::int32_t column = std::max(i - 1, 0); column <= std::min(i + 1, grid.nx - 1);
           ++column) {
        const auto neighbour = static_cast<std::size_t>(grid.cell(column, row).value);
        if (unknown[neighbour] == 0) sources_.push_back(neighbour);
      }
    }
    if (sources_.size() > first) fills_.push_back({cell, first, sources_.size()});
  }

  std::vector<Fill> fills_;  ///< ring by ring
  std::vector<std::size_t> sources_;
};

FlowView empty_flow(const EnvironmentInfo& info, const FlightLevels& levels) {
  FlowView flow;
  const auto modes = static_cast<std::size_t>(info.mode_count);
  flow.mode_count = info.mode_count;
  flow.velocity.resize(static_cast<std::size_t>(info.velocities));
  flow.fixed_modes = shares_modes(info);
  const auto level_count = static_cast<std::size_t>(levels.last.value - levels.first.value + 1);
  const std::size_t mode_planes =
      flow.fixed_modes ? (2 * modes + level_count - 1) / level_count : 2 * modes;
  const std::size_t planes = flow.velocity.size() * (2 + mode_planes) + (info.has_scalar ? 1 : 0);
  flow.lattice = fitting_lattice(info.grid, levels, planes, max_flow_size, CoarsenFirst::cells);
  const auto per_realization = modes * static_cast<std::size_t>(flow.lattice.level_count);
  const std::size_t max = std::max<std::size_t>(1, max_coefficient_size / per_realization);
  const auto count = static_cast<std::size_t>(info.realization_count);
  const auto stride = static_cast<std::int32_t>((count + max - 1) / max);
  for (std::int32_t r = 0; r < info.realization_count; r += stride) flow.realization.push_back(r);
  return flow;
}

/// Appends the mean and the modes of a level; `level` shows the velocity of one profile.
void append_velocity(const LevelView& level, const ViewLattice& lattice, bool fixed_modes,
                     VelocityView& velocity) {
  const auto cells = static_cast<std::size_t>(level.grid.cell_count());
  const CoastFiller coast(level.grid, level.dry.data, lattice.cell_stride + 1);
  std::vector<float> plane(cells);
  const auto append = [&](const float* field, std::vector<float>& thinned) {
    std::copy_n(field, cells, plane.begin());
    for (std::size_t n = 0; n < cells; ++n) {
      if (level.dry[n] != 0) plane[n] = 0;  // shared modes may not be 0
    }
    coast.fill(plane.data());
    append_kept(plane.data(), level.grid.nx, lattice, thinned);
  };
  append(level.u_mean.data, velocity.u_mean);
  append(level.v_mean.data, velocity.v_mean);
  if (fixed_modes && !velocity.u_mode.empty()) return;
  for (std::size_t m = 0; m < static_cast<std::size_t>(level.mode_count); ++m) {
    append(level.u_mode.data + m * cells, velocity.u_mode);
    append(level.v_mode.data + m * cells, velocity.v_mode);
  }
}

void append_level(const EnvironmentInfo& info, const LevelFields<>& fields, FlowView& flow,
                  std::vector<double>& variance) {
  const LevelView level = fields.view(info);
  for (std::int32_t p = 0; p < info.velocities; ++p) {
    append_velocity(level.profile(p), flow.lattice, flow.fixed_modes,
                    flow.velocity[static_cast<std::size_t>(p)]);
  }
  for (std::size_t m = 0; m < static_cast<std::size_t>(info.mode_count); ++m) {
    const auto first_coefficient = m * static_cast<std::size_t>(info.realization_count);
    for (const std::int32_t r : flow.realization) {
      flow.coefficient.push_back(
          level.coefficient[first_coefficient + static_cast<std::size_t>(r)]);
    }
  }
  const bool whole = !info.realization_weight.empty() || info.mode_count <= info.realization_count;
  append_covariance(info, level.coefficient.data, whole, flow.covariance, variance);
  if (info.has_scalar) append_kept(level.scalar.data, info.grid.nx, flow.lattice, flow.scalar);
}

}  // namespace

PolicyView read_policy_view(const PolicyFile& policy, const FlightLevels& levels) {
  PolicyView view;
  const Grid& grid = policy.grid();
  view.lattice = fitting_lattice(grid, levels, 1, max_policy_size, CoarsenFirst::levels);
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  std::vector<std::int16_t> action(cells);
  std::vector<float> value(cells);
  for (const TimeLevel k : levels_of(view.lattice)) {
    policy.read_action(k, action);
    policy.read_value(k, value);
    append_kept(action.data(), grid.nx, view.lattice, view.action);
    append_kept(value.data(), grid.nx, view.lattice, view.value);
  }
  return view;
}

std::optional<ReachView> read_reach_view(const PolicyFile& policy, const FlightLevels& levels) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(policy.path()).parent_path();
  const fs::path file = folder / "reach.nc";
  std::error_code missing;
  const auto written = fs::last_write_time(file, missing);
  if (missing) return {};
  for (const char* source : {"policy.h5", "trajectories.nc"}) {
    const auto changed = fs::last_write_time(folder / source, missing);
    if (!missing && changed > written) return {};
  }
  const ToGoReader reader(file, policy);
  ReachView view;
  const Grid& grid = policy.grid();
  view.lattice = fitting_lattice(grid, levels, 1, max_policy_size, CoarsenFirst::levels);
  std::vector<float> field;
  for (const TimeLevel k : levels_of(view.lattice)) {
    reader.read_arrival(k, field);
    append_kept(field.data(), grid.nx, view.lattice, view.arrival);
    reader.read_time(k, field);
    append_kept(field.data(), grid.nx, view.lattice, view.time_to_go);
  }
  return view;
}

CorridorView read_corridor_view(const PolicyFile& policy, const FlightsView& flights,
                                const FlightLevels& levels) {
  CorridorView view;
  const Grid& grid = policy.grid();
  view.lattice = fitting_lattice(grid, levels, 1, max_policy_size, CoarsenFirst::levels);
  const FlightDensity density(grid, policy.time(), flights, levels.first);
  for (const TimeLevel k : levels_of(view.lattice)) {
    append_kept(density.at(k).data(), grid.nx, view.lattice, view.density);
  }
  return view;
}

std::optional<GlobeView> read_globe_view(const PolicyFile& policy) {
  if (describe_environment_of(policy).coordinates != Coordinates::geographic) return {};
  const std::vector<double> longitude = read_longitude(policy);
  const std::vector<double> latitude = read_latitude(policy);
  const Grid& grid = policy.grid();
  if (grid.nx < 2 || grid.ny < 2) return {};
  const std::vector<double> convergence = MeridianConvergence(grid, longitude, latitude).at_cells();
  GlobeView view;
  view.lattice = whole_lattice(grid, TimeLevel(0), TimeLevel(0));
  while (std::max(view.lattice.nx, view.lattice.ny) > max_globe_side) {
    view.lattice = coarsened(view.lattice, CoarsenFirst::cells);
  }
  std::vector<double> plane(longitude.size());
  const auto add = [&](std::vector<double>& thinned, const auto& cell_value) {
    for (std::size_t n = 0; n < plane.size(); ++n) plane[n] = cell_value(n);
    append_kept(plane.data(), grid.nx, view.lattice, thinned);
  };
  const auto phi = [&](std::size_t n) { return latitude[n] * radians_per_degree; };
  const auto lambda = [&](std::size_t n) { return longitude[n] * radians_per_degree; };
  add(view.point, [&](std::size_t n) { return std::cos(phi(n)) * std::cos(lambda(n)); });
  add(view.point, [&](std::size_t n) { return std::cos(phi(n)) * std::sin(lambda(n)); });
  add(view.point, [&](std::size_t n) { return std::sin(phi(n)); });
  const auto turn = [&](std::size_t n) { return convergence[n] * radians_per_degree; };
  add(view.convergence, [&](std::size_t n) { return std::cos(turn(n)); });
  add(view.convergence, [&](std::size_t n) { return std::sin(turn(n)); });
  return view;
}

EnvironmentFields read_environment_fields(const EnvironmentReader& environment,
                                          const FlightLevels& levels, Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  EnvironmentFields fields;
  FlowView& flow = fields.flow = empty_flow(info, levels);
  ObstacleCollector obstacles(info.grid, levels);
  const std::vector<TimeLevel> order = levels_of(flow.lattice);
  LevelStream stream(environment, order);
  std::vector<double> variance;  // variance of the coefficients, (level, mode)
  progress.begin("reading", static_cast<std::int64_t>(order.size()), "levels");
  std::int64_t done = 0;
  for (std::size_t n = 0; n < order.size(); ++n) {
    append_level(info, stream.next(), flow, variance);
    progress.advance_to(++done);
  }
  progress.end();
  for (TimeLevel k = levels.first; k.value <= levels.last.value; k = TimeLevel(k.value + 1)) {
    obstacles.add(k, environment.read_masked(k).data());
  }
  normalise_modes(variance, flow);
  fields.obstacles = obstacles.take();
  return fields;
}

ObstacleView obstacles_of_policy(const PolicyFile& policy, const FlightLevels& levels,
                                 const MissionPlaces& places) {
  const Grid& grid = policy.grid();
  ObstacleCollector obstacles(grid, levels);
  const std::vector<std::uint8_t> target =
      target_cells(grid, places.target.x, places.target.y, places.target_radius);
  std::vector<std::int16_t> action(target.size());
  std::vector<std::uint8_t> closed(target.size(), 0);
  for (std::int32_t k = levels.first.value; k <= levels.last.value; ++k) {
    // A policy has no action at its last level; the actions of the level before are used.
    if (k < policy.last_level().value) {
      policy.read_action(TimeLevel(k), action);
      for (std::size_t n = 0; n < action.size(); ++n) {
        closed[n] = action[n] == no_action && target[n] == 0 ? 1 : 0;
      }
    }
    obstacles.add(TimeLevel(k), closed.data());
  }
  return obstacles.take();
}

void blank_closed_cells(const ObstacleView& obstacles, PolicyView& policy) {
  const ViewLattice& to = policy.lattice;
  const ViewLattice& from = obstacles.lattice;
  for (std::int32_t n = 0; n < to.level_count; ++n) {
    const std::int32_t level = std::clamp(
        (to.level(n).value - from.first_level) / from.level_stride, 0, from.level_count - 1);
    for (std::int32_t j = 0; j < to.ny; ++j) {
      for (std::int32_t i = 0; i < to.nx; ++i) {
        const std::int32_t row = std::min(j * to.cell_stride / from.cell_stride, from.ny - 1);
        const std::int32_t column = std::min(i * to.cell_stride / from.cell_stride, from.nx - 1);
        const auto closed = (static_cast<std::size_t>(level) * from.plane()) +
                            static_cast<std::size_t>(row * from.nx + column);
        if (obstacles.closed[closed] == 0) continue;
        policy.value[static_cast<std::size_t>(n) * to.plane() +
                     static_cast<std::size_t>(j * to.nx + i)] =
            std::numeric_limits<float>::quiet_NaN();
      }
    }
  }
}

}  // namespace tidewise
