#include "support/ocean/random_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "support/ocean/environment_builder.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/random_case.h"

namespace tidewise::test {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::int32_t between(std::int32_t first, std::int32_t last) {
    return first + static_cast<std::int32_t>(random_() % std::uint64_t(last - first + 1));
  }
  double within(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }
  bool one_in(std::int32_t count) { return between(1, count) == 1; }

 private:
  std::mt19937_64 random_;
};

void make_station_keeping(Mission& mission) {
  mission.objective = Objective::stay;
  mission.energy.c_r = 1;
  mission.kept.emplace();
  mission.kept->line = {{0, 0}, {1, 1}};  // flights read g from the field, as the solver does
  std::fill(mission.target.begin(), mission.target.end(), std::uint8_t{0});
  mission.disc = TargetDisc();
  mission.arrival_reward = 0;
  mission.failure.late = 0;
  mission.failure.late_per_length = 0;
}

Mission make_mission(Dice& dice, const EnvironmentInfo& info) {
  constexpr Objective objectives[] = {Objective::time, Objective::energy, Objective::net_energy,
                                      Objective::weighted, Objective::arrival};
  const Grid& grid = info.grid;
  Mission mission = random_mission(info);
  mission.objective = objectives[dice.between(0, 4)];
  mission.energy = {.c_f = dice.within(0.2, 2),
                    .c_t = dice.within(0, 0.3),
                    .c_r = dice.within(0, 1),
                    .alpha = dice.within(0, 1)};
  for (std::int32_t n = 0; n < info.velocities && info.velocities > 1; ++n) {
    mission.profile_power.push_back(dice.within(0, 1));
  }
  const double radius = dice.one_in(3) ? 0 : dice.within(0.4, 2.5) * grid.dx;
  const double x = grid.x(dice.between(0, grid.nx - 1)) + dice.within(-0.4, 0.4) * grid.dx;
  const double y = grid.y(dice.between(0, grid.ny - 1)) + dice.within(-0.4, 0.4) * grid.dy;
  mission.target = target_cells(grid, x, y, radius);
  mission.disc = target_disc(grid, x, y, radius);
  mission.target_x = x;
  mission.target_y = y;
  mission.last = TimeLevel(dice.between(1, info.time.level_count - 1));
  mission.departure = TimeLevel(dice.between(0, mission.last.value - 1));
  mission.arrival_reward = static_cast<float>(dice.within(0, 100));
  mission.failure = {static_cast<float>(-dice.within(100, 1500)),
                     static_cast<float>(-dice.within(100, 1500)),
                     static_cast<float>(-dice.within(50, 900)), dice.within(0, 2) / grid.dx};
  mission.start = grid.cell(dice.between(0, grid.nx - 1), dice.between(0, grid.ny - 1));
  mission.start_x = grid.x(grid.column(mission.start)) + dice.within(-0.4, 0.4) * grid.dx;
  mission.start_y = grid.y(grid.row(mission.start)) + dice.within(-0.4, 0.4) * grid.dy;
  if (dice.one_in(3)) mission.margin = dice.within(0.3, 6) * grid.dx;
  if (dice.one_in(4)) mission.decisions = {dice.between(2, 3), mission.departure};
  if (dice.one_in(6)) {
    make_station_keeping(mission);
  } else if (dice.one_in(3)) {
    for (std::int32_t n = dice.between(1, 2); n > 0; --n) {
      const std::int32_t column = dice.between(1, grid.nx - 2) - grid.column(mission.start);
      const std::int32_t row = dice.between(1, grid.ny - 2) - grid.row(mission.start);
      mission.via.push_back(via_block(grid, mission, column, row, dice.within(1, 9) * grid.dx));
    }
  }
  return mission;
}

}  // namespace

RandomProblem make_random_problem(std::uint64_t seed, const std::filesystem::path& path) {
  Dice dice(seed);
  RandomProblem problem;
  problem.info = plain_info(dice.between(6, 15), dice.between(6, 15), dice.between(2, 6),
                            dice.between(1, 4), dice.between(1, 24));
  EnvironmentInfo& info = problem.info;
  info.has_fixed_modes = seed % 2 == 0;
  if (seed % 6 == 0) info.obstacles = Obstacles::fixed;
  if (dice.one_in(3)) info.realization_weight = random_weights(info.realization_count);
  const std::int32_t profiles = dice.one_in(3) ? dice.between(2, 3) : 1;
  for (std::int32_t n = 0; n < profiles && profiles > 1; ++n) {
    info.profiles.push_back({fmt::format("dive{}", n), fmt::format("0:{}", 100 * (n + 1))});
  }
  write_random_environment(path, info, static_cast<float>(dice.within(0.2, 1.2)), seed);
  info = problem.open(path).info();
  problem.rule.landing = dice.one_in(2) ? LandingBy::area : LandingBy::cell;
  constexpr std::int32_t bits[] = {3, 5, 8};
  problem.rule.bin_bits = bits[dice.between(0, 2)];
  const std::vector<double> speeds{dice.one_in(2) ? 0.0 : 0.4, dice.within(0.6, 2)};
  problem.actions = make_profile_actions(
      std::vector<std::vector<double>>(static_cast<std::size_t>(profiles), speeds),
      dice.between(3, 7), info.grid, info.time);
  for (std::int32_t n = dice.between(1, 3); n > 0; --n) {
    problem.missions.push_back(make_mission(dice, info));
  }
  return problem;
}

EnvironmentReader RandomProblem::open(const std::filesystem::path& path) const {
  EnvironmentReader reader(path);
  std::vector<std::string> names;
  for (const EnvironmentProfile& profile : info.profiles) names.push_back(profile.name);
  if (!names.empty()) reader.choose_profiles(names);
  return reader;
}

std::string RandomProblem::description() const {
  std::string text = fmt::format(
      "{} x {} cells, {} levels, {}{} modes, {} realizations{}, {} "
      "profile(s), {} actions, by {}, {} bits",
      info.grid.nx, info.grid.ny, info.time.level_count, info.has_fixed_modes ? "fixed " : "",
      info.mode_count, info.realization_count, info.realization_weight.empty() ? "" : " (weighted)",
      info.velocities, actions.size(), to_string(rule.landing), rule.bin_bits);
  for (const Mission& mission : missions) {
    text += fmt::format("\n  {}: levels {} to {}, hold {}, {} via, margin {:.3g}, disc {:.3g}",
                        to_string(mission.objective), mission.departure.value, mission.last.value,
                        mission.decisions.every, mission.via.size(), mission.margin,
                        mission.disc.radius);
  }
  return text;
}

}  // namespace tidewise::test
