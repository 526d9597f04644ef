#include "golden/golden_problems.h"

#include <cmath>

#include "env/tools/double_gyre.h"
#include "env/weights.h"

namespace tidewise::test {
namespace {

void round_off(Array<float>& field) {
  for (float& value : field) value = std::round(value * 0x1p12F) * 0x1p-12F;
}

GoldenProblem gyre(const std::string& name, const DoubleGyreOptions& options,
                   std::int32_t headings) {
  GoldenProblem problem;
  problem.name = name;
  problem.info = make_double_gyre_level(options, TimeLevel(0)).info;
  problem.fill = [options](TimeLevel k, LevelFields<>& fields) {
    fields = make_double_gyre_level(options, k).fields;
    for (auto* field : {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode,
                        &fields.coefficient, &fields.scalar}) {
      round_off(*field);
    }
  };
  problem.speeds = {0.5, 1};
  problem.headings = headings;
  problem.target_column = options.nx * 2 / 3;
  problem.target_row = options.ny * 2 / 3;
  return problem;
}

DoubleGyreOptions gyre_options(std::int32_t nx, std::int32_t ny, std::int32_t level_count) {
  DoubleGyreOptions options;
  options.nx = nx;
  options.ny = ny;
  options.level_count = level_count;
  options.mode_count = 4;
  options.realization_count = 75;
  return options;
}

GoldenProblem weighted_gyre() {
  GoldenProblem problem = gyre("weighted", gyre_options(23, 19, 9), 16);
  std::vector<double> weights(static_cast<std::size_t>(problem.info.realization_count));
  for (std::size_t r = 0; r < weights.size(); ++r) weights[r] = static_cast<double>(r % 7);
  problem.info.realization_weight = to_integer_weights(weights);
  return problem;
}

/// Returns a pseudo-random integer in −half … half, without a pattern over successive words.
float rough(std::size_t word, int half) {
  return static_cast<float>(
      static_cast<int>(word * 2654435761u % 4294967291u % static_cast<std::size_t>(2 * half + 1)) -
      half);
}

void fill_wide(TimeLevel k, LevelFields<>& fields) {
  const auto level = static_cast<std::size_t>(k.value) * 7919;
  for (std::size_t c = 0; c < fields.u_mean.size(); ++c) {
    fields.u_mean[c] = rough(level + 2 * c, 1000) / 512;  // ±2 cells per step
    fields.v_mean[c] = rough(level + 2 * c + 1, 1000) / 512;
    fields.scalar[c] = rough(level + 3 * c, 8) / 4;
    fields.masked[c] = rough(level / 7919 + 5 * c, 9) > 8 ? 1 : 0;  // 1 of 19
  }
  for (std::size_t n = 0; n < fields.u_mode.size(); ++n) {
    fields.u_mode[n] = rough(level + 11 * n, 1000) / 512;
    fields.v_mode[n] = rough(level + 13 * n, 1000) / 512;
  }
  for (std::size_t n = 0; n < fields.coefficient.size(); ++n) {
    fields.coefficient[n] = rough(level + 17 * n, 5000) / 4096;
  }
}

GoldenProblem wide() {
  GoldenProblem problem;
  problem.name = "wide";
  problem.info = plain_info(17, 13, 6, 3, 130);
  problem.fill = fill_wide;
  problem.speeds = {0, 0.75, 2.5};
  problem.headings = 7;
  problem.target_column = 9;
  problem.target_row = 6;
  return problem;
}

}  // namespace

void GoldenProblem::write(const std::filesystem::path& path) const {
  write_environment(path, info, fill);
}

Mission GoldenProblem::mission(Objective objective) const {
  Mission mission;
  mission.objective = objective;
  mission.energy = {1.0, 0.01, 0.75, 0.375};
  const double x = info.grid.x(target_column);
  const double y = info.grid.y(target_row);
  mission.target = target_cells(info.grid, x, y, 1);
  mission.disc = target_disc(info.grid, x, y, 1);
  mission.last = TimeLevel(info.time.level_count - 1);
  return mission;
}

std::vector<GoldenProblem> golden_problems() {
  return {gyre("gyre", gyre_options(23, 19, 9), 16), weighted_gyre(),
          gyre("many_actions", gyre_options(14, 15, 5), 64), wide()};
}

}  // namespace tidewise::test
