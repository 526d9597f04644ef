// Random missions over all options, solved, evaluated and flown by every engine and backend, and by
// plain loops (support/ocean/reference_*.h), which do not use shared modes.
// TIDEWISE_RANDOM_MISSIONS sets their number (200), TIDEWISE_RANDOM_SEED the first seed (1).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "base/random.h"
#include "output/model/model_file.h"
#include "solver/evaluate/device_evaluation.h"
#include "solver/evaluate/group_evaluation.h"
#include "solver/fly/device_rollout.h"
#include "solver/induction/backward_induction.h"
#include "solver/legs/legs.h"
#include "solver/policy/memory.h"
#include "solver/reachable/file_levels.h"
#include "solver/reachable/solver.h"
#include "solver/subdomains/device_subdomains.h"
#include "solver/subdomains/induction.h"
#include "support/backend.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/mission_group_cases.h"
#include "support/ocean/random_problem.h"
#include "support/ocean/reference_outcome.h"
#include "support/ocean/reference_solver.h"
#include "support/run_ranks.h"
#include "support/temporary_folder.h"

namespace tidewise::test {
namespace {

std::int64_t number_from(const char* name, std::int64_t default_value) {
  const char* value = std::getenv(name);
  return value == nullptr ? default_value : std::atoll(value);
}

bool have_device() { return device_count() > 0; }

// All checks of one random problem.
class Differential {
 public:
  explicit Differential(std::uint64_t seed)
      : seed_(seed),
        problem_(make_random_problem(seed, folder_ / "env.h5")),
        reader_(problem_.open(folder_ / "env.h5")),
        plain_reader_(problem_.open(with_modes_at_every_level())) {}

  std::string description() const { return problem_.description(); }

  void check() {
    for (const Mission& mission : problem_.missions) {
      SCOPED_TRACE(fmt::format("mission {}", expected_.size()));
      expected_.push_back(reference_solution(mission));
      check_solves(problem_of(mission), expected_.back());
      check_reachable(problem_of(mission), expected_.back());
    }
    check_group();
    for (std::size_t n = 0; n < problem_.missions.size(); ++n) {
      SCOPED_TRACE(fmt::format("mission {}", n));
      const PlanningProblem problem = problem_of(problem_.missions[n]);
      const RandomLegs random(problem.actions.size(), seed_, problem.mission.via.size() + 1);
      check_evaluation(problem, expected_[n], true);
      check_evaluation_by_rows(problem, expected_[n]);
      check_evaluation(problem, random, false);
      check_flights(problem, expected_[n]);
      check_flights(problem, random);
    }
    check_groups_of_flights();
  }

 private:
  using Solve = std::function<void(const PlanningProblem& problem, PolicySink& sink)>;

  // An equal environment file with modes at every level.
  std::filesystem::path with_modes_at_every_level() const {
    if (!problem_.info.has_fixed_modes) return folder_ / "env.h5";
    repeat_modes(folder_ / "env.h5", folder_ / "own.h5");
    return folder_ / "own.h5";
  }

  PlanningProblem problem_of(const Mission& mission) const {
    return {problem_.actions, mission, problem_.rule};
  }

  LegTables solution_by(const Mission& mission, const Solve& solve) const {
    LegTables solved(problem_.info.grid, mission);
    solve(problem_of(mission), solved);
    return solved;
  }
  LegTables reference_solution(const Mission& mission) const {
    return solution_by(mission, [&](const PlanningProblem& problem, PolicySink& sink) {
      solve_reference(plain_reader_, problem, sink);
    });
  }

  static void expect_same(const LegTables& found, const LegTables& expected) {
    for (std::size_t leg = 0; leg < expected.tables.size(); ++leg) {
      SCOPED_TRACE(fmt::format("leg {}", leg));
      const PolicyTable& table = found.tables[leg];
      const PolicyTable& plain = expected.tables[leg];
      EXPECT_EQ(table.action, plain.action);
      ASSERT_EQ(table.value.size(), plain.value.size());
      EXPECT_EQ(
          std::memcmp(table.value.data(), plain.value.data(), table.value.size() * sizeof(float)),
          0);
    }
  }

