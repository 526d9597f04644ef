// Solves only in cells that the vehicle can still reach (docs/model.md, 3.8): hand calculations,
// and bitwise agreement with complete plans.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "solver/fly/rollout.h"
#include "solver/legs/legs.h"
#include "solver/reachable/device_solver.h"
#include "solver/reachable/file_levels.h"
#include "solver/reachable/flight_bound.h"
#include "solver/reachable/in_memory_levels.h"
#include "solver/reachable/legs.h"
#include "solver/reachable/solver.h"
#include "solver/step/target_circles.h"
#include "support/device.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/random_case.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using test::plain_info;

std::set<std::int32_t> cells_of(const ReachableCells& reach, int k) {
  std::set<std::int32_t> cells;
  for (const CellIndex cell : reach.of(TimeLevel(k))) cells.insert(cell.value);
  return cells;
}

// Number of reachable states whose value or action differs in a bit from that of the complete plan.
std::int64_t differing_states(const ReachablePolicy& reachable, const PolicyTable& complete,
                              std::size_t cell_count) {
  std::int64_t different = 0;
  const ReachableCells& reach = reachable.reach();
  for (TimeLevel k = reach.first(); k <= reach.last(); ++k.value) {
    for (const CellIndex cell : reach.of(k)) {
      const std::size_t state =
          static_cast<std::size_t>(k.value) * cell_count + static_cast<std::size_t>(cell.value);
      const float value = reachable.value(k, cell).value();
      different += std::bit_cast<std::uint32_t>(value) !=
                       std::bit_cast<std::uint32_t>(complete.value[state]) ||
                   reachable.action(k, cell) != complete.action[state];
    }
  }
  return different;
}

class Reachable : public testing::Test {
 protected:
  void write(const EnvironmentInfo& info, const test::FillLevel& fill = {}) {
    test::write_environment(folder_ / "env.h5", info, fill);
    reader_.emplace(folder_ / "env.h5");
  }
  void write_random(const EnvironmentInfo& info, float speed, std::uint64_t seed) {
    test::write_random_environment(folder_ / "env.h5", info, speed, seed);
    reader_.emplace(folder_ / "env.h5");
  }
  const EnvironmentInfo& info() const { return reader_->info(); }
  // Writes a copy of an environment with `factor` times its currents plus `east` along x.
  void write_like(const EnvironmentReader& source, const std::string& name, float factor,
                  float east) const {
    FileLevels levels(source);
    test::write_environment(folder_ / name, source.info(), [&](TimeLevel k, LevelFields<>& fields) {
      const LevelView level = levels.level(k);
      const auto scale = [&](View<const float> from, Array<float>& to, float offset) {
        for (std::size_t n = 0; n < from.size; ++n) to[n] = factor * from[n] + offset;
      };
      scale(level.u_mean, fields.u_mean, east);
      scale(level.v_mean, fields.v_mean, 0);
      scale(level.u_mode, fields.u_mode, 0);
      scale(level.v_mode, fields.v_mode, 0);
      std::copy(level.coefficient.begin(), level.coefficient.end(), fields.coefficient.begin());
      std::copy(level.masked.begin(), level.masked.end(), fields.masked.begin());
    });
  }

  PolicyTable solve_complete(const PlanningProblem& problem) {
    PolicyTable table(info().grid, problem.mission.last);
    solve_mission(*reader_, problem, {}, table, progress_);
    return table;
  }
  ReachablePolicy solve_reachable(const PlanningProblem& problem, const StartState& from,
                                  const PlannerOptions& options = {}) {
    FileLevels levels(*reader_);
    std::vector<ReachablePolicy> policies;
    ReachableSolver(info(), problem, options).solve(levels, from, policies, progress_);
    return std::move(policies.front());
  }
  Mission still_mission(int target_column, int target_row) const {
    Mission mission;
    const double x = info().grid.x(target_column);
    const double y = info().grid.y(target_row);
    mission.target = target_cells(info().grid, x, y, 0);
    mission.disc = target_disc(info().grid, x, y, 0);
    mission.last = TimeLevel(info().time.level_count - 1);
    mission.failure = {-900, -800, -200, 2};
    return mission;
  }

  test::TemporaryFolder folder_;
  SilentProgress progress_;
  std::optional<EnvironmentReader> reader_;
};

