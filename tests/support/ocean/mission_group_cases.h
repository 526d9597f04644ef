#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "solver/missions/group.h"
#include "solver/step/planning_problem.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/random_case.h"
#include "support/ocean/solving_backends.h"

// Every solver of groups must return bit for bit the results of separate solves of its missions.

namespace tidewise::test {

/// A solver of groups.
struct GroupBackend {
  std::string name;  ///< letters, digits and underscores
  Backend kind = Backend::cpu;
  std::function<GroupReport(const EnvironmentReader&, const PositionRule&,
                            const std::vector<Action>&, const std::vector<GroupMember>&, Progress&)>
      solve;
};

inline std::ostream& operator<<(std::ostream& stream, const GroupBackend& backend) {
  return stream << backend.name;
}

/// Solver of groups on the CPU.
inline GroupBackend cpu_group(Engine engine, std::int32_t threads) {
  return {"cpu_" + std::string(to_string(engine)) + "_threads_" + std::to_string(threads),
          Backend::cpu,
          [=](const EnvironmentReader& environment, const PositionRule& rule,
              const std::vector<Action>& actions, const std::vector<GroupMember>& members,
              Progress& progress) {
            return solve_missions(environment, rule, actions, members,
                                  {.engine = engine, .threads = threads}, progress);
          }};
}

/// Solver of groups on a device. `memory`: limit for the group [B]; 0 allows all free memory.
inline GroupBackend device_group(Engine engine, std::size_t memory = 0) {
  return {"cuda_" + std::string(to_string(engine)), Backend::cuda,
          [=](const EnvironmentReader& environment, const PositionRule& rule,
              const std::vector<Action>& actions, const std::vector<GroupMember>& members,
              Progress& progress) {
            constexpr std::size_t budget = std::size_t{64} << 20;  // [B] ample for small problems
            DeviceEnvironment on_device(environment, budget);
            return solve_missions_on_device(on_device, rule, actions, members,
                                            {.engine = engine, .group_memory = memory}, progress);
          }};
}

/// All solvers of groups in this build.
inline std::vector<GroupBackend> group_backends() {
  std::vector<GroupBackend> backends{cpu_group(Engine::paper, 2), cpu_group(Engine::direct, 2),
                                     cpu_group(Engine::lattice, 1), cpu_group(Engine::lattice, 3)};
  if (cuda_support() == CudaSupport::compiled) {
    backends.push_back(device_group(Engine::direct));
    backends.push_back(device_group(Engine::lattice));
  }
  return backends;
}

/// Missions with all differences that members of a group may have: objective, energy model, target
/// and its size, horizon, reward and penalty.
inline std::vector<Mission> varied_missions(const EnvironmentInfo& info, std::int32_t count) {
  constexpr Objective objectives[] = {Objective::net_energy, Objective::time, Objective::weighted,
                                      Objective::energy};
  const Grid& grid = info.grid;
  std::vector<Mission> missions;
  for (std::int32_t n = 0; n < count; ++n) {
    Mission mission = random_mission(info);
    mission.objective = objectives[n % 4];
    mission.energy = {.c_f = 0.5 + 0.1 * n,
                      .c_t = 0.02 * n,
                      .c_r = 0.9 - 0.1 * (n % 9),
                      .alpha = 0.07 * (n % 14)};
    const double x = grid.x(n * 5 % grid.nx) + 0.1 * (n % 5) * grid.dx;
    const double y = grid.y(n * 3 % grid.ny);
    mission.target = target_cells(grid, x, y, n % 4 * grid.dx);
    mission.disc = target_disc(grid, x, y, n % 4 * grid.dx);
    const std::int32_t levels = info.time.level_count;
    mission.last = TimeLevel(n % 3 == 0 ? levels - 1 : levels - 1 - n % levels);
    mission.arrival_reward = 50.0F + static_cast<float>(n);
    const auto increase = static_cast<float>(n);
    mission.failure = {-400.0F - 3 * increase, -350.0F - 7 * increase, -300.0F - 11 * increase,
                       0.6 * (n % 3)};
    mission.margin = n % 3 * 1.3 * grid.dx;
    missions.push_back(std::move(mission));
  }
  return missions;
}

/// Changes a mission to station keeping; the environment's scalar field is its reward.
inline void keep(Mission& mission) {
  mission.objective = Objective::stay;
  mission.energy.c_r = 1;
  mission.kept.emplace();
  std::fill(mission.target.begin(), mission.target.end(), std::uint8_t{0});
  mission.disc = TargetDisc();
  mission.arrival_reward = 0;
  mission.failure.late = 0;
  mission.failure.late_per_length = 0;
}

/// Policies and report of a group.
struct SolvedGroup {
  std::deque<LegTables> policies;  // (member)
  GroupReport report;
};

/// Solves missions as a group.
inline SolvedGroup solve_group(const GroupBackend& backend, const EnvironmentReader& environment,
                               const PositionRule& rule, const std::vector<Action>& actions,
                               const std::vector<Mission>& missions) {
  SolvedGroup solved;
  for (const Mission& mission : missions) {
    solved.policies.emplace_back(environment.info().grid, mission);
  }
  std::vector<GroupMember> members;
  for (std::size_t m = 0; m < missions.size(); ++m) {
    members.push_back({&missions[m], &solved.policies[m]});
  }
  SilentProgress progress;
  solved.report = backend.solve(environment, rule, actions, members, progress);
  return solved;
}

/// Expects one member's results to be bit for bit those of a single solve on the CPU.
inline void expect_like_single_solve(const EnvironmentReader& environment,
                                     const PlanningProblem& problem, const LegTables& solved) {
  LegTables expected(environment.info().grid, problem.mission);
  SilentProgress progress;
  solve_mission(environment, problem, {.threads = 2}, expected, progress);
  for (std::size_t leg = 0; leg < expected.tables.size(); ++leg) {
    SCOPED_TRACE("leg " + std::to_string(leg));
    const PolicyTable& member = solved.tables.at(leg);
    const PolicyTable& single = expected.tables[leg];
    EXPECT_EQ(member.action, single.action);
    ASSERT_EQ(member.value.size(), single.value.size());
    EXPECT_EQ(
        std::memcmp(member.value.data(), single.value.data(), single.value.size() * sizeof(float)),
        0);
  }
}

/// Calls expect_like_single_solve() for every member of a group.
inline void expect_like_single_solves(const GroupBackend& backend,
                                      const EnvironmentReader& environment,
                                      const PositionRule& rule, const std::vector<Action>& actions,
                                      const std::vector<Mission>& missions) {
  const SolvedGroup solved = solve_group(backend, environment, rule, actions, missions);
  for (std::size_t m = 0; m < missions.size(); ++m) {
    SCOPED_TRACE("member " + std::to_string(m));
    EXPECT_EQ(solved.report.failure[m], nullptr);
    expect_like_single_solve(environment, {actions, missions[m], rule}, solved.policies[m]);
  }
}

}  // namespace tidewise::test