  void check_solves(const PlanningProblem& problem, const LegTables& expected) {
    const auto check = [&](const std::string& name, const Solve& solve) {
      SCOPED_TRACE(name);
      expect_same(solution_by(problem.mission, solve), expected);
    };
    const auto threads = static_cast<std::int32_t>(1 + seed_ % 3);
    for (const Engine engine : {Engine::paper, Engine::direct, Engine::lattice}) {
      check(fmt::format("{} by {} threads", to_string(engine), threads),
            [&](const PlanningProblem& whole, PolicySink& sink) {
              solve_mission(reader_, whole, {.engine = engine, .threads = threads}, sink,
                            progress_);
            });
      if (engine == Engine::paper || !have_device()) continue;
      check(fmt::format("{} on the device", to_string(engine)),
            [&](const PlanningProblem& whole, PolicySink& sink) {
              device_induction("", engine).solve(reader_, whole, sink);
            });
    }
    if (seed_ % 4 == 0) {
      write_model(folder_ / "model.h5", reader_, problem.rule, problem.actions, {.threads = 2},
                  seed_ % 8 == 0 ? ModelForm::coo : ModelForm::compact, "", progress_);
      const ModelFile model(folder_ / "model.h5");
      check("stored model", [&](const PlanningProblem& whole, PolicySink& sink) {
        solve_backward(reader_, whole, 2, model.counts(reader_.info(), 2), sink, progress_);
      });
    }
    if (have_device()) {
      const auto room = [](const EnvironmentInfo&, std::size_t) { return std::size_t{64} << 20; };
      check("bands on the device", [&](const PlanningProblem& whole, PolicySink& sink) {
        solve_mission_on_devices(reader_, {0, 0}, whole, {}, room, HaloTransport::messages, sink,
                                 progress_);
      });
    }
    SCOPED_TRACE("subdomains");
    const auto ranks = static_cast<int>(2 + seed_ % 2);
    LegTables in_subdomains(problem_.info.grid, problem.mission);
    const auto errors = run_ranks(ranks, [&](Communicator& communicator) {
      SilentProgress progress;
      solve_in_subdomains(reader_, problem, {}, communicator,
                          communicator.rank() == 0 ? &in_subdomains : nullptr, progress);
    });
    for (const std::string& error : errors) EXPECT_EQ(error, "");
    expect_same(in_subdomains, expected);
  }

  // In states that its start can reach, a partial policy equals the complete one.
  void check_reachable(const PlanningProblem& problem, const LegTables& expected) {
    SCOPED_TRACE("reachable");
    const Mission& mission = problem.mission;
    FileLevels levels(reader_);
    std::vector<ReachablePolicy> legs;
    ReachableSolver(reader_.info(), problem, {})
        .solve(levels, {mission.start, mission.departure}, legs, progress_);
    for (std::size_t n = 0; n < legs.size(); ++n) {
      SCOPED_TRACE(fmt::format("leg {}", n));
      expect_part_of(legs[n], expected.tables[n]);
    }
  }
  void expect_part_of(const ReachablePolicy& found, const PolicyTable& whole) const {
    const auto cells = static_cast<std::size_t>(problem_.info.grid.cell_count());
    const ReachableCells& reach = found.reach();
    for (TimeLevel k = reach.first(); k <= reach.last(); ++k.value) {
      for (const CellIndex cell : reach.of(k)) {
        const auto state = static_cast<std::size_t>(k.value) * cells + std::size_t(cell.value);
        ASSERT_EQ(found.action(k, cell), whole.action[state]) << k.value << " " << cell.value;
        ASSERT_EQ(found.value(k, cell).value(), whole.value[state]);
      }
    }
  }