TEST_F(Reachable, FindsTheReachInStillWater) {
  write(plain_info(9, 9, 4));
  const Mission mission = still_mission(8, 8);
  const auto actions = make_actions({1}, 4, info().grid, info().time);
  const auto policy =
      solve_reachable({actions, mission, test::by_cell}, {info().grid.cell(4, 4), TimeLevel(1)});
  const ReachableCells& reach = policy.reach();
  EXPECT_TRUE(reach.of(TimeLevel(0)).empty()) << "the start is at a later level";
  EXPECT_EQ(cells_of(reach, 1), std::set{4 * 9 + 4});
  // One cell to each side, and at most one more, which rounding of the flow's bound adds.
  const auto second = cells_of(reach, 2);
  for (const int cell : {4 * 9 + 3, 4 * 9 + 5, 3 * 9 + 4, 5 * 9 + 4}) {
    EXPECT_TRUE(second.contains(cell)) << cell;
  }
  for (const int cell : second) {
    EXPECT_LE(std::abs(cell % 9 - 4), 2);
    EXPECT_LE(std::abs(cell / 9 - 4), 2);
  }
  EXPECT_FALSE(second.contains(2 * 9 + 2)) << "no heading reaches it";
  EXPECT_FALSE(policy.value(TimeLevel(2), info().grid.cell(8, 8)));
}

TEST_F(Reachable, EndsInTheTargetAndInClosedCells) {
  // A corridor one cell wide; one of its cells is closed from level 2 on.
  auto corridor = plain_info(12, 3, 8);
  write(corridor, [](TimeLevel k, LevelFields<>& fields) {
    for (std::size_t i = 0; i < 12; ++i) {
      fields.masked[i] = 1;
      fields.masked[24 + i] = 1;
    }
    if (k.value >= 2) fields.masked[12 + 6] = 1;
  });
  const Mission mission = still_mission(1, 1);
  const auto actions = make_actions({0, 0.6}, 2, info().grid, info().time);
  const auto policy =
      solve_reachable({actions, mission, test::by_cell}, {info().grid.cell(3, 1), TimeLevel(0)});
  EXPECT_EQ(cells_of(policy.reach(), 1), (std::set{12 + 2, 12 + 3, 12 + 4}));
  EXPECT_EQ(cells_of(policy.reach(), 2), (std::set{12 + 2, 12 + 3, 12 + 4, 12 + 5}));
  for (int k = 3; k < 8; ++k) EXPECT_EQ(cells_of(policy.reach(), k), cells_of(policy.reach(), 2));
  EXPECT_EQ(policy.value(TimeLevel(0), info().grid.cell(3, 1)), 100.0F - 2);
}

TEST_F(Reachable, IncludesTheStrongestCurrentForVehiclesAtSea) {
  // Still water except for a stream of two cells per step, far from the vehicle and on land.
  write(plain_info(21, 15, 4), [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 1) fields.u_mean[14 * 21 + 20] = -2;
    fields.u_mean[14 * 21] = 9;
    fields.masked[14 * 21] = 1;
  });
  const Mission mission = still_mission(20, 0);
  const auto actions = make_actions({1}, 4, info().grid, info().time);
  const PlanningProblem problem{actions, mission, test::by_cell};
  FileLevels levels(*reader_);
  const ReachableCells reach = LegsReachFinder(info(), problem, 1, 0, Currents::as_strong)
                                   .find(levels, {info().grid.cell(10, 7), TimeLevel(0)}, progress_)
                                   .front();
  const auto column = [](std::int32_t cell) { return cell % 21; };
  const auto row = [](std::int32_t cell) { return cell / 21; };
  // The first step is still; in the second the vehicle may drift at the speed of the stream to
  // either cell.
  const auto first = cells_of(reach, 1);
  for (const std::int32_t cell : first) EXPECT_LE(std::abs(column(cell) - 10), 2);
  const auto second = cells_of(reach, 2);
  EXPECT_TRUE(second.contains(7 * 21 + 10 + 4));
  EXPECT_TRUE(second.contains(7 * 21 + 10 - 4));
  for (const std::int32_t cell : second) {
    EXPECT_LE(std::abs(column(cell) - 10), 6);
    EXPECT_LE(std::abs(row(cell) - 7), 4);
  }
}

