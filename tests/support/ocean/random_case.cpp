#include "support/ocean/random_case.h"

#include <algorithm>

#include "base/random.h"
#include "env/weights.h"
#include "support/ocean/environment_builder.h"

namespace tidewise::test {
namespace {

/// Numbers that depend only on the seed and two counters.
struct Numbers {
  Philox random;
  std::uint32_t stream;

  double operator()(std::size_t n) const {
    return to_unit(random(static_cast<std::uint32_t>(n), stream).word[0]);
  }
  float within(float max, std::size_t n) const {
    return static_cast<float>((2 * (*this)(n)-1) * max);
  }
};

CellIndex start_of(const Grid& grid) { return grid.cell(grid.nx / 2, grid.ny / 4); }

}  // namespace

void write_random_environment(const std::filesystem::path& path, const EnvironmentInfo& info,
                              float speed, std::uint64_t seed) {
  write_profiles(path, info, [&](TimeLevel k, std::size_t profile, LevelFields<>& fields) {
    std::uint32_t stream =
        static_cast<std::uint32_t>(k.value) * 16 + static_cast<std::uint32_t>(profile) * 65536;
    const auto fill = [&](Array<float>& field, float max) {
      const Numbers numbers{Philox(seed), ++stream};
      for (std::size_t n = 0; n < field.size(); ++n) field[n] = numbers.within(max, n);
    };
    fill(fields.u_mean, speed);
    fill(fields.v_mean, speed);
    fill(fields.u_mode, speed);
    fill(fields.v_mode, speed);
    fill(fields.coefficient, 1);
    fill(fields.scalar, 3);
    ++stream;
    if (info.obstacles == Obstacles::fixed) stream -= static_cast<std::uint32_t>(k.value) * 16;
    const Numbers numbers{Philox(seed), stream};
    for (std::size_t n = 0; n < fields.masked.size(); ++n) fields.masked[n] = numbers(n) < 0.02;
    fields.masked[static_cast<std::size_t>(start_of(info.grid).value)] = 0;
    if (!info.has_fixed_modes || info.obstacles == Obstacles::none) return;
    for (std::size_t n = 1; n < fields.dry.size(); n += 2) fields.dry[n] = fields.masked[n];
  });
}

void RandomPolicy::read_action(TimeLevel k, View<std::int16_t> action) const {
  const Numbers numbers{Philox(seed_), static_cast<std::uint32_t>(k.value)};
  for (std::size_t n = 0; n < action.size; ++n) {
    const double number = numbers(n) * (k.value % 2 == 0 ? 1 : 1.02);
    action[n] = number < 1 ? static_cast<std::int16_t>(number * static_cast<double>(action_count_))
                           : no_action;
  }
}

void RandomPolicy::read_value(TimeLevel, View<float> value) const {
  std::fill(value.begin(), value.end(), 0.0F);
}

Mission random_mission(const EnvironmentInfo& info) {
  const Grid& grid = info.grid;
  Mission mission;
  mission.objective = Objective::net_energy;
  mission.energy = {.c_f = 1.5, .c_t = 0.1, .c_r = 0.7, .alpha = 0.3};
  mission.start = start_of(grid);
  mission.start_x = grid.x(grid.nx / 2) + 0.3 * grid.dx;
  mission.start_y = grid.y(grid.ny / 4) - 0.2 * grid.dy;
  const double x = grid.x(grid.nx / 2) + 0.37 * grid.dx;
  const double y = grid.y(3 * grid.ny / 4) - 0.21 * grid.dy;
  mission.target = target_cells(grid, x, y, 2 * grid.dx);
  mission.disc = target_disc(grid, x, y, 2 * grid.dx);
  mission.failure = {-1500.5F, -1200.25F, -900.0F, 1.7 / grid.dx};
  mission.last = TimeLevel(info.time.level_count - 1);
  return mission;
}

std::vector<std::uint32_t> random_weights(std::int32_t realizations) {
  const Numbers numbers{Philox(7), 0};
  std::vector<double> weights;
  for (std::int32_t n = 0; n < realizations; ++n) {
    weights.push_back(n % 5 == 1 ? 0 : numbers(static_cast<std::size_t>(n)) + 0.01);
  }
  return to_integer_weights(weights);
}

}  // namespace tidewise::test