  // Missions without action hold are solved together.
  void check_group() {
    std::vector<const Mission*> missions;
    std::vector<const LegTables*> expected;
    for (std::size_t n = 0; n < problem_.missions.size(); ++n) {
      if (problem_.missions[n].decisions.hold()) continue;
      missions.push_back(&problem_.missions[n]);
      expected.push_back(&expected_[n]);
    }
    if (missions.empty()) return;
    const auto check = [&](const std::string& name, const GroupBackend& backend) {
      SCOPED_TRACE("group by " + name);
      std::deque<LegTables> found;
      std::vector<GroupMember> members;
      for (const Mission* mission : missions) {
        found.emplace_back(problem_.info.grid, *mission);
        members.push_back({mission, &found.back()});
      }
      const GroupReport report =
          backend.solve(reader_, problem_.rule, problem_.actions, members, progress_);
      for (std::size_t m = 0; m < missions.size(); ++m) {
        SCOPED_TRACE(fmt::format("member {}", m));
        EXPECT_EQ(report.failure[m], nullptr);
        expect_same(found[m], *expected[m]);
      }
    };
    const auto threads = static_cast<std::int32_t>(1 + seed_ % 3);
    for (const Engine engine : {Engine::paper, Engine::direct, Engine::lattice}) {
      check("cpu", cpu_group(engine, threads));
      if (engine != Engine::paper && have_device()) check("cuda", device_group(engine));
    }
  }

  void check_evaluation(const PlanningProblem& problem, const PolicySource& policy,
                        bool is_optimal) {
    SCOPED_TRACE(is_optimal ? "evaluation of the plan" : "evaluation of a random policy");
    const ExpectedOutcome found = evaluate_on(Backend::cpu, reader_, problem, policy,
                                              static_cast<std::int32_t>(1 + seed_ % 3));
    const ExpectedOutcome plain = evaluate_reference(plain_reader_, problem, policy);
    const auto expect_near = [&](double a, double b, double scale, const char* what) {
      EXPECT_NEAR(a, b, 1e-6 * scale) << what;
    };
    const auto expect_probability = [](double a, double b, const char* what) {
      EXPECT_NEAR(a, b, 1e-12) << what;
    };
    expect_probability(found.arrival_probability, plain.arrival_probability, "arrival");
    expect_probability(found.obstacle_probability, plain.obstacle_probability, "obstacle");
    expect_probability(found.out_of_domain_probability, plain.out_of_domain_probability, "outside");
    expect_probability(found.out_of_time_probability, plain.out_of_time_probability, "late");
    expect_probability(found.without_action_probability, plain.without_action_probability,
                       "no action");
    EXPECT_NEAR(found.arrival_probability + found.obstacle_probability +
                    found.out_of_domain_probability + found.out_of_time_probability +
                    found.without_action_probability + found.out_of_forecast_probability,
                1, 1e-12);
    expect_near(found.value, plain.value, 1000, "value");
    expect_near(found.harvested, plain.harvested, 10, "harvested");
    if (plain.arrival_probability > 1e-6) {
      expect_near(found.time, plain.time, 10, "time");
      expect_near(found.energy, plain.energy, 10, "energy");
      expect_near(found.net_energy, plain.net_energy, 10, "net energy");
    }
    if (is_optimal && problem.mission.margin == 0) {
      expect_near(found.value, value_at_start(problem.mission, policy), 1000, "the plan's value");
    }
    if (have_device()) {
      EXPECT_TRUE(same_bits(evaluate_on(Backend::cuda, reader_, problem, policy), found));
    }
  }