// This holds for any true currents that are no stronger than the forecast's strongest.
TEST_F(Reachable, ContainsTheReachOfOtherEnsemblesForVehiclesAtSea) {
  for (const PositionRule& rule : {test::by_area, test::by_cell}) {
    // An eastward stream with random parts.
    write_random(plain_info(41, 39, 7, 2, 25), 0.1F, 11);
    const EnvironmentReader random_currents(folder_ / "env.h5");
    write_like(random_currents, "stream.h5", 1, 1);
    reader_.emplace(folder_ / "stream.h5");
    Mission mission = test::random_mission(info());
    const auto actions = make_actions({0.6}, 8, info().grid, info().time);
    const PlanningProblem problem{actions, mission, rule};
    const StartState from{mission.start, TimeLevel(1)};
    const auto reach_in = [&](const EnvironmentReader& environment, Currents currents) {
      FileLevels levels(environment);
      return LegsReachFinder(environment.info(), problem, 2, 0, currents)
          .find(levels, from, progress_)
          .front();
    };
    const ReachableCells narrow = reach_in(*reader_, Currents::of_realizations);
    const ReachableCells wide = reach_in(*reader_, Currents::as_strong);
    // The same currents in the opposite direction.
    FileLevels levels(*reader_);
    write_like(*reader_, "turned.h5", -1, 0);
    const EnvironmentReader turned(folder_ / "turned.h5");
    const ReachableCells opposite = reach_in(turned, Currents::of_realizations);
    int beyond_narrow = 0;
    for (int k = 1; k < 7; ++k) {
      const auto in_wide = cells_of(wide, k);
      const auto in_narrow = cells_of(narrow, k);
      for (const std::int32_t cell : cells_of(narrow, k)) EXPECT_TRUE(in_wide.contains(cell)) << k;
      for (const std::int32_t cell : cells_of(opposite, k)) {
        EXPECT_TRUE(in_wide.contains(cell)) << k;
        beyond_narrow += in_narrow.contains(cell) ? 0 : 1;
      }
    }
    EXPECT_GT(beyond_narrow, 20);
    std::vector<ReachablePolicy> found;
    ReachableSolver(info(), problem, {.threads = 2}, 0, Currents::as_strong)
        .solve(levels, from, found, progress_);
    EXPECT_EQ(found.at(0).reach().size(), wide.size());
    EXPECT_EQ(differing_states(found.at(0), solve_complete(problem),
                               static_cast<std::size_t>(info().grid.cell_count())),
              0);
  }
}

// The policy takes random actions, and flights begin at several points of the first cell.
TEST_F(Reachable, ContainsAllFlights) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    write_random(plain_info(31, 27, 9, 3, 60), 0.3F, seed);
    Mission mission = test::random_mission(info());
    const auto actions = make_actions({0.3, 1.1}, 12, info().grid, info().time);
    const auto rule = seed % 2 == 0 ? test::by_cell : test::by_area;
    const PlanningProblem problem{actions, mission, rule};
    const auto found = solve_reachable(problem, {mission.start, mission.departure});
    const test::RandomPolicy policy(actions.size(), seed);
    std::int64_t steps = 0;
    for (const double offset : {-0.499, 0.0, 0.499}) {
      mission.start_x = info().grid.x(info().grid.column(mission.start)) + offset;
      mission.start_y = info().grid.y(info().grid.row(mission.start)) - offset;
      for (const RolloutMode mode : {RolloutMode::continuous, RolloutMode::chain}) {
        RolloutOptions options;
        options.mode = mode;
        options.flights = 200;
        const RolloutResult flown = fly(*reader_, problem, policy, options, progress_);
        for (const Trajectory& flight : flown.trajectories) {
          // Points at which the flight was still under way.
          const std::size_t last = flight.points.size() - 1;
          for (std::size_t n = 0; n < last; ++n) {
            const Grid& grid = info().grid;
            const CellIndex cell =
                grid.cell(grid.column_at(flight.points[n].x), grid.row_at(flight.points[n].y));
            EXPECT_TRUE(found.value(TimeLevel(static_cast<std::int32_t>(n)), cell))
                << "seed " << seed << ", step " << n;
            ++steps;
          }
        }
      }
    }
    EXPECT_GT(steps, 500);
  }
}