  // Evaluation with the rows that a solve stored gives the same bits. It counts no cell if the
  // memory holds all rows.
  void check_evaluation_by_rows(const PlanningProblem& problem, const PolicySource& policy) {
    if (!problem.mission.via.empty() || problem.mission.decisions.hold()) return;
    SCOPED_TRACE("evaluation by kept rows");
    constexpr Engine engines[] = {Engine::paper, Engine::direct, Engine::lattice};
    PolicyMemory rows(problem_.info.grid, problem.mission.last, departure_levels(problem.mission));
    const bool holds_all = seed_ % 2 == 0;
    rows.keep_rows(holds_all ? std::size_t{16} << 20 : 12'000);
    solve_mission(reader_, problem, {.engine = engines[seed_ % 3], .threads = 2}, rows, progress_);
    const CountLevel no_cells = [](TimeLevel, const LevelView&, View<const CellIndex> cells,
                                   CountSink&) { EXPECT_EQ(cells.size, 0U); };
    const ExpectedOutcome found =
        holds_all ? evaluate_policy(reader_, problem, rows, 2, progress_, no_cells)
                  : evaluate_policy(reader_, problem, rows, 2, progress_);
    EXPECT_TRUE(same_bits(found, evaluate_on(Backend::cpu, reader_, problem, policy)));
  }

  // The policy's value at the start, on the mission's first leg.
  float value_at_start(const Mission& mission, const PolicySource& policy) const {
    std::vector<std::int32_t> passed;
    const std::size_t leg = pass_via_points(mission, mission.departure, mission.start, 0, passed);
    std::vector<float> value(static_cast<std::size_t>(problem_.info.grid.cell_count()));
    policy.leg(leg).read_value(mission.departure, {value.data(), value.size()});
    return value[std::size_t(mission.start.value)];
  }

  static void expect_near(const Trajectory& found, const Trajectory& plain) {
    constexpr double rounding = 1e-6;  // from rounding φ to float32, in flights of the model
    EXPECT_EQ(found.outcome, plain.outcome);
    EXPECT_EQ(found.passed, plain.passed);
    ASSERT_EQ(found.points.size(), plain.points.size());
    for (std::size_t n = 0; n < found.points.size(); ++n) {
      EXPECT_NEAR(found.points[n].x, plain.points[n].x, rounding) << n;
      EXPECT_NEAR(found.points[n].y, plain.points[n].y, rounding) << n;
      EXPECT_NEAR(found.points[n].energy, plain.points[n].energy, 1e-4) << n;
      EXPECT_NEAR(found.points[n].harvested, plain.points[n].harvested, 1e-4) << n;
    }
    EXPECT_NEAR(found.last_step, plain.last_step, rounding);
    EXPECT_NEAR(found.total_reward, plain.total_reward, 2e-3);
  }

  RolloutOptions options_of(RolloutMode mode) const {
    RolloutOptions options;
    options.mode = mode;
    options.threads = static_cast<std::int32_t>(1 + seed_ % 3);
    options.seed = seed_;
    if (seed_ % 3 == 0) options.log_memory = 0;  // one step at a time
    if (mode == RolloutMode::chain) options.flights = 12;
    return options;
  }

  void check_flights(const PlanningProblem& from_level, const PolicySource& policy) {
    Mission between_levels = from_level.mission;
    const bool can_begin_late = !between_levels.decisions.hold() && between_levels.via.empty();
    if (can_begin_late && seed_ % 2 == 0) between_levels.begun = 0.375;
    for (const RolloutMode mode : {RolloutMode::continuous, RolloutMode::chain}) {
      SCOPED_TRACE(mode == RolloutMode::chain ? "flights of the model" : "continuous flights");
      const Mission& mission = mode == RolloutMode::chain ? from_level.mission : between_levels;
      const PlanningProblem problem = problem_of(mission);
      const RolloutOptions options = options_of(mode);
      const RolloutResult flown = fly_on(Backend::cpu, reader_, problem, policy, options);
      for (const Trajectory& found : flown.trajectories) {
        SCOPED_TRACE(fmt::format("flight {}", found.realization));
        const Trajectory plain =
            mode == RolloutMode::chain
                ? fly_model_reference(plain_reader_, problem, policy, draws_of(mission, found))
                : fly_reference(plain_reader_, problem, policy, found.realization);
        expect_near(found, plain);
      }
      if (have_device()) {
        EXPECT_TRUE(same_bits(fly_on(Backend::cuda, reader_, problem, policy, options), flown));
      }
    }
  }

  // The random draws of each step of a flight of the model (docs/model.md, 4).
  std::vector<ModelDraw> draws_of(const Mission& mission, const Trajectory& flight) const {
    const Philox random(seed_);
    const auto weights = counting_weights(problem_.info, problem_.rule);
    const std::uint32_t total = counting_total(problem_.info, problem_.rule);
    std::vector<ModelDraw> draws;
    for (std::int32_t k = mission.departure.value; k < mission.last.value; ++k) {
      const auto words =
          random(static_cast<std::uint32_t>(flight.realization), static_cast<std::uint32_t>(k));
      std::uint32_t ticket = to_range(words.word[0], words.word[1], total);
      std::int32_t realization = 0;
      if (weights.empty()) {
        realization = static_cast<std::int32_t>(ticket);
      } else {
        while (ticket >= weights[std::size_t(realization)]) {
          ticket -= weights[std::size_t(realization++)];
        }
      }
      draws.push_back({realization, static_cast<std::int32_t>(words.word[2] >> 24),
                       static_cast<std::int32_t>(words.word[3] >> 24)});
    }
    return draws;
  }

  void check_groups_of_flights() {
    std::vector<EvaluationMember> evaluated;
    std::vector<FlightMember> flown;
    std::deque<RandomLegs> policies;
    for (const Mission& mission : problem_.missions) {
      policies.emplace_back(problem_.actions.size(), seed_ + policies.size(),
                            mission.via.size() + 1);
      flown.push_back(
          {&mission, &policies.back(),
           options_of(flown.size() % 2 == 0 ? RolloutMode::continuous : RolloutMode::chain)});
      evaluated.push_back({&mission, &policies.back()});
    }
    const auto flights = fly_policies(reader_, problem_.rule, problem_.actions, flown, progress_);
    for (std::size_t m = 0; m < flown.size(); ++m) {
      EXPECT_TRUE(
          same_bits(flights[m].rollout, fly_on(Backend::cpu, reader_, problem_of(*flown[m].mission),
                                               *flown[m].policy, flown[m].options)));
    }
    const auto outcomes =
        evaluate_policies(reader_, problem_.rule, problem_.actions, evaluated, 2, progress_);
    for (std::size_t m = 0; m < evaluated.size(); ++m) {
      EXPECT_TRUE(same_bits(outcomes[m].expected,
                            evaluate_on(Backend::cpu, reader_, problem_of(*evaluated[m].mission),
                                        *evaluated[m].policy)));
    }
    if (!have_device()) return;
    DeviceEnvironment device_environment(reader_, std::size_t{64} << 20);
    const auto device_flights = fly_policies_on_device(device_environment, problem_.rule,
                                                       problem_.actions, flown, progress_);
    for (std::size_t m = 0; m < flown.size(); ++m) {
      EXPECT_TRUE(same_bits(device_flights[m].rollout, flights[m].rollout));
    }
    const auto device_outcomes = evaluate_policies_on_device(
        device_environment, problem_.rule, problem_.actions, evaluated, 1, progress_);
    for (std::size_t m = 0; m < evaluated.size(); ++m) {
      EXPECT_TRUE(same_bits(device_outcomes[m].expected, outcomes[m].expected));
    }
  }

  TemporaryFolder folder_;
  std::uint64_t seed_;
  RandomProblem problem_;
  EnvironmentReader reader_;
  EnvironmentReader plain_reader_;
  std::deque<LegTables> expected_;  // (mission)
  SilentProgress progress_;
};

constexpr std::int64_t parts = 8;  // the number of tests that ctest runs at once

class DifferentialTest : public testing::TestWithParam<std::int64_t> {};

TEST_P(DifferentialTest, MatchesPlainLoopsOnEveryBackend) {
  const std::int64_t count = number_from("TIDEWISE_RANDOM_MISSIONS", 200);
  const std::int64_t first = number_from("TIDEWISE_RANDOM_SEED", 1);
  for (std::int64_t n = GetParam(); n < count; n += parts) {
    const auto seed = static_cast<std::uint64_t>(first + n);
    Differential differential(seed);
    SCOPED_TRACE(fmt::format("TIDEWISE_RANDOM_SEED={} TIDEWISE_RANDOM_MISSIONS=1: {}", seed,
                             differential.description()));
    differential.check();
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, DifferentialTest, testing::Range(std::int64_t{0}, parts));

}  // namespace
}  // namespace tidewise::test