TEST_F(Reachable, SolvesAnEnsembleInMemoryLikeAFile) {
  // Seven of forty realizations, in memory, compared with a file that has only these seven.
  EnvironmentInfo ensemble = plain_info(25, 21, 7, 2, 40);
  write_random(ensemble, 0.4F, 11);
  const InMemoryLevels in_memory(*reader_, TimeLevel(1), TimeLevel(6));
  EXPECT_EQ(in_memory.last(), TimeLevel(6));
  const std::vector<std::size_t> chosen{3, 4, 9, 17, 20, 21, 38};
  std::vector<float> coefficients;
  for (TimeLevel k(1); k.value <= 6; ++k.value) {
    for (std::size_t m = 0; m < 2; ++m) {
      for (const std::size_t r : chosen) {
        coefficients.push_back(in_memory.level(k).coefficient[m * 40 + r]);
      }
    }
  }
  EnvironmentInfo few = info();
  few.realization_count = 7;
  Mission mission = test::random_mission(info());
  const auto actions = make_actions({1}, 8, info().grid, info().time);
  const PlanningProblem problem{actions, mission, position_rule(LandingBy::area, few)};
  const StartState from{mission.start, TimeLevel(1)};
  // Several threads solve at once, each repeatedly with the same memory.
  constexpr int threads = 3;
  std::deque<std::vector<ReachablePolicy>> found(threads);
  std::vector<std::thread> workers;
  workers.reserve(threads);
  for (int n = 0; n < threads; ++n) {
    workers.emplace_back([&, n] {
      SilentProgress silent;
      ReachableSolver solver(few, problem, {});
      EnsembleLevels levels(in_memory, coefficients, 7);
      for (int round = 0; round < 3; ++round) solver.solve(levels, from, found[n], silent);
    });
  }
  for (std::thread& worker : workers) worker.join();

  test::write_environment(folder_ / "few.h5", few, [&](TimeLevel k, LevelFields<>& fields) {
    const TimeLevel first_read(std::max(k.value, 1));  // earlier levels are not read
    const LevelView level = in_memory.level(first_read);
    const auto fill = [](Array<float>& to, View<const float> from_view) {
      std::copy(from_view.begin(), from_view.end(), to.begin());
    };
    fill(fields.u_mean, level.u_mean);
    fill(fields.v_mean, level.v_mean);
    fill(fields.u_mode, level.u_mode);
    fill(fields.v_mode, level.v_mode);
    fill(fields.scalar, level.scalar);
    std::copy(level.masked.begin(), level.masked.end(), fields.masked.begin());
    EnsembleLevels few_levels(in_memory, coefficients, 7);
    fill(fields.coefficient, few_levels.level(first_read).coefficient);
  });
  reader_.emplace(folder_ / "few.h5");
  const PolicyTable expected = solve_complete(problem);
  for (const std::vector<ReachablePolicy>& policies : found) {
    EXPECT_EQ(differing_states(policies.at(0), expected, 25 * 21), 0);
    EXPECT_GT(policies.at(0).reach().size(), 100u);
  }
}

TEST_F(Reachable, MatchesTheCpuOnADevice) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const std::uint64_t seed : {1, 2, 3}) {
    EnvironmentInfo random = plain_info(29, 23, 9, 3, 40);
    if (seed % 2 == 0) random.realization_weight = test::random_weights(40);
    write_random(random, 0.25F * static_cast<float>(seed), seed);
    const Mission mission = test::random_mission(info());
    const auto actions = make_actions({0, 0.7, 1.2}, 8, info().grid, info().time);
    const InMemoryLevels in_memory(*reader_, TimeLevel(1), mission.last);
    const DeviceLevelsInMemory device_levels(in_memory);
    const std::size_t level = static_cast<std::size_t>(3 * 40);
    std::vector<float> coefficient(level * static_cast<std::size_t>(mission.last.value));
    for (const LandingBy landing : {LandingBy::area, LandingBy::cell}) {
      const PlanningProblem problem{actions, mission, position_rule(landing, info())};
      for (const Engine engine : {Engine::lattice, Engine::direct}) {
        const auto on_device = make_device_reachable_solver(info(), problem, engine, device_levels);
        ReachableSolver on_host(info(), problem, {.engine = engine});
        // One solve after the other, each with its own coefficients.
        for (const int first : {1, 5, 3, mission.last.value}) {
          SCOPED_TRACE(fmt::format("seed {}, {}, {}, from level {}", seed,
                                   landing == LandingBy::area ? "area" : "cell",
                                   engine == Engine::lattice ? "lattice" : "direct", first));
          for (int k = 1; k <= mission.last.value; ++k) {
            const View<const float> original = in_memory.level(TimeLevel(k)).coefficient;
            for (std::size_t n = 0; n < level; ++n) {
              coefficient[static_cast<std::size_t>(k - 1) * level + n] =
                  original[n] * (1 + 0.125F * static_cast<float>(first));
            }
          }
          const StartState from{mission.start, TimeLevel(first)};
          EnsembleLevels levels(in_memory, coefficient, 40);
          std::vector<ReachablePolicy> policies;
          on_host.solve(levels, from, policies, progress_);
          const ReachablePolicy& expected = policies.at(0);
          ReachablePolicy found;
          ASSERT_TRUE(on_device->solve(coefficient, from, found));
          ASSERT_EQ(found.reach().size(), expected.reach().size());
          std::int64_t different = 0;
          for (TimeLevel k = from.level; k <= mission.last; ++k.value) {
            for (const CellIndex cell : expected.reach().of(k)) {
              different += found.action(k, cell) != expected.action(k, cell) ||
                           found.value(k, cell) != expected.value(k, cell);
            }
          }
          EXPECT_EQ(different, 0);
        }
      }
    }
  }
}

TEST_F(Reachable, StopsAtALevelWithoutCells) {
  // All cells are closed from level 3 on.
  write(plain_info(9, 9, 6), [](TimeLevel k, LevelFields<>& fields) {
    if (k.value >= 3) std::fill(fields.masked.begin(), fields.masked.end(), std::uint8_t{1});
  });
  const Mission mission = still_mission(6, 4);
  const auto actions = make_actions({1}, 4, info().grid, info().time);
  const PlanningProblem problem{actions, mission, test::by_area};
  const PolicyTable expected = solve_complete(problem);
  for (const int level : {0, 1, 2}) {
    const auto found = solve_reachable(problem, {info().grid.cell(3, 4), TimeLevel(level)});
    EXPECT_TRUE(found.reach().of(TimeLevel(3)).empty());
    EXPECT_EQ(differing_states(found, expected, 81), 0) << level;
  }
}

TEST_F(Reachable, ReadsTheSameFileLevelsWithAndWithoutMemory) {
  write_random(plain_info(17, 15, 7, 2, 12), 0.4F, 3);
  const std::size_t level_size = InMemoryLevels::size(info(), TimeLevel(0), TimeLevel(0));
  for (const std::size_t memory : {std::size_t{0}, 2 * level_size, 100 * level_size}) {
    FileLevels levels(*reader_, memory);
    for (const int k : {2, 3, 4, 5, 6, 5, 4, 3, 2, 2, 6, 0, 1}) {
      LevelFields<> expected(info());
      reader_->read_level(TimeLevel(k), expected);
      const LevelView found = levels.level(TimeLevel(k));
      EXPECT_TRUE(std::equal(found.u_mode.begin(), found.u_mode.end(), expected.u_mode.begin()));
      EXPECT_TRUE(std::equal(found.masked.begin(), found.masked.end(), expected.masked.begin()));
    }
  }
}

// An eastward current of 0.5 or 1.5, depending on the realization; from column 24 on it is 1.
TEST_F(Reachable, BoundsFlightsByTheStrongestCurrent) {
  EnvironmentInfo info = plain_info(40, 9, 21, 1, 2);
  write(info, [&](TimeLevel, LevelFields<>& fields) {
    for (std::size_t cell = 0; cell < fields.u_mean.size(); ++cell) {
      fields.u_mean[cell] = 1;
      fields.u_mode[cell] = cell % 40 < 24 ? 0.5F : 0.0F;
    }
    fields.coefficient[0] = -1;
    fields.coefficient[1] = 1;
  });
  FlightBound bound(info, 1, {{2.5, 4.5}});
  FileLevels levels(*reader_);
  const auto short_of = [&](std::int32_t column, std::int32_t row) {
    Mission mission;
    mission.target.assign(static_cast<std::size_t>(info.grid.cell_count()), 0);
    mission.target[static_cast<std::size_t>(info.grid.cell(column, row).value)] = 1;
    return bound.short_of(mission);
  };
  const double half_a_cell = std::sqrt(0.5);
  EXPECT_EQ(short_of(2, 4), 0);
  EXPECT_NEAR(short_of(12, 4), 10 - half_a_cell, 1e-6);
  for (int k = 0; k < 8; ++k) bound.advance(levels.level(TimeLevel(k)));
  // Eastwards 2.5 + 8 · (1.5 + 1) = 22.5; westwards 1 − 0.5 per step; along y 1 per step.
  EXPECT_EQ(short_of(22, 4), 0);
  EXPECT_NEAR(short_of(30, 4), 8 - half_a_cell, 1e-6);
  EXPECT_EQ(short_of(0, 4), 0);
  EXPECT_EQ(short_of(10, 8), 0);
  // Against a current stronger than the vehicle no flight returns.
  FlightBound slow(info, 0.25, {{12.5, 4.5}});
  for (int k = 0; k < 8; ++k) slow.advance(levels.level(TimeLevel(k)));
  Mission back;
  back.target.assign(static_cast<std::size_t>(info.grid.cell_count()), 0);
  back.target[static_cast<std::size_t>(info.grid.cell(9, 4).value)] = 1;
  EXPECT_NEAR(slow.short_of(back), 3 - half_a_cell, 1e-6);
}

}  // namespace
}  // namespace tidewise
