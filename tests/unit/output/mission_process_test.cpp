#include "output/model/mission_process.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "mdp/file/hdf5.h"
#include "mdp/solve/solve_process.h"
#include "solver/induction/backward_induction.h"
#include "support/error_code.h"
#include "support/mdp/process_cases.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/random_case.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using Process = mdp::DecisionProcess<double>;

/// A random environment with obstacles that change with time, and the processes of missions in it.
class MissionProcess : public testing::Test {
 protected:
  void SetUp() override { write(test::plain_info(14, 12, 8, 2, 25)); }

  void write(const EnvironmentInfo& info, std::vector<std::vector<double>> speeds = {{0.6, 1.2}}) {
    test::write_random_environment(folder_ / "env.h5", info, 0.9F);
    EnvironmentReader reader = open();
    info_ = reader.info();
    actions_ = make_profile_actions(speeds, 5, info_.grid, info_.time);
  }

  EnvironmentReader open() {
    EnvironmentReader reader(folder_ / "env.h5");
    std::vector<std::string> names;
    for (const EnvironmentProfile& profile : reader.info().profiles) names.push_back(profile.name);
    if (!names.empty()) reader.choose_profiles(names);
    return reader;
  }

  /// Writes the process of a mission and reads it.
  Process make_process(const Mission& mission, PositionRule rule = test::by_cell) {
    const EnvironmentReader reader = open();
    const PlanningProblem problem{actions_, mission, rule};
    const ModelInfo model = describe_model(reader, rule, actions_, {.threads = 1}, silent_);
    const auto source =
        make_cpu_compact_source(reader, rule, actions_, model.subgrid, Engine::lattice, 1);
    const std::int64_t entries = write_mission_process(folder_ / "process.h5", reader, problem,
                                                       model, *source, "history", silent_);
    Process process = mdp::read_hdf5_process<double>(folder_ / "process.h5", {}, silent_);
    EXPECT_EQ(process.entry_count(), entries);
    return process;
  }

  PolicyTable plan(const Mission& mission, PositionRule rule = test::by_cell) {
    PolicyTable policy(info_.grid, mission.last);
    solve_mission(open(), {actions_, mission, rule}, {.threads = 1}, policy, silent_);
    return policy;
  }

  /// Expects that the process has the plan's values, and that the plan's actions are optimal in it.
  void expect_plan(const Mission& mission, PositionRule rule = test::by_cell) {
    const Process process = make_process(mission, rule);
    const PolicyTable planned = plan(mission, rule);
    mdp::SolveOptions options;
    options.tolerance = 1e-6;
    const auto solution = mdp::solve_process(process, options, silent_);
    ASSERT_TRUE(solution.converged);
    const std::size_t cells = mission.target.size();
    ASSERT_EQ(solution.value.size(), planned.value.size() + 3);
    double scale = 1;
    for (const float value : planned.value) scale = std::max<double>(scale, std::abs(value));
    std::vector<std::int32_t> action(solution.value.size(), -1);
    for (std::size_t s = 0; s < planned.value.size(); ++s) {
      action[s] = planned.action[s];
      const bool in_target = mission.target[s % cells] != 0 && planned.value[s] == 0;
      const double expected = in_target ? mission.arrival_reward : planned.value[s];
      ASSERT_NEAR(solution.value[s], expected, 1e-5 * scale) << "state " << s;
    }
    EXPECT_TRUE(test::is_greedy(process, solution.value, action));
    EXPECT_EQ(process.initial_state,
              mission.departure.value * static_cast<std::int32_t>(cells) + mission.start.value);
  }

  test::TemporaryFolder folder_;
  EnvironmentInfo info_;
  std::vector<Action> actions_;
  SilentProgress silent_;
};

TEST_F(MissionProcess, HasThePlansValuesForEveryObjective) {
  for (const Objective objective :
       {Objective::time, Objective::energy, Objective::net_energy, Objective::weighted}) {
    for (const PositionRule& rule : {test::by_cell, test::by_area}) {
      SCOPED_TRACE(std::string(to_string(objective)) + " " + std::string(to_string(rule.landing)));
      Mission mission = test::random_mission(info_);
      mission.objective = objective;
      expect_plan(mission, rule);
    }
  }
}

TEST_F(MissionProcess, EndsWithTheMissionsHorizon) {
  Mission mission = test::random_mission(info_);
  mission.last = TimeLevel(4);
  mission.departure = TimeLevel(1);
  mission.failure = {-39.5F, -38.5F, -37.5F, 0.125};
  mission.arrival_reward = 11;
  expect_plan(mission);
  EXPECT_EQ(make_process(mission).state_count, 5 * 14 * 12 + 3);
}

TEST_F(MissionProcess, HasTheProximityPenalty) {
  Mission mission = test::random_mission(info_);
  mission.margin = 2.5 * info_.grid.dx;
  expect_plan(mission);
}

TEST_F(MissionProcess, HasTheWeightsOfRealizations) {
  EnvironmentInfo info = info_;
  info.realization_weight = test::random_weights(25);
  write(info);
  expect_plan(test::random_mission(info_));
}

TEST_F(MissionProcess, HasTheActionsOfAllProfiles) {
  EnvironmentInfo info = info_;
  info.profiles = {{"shallow", "0:50"}, {"deep", "0:1000"}};
  write(info, {{0.6}, {0.4, 1.2}});
  ASSERT_EQ(actions_.size(), 15U);
  expect_plan(test::random_mission(info_));
}

TEST_F(MissionProcess, SeparatesRewardsOfStepsFromThoseOfTerminalStates) {
  Mission mission = test::random_mission(info_);
  mission.objective = Objective::time;
  const Process process = make_process(mission);
  const std::int32_t terminal_state = process.state_count - 3;
  std::int64_t failures = 0;
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    double expected = 0;
    for (auto n = static_cast<std::size_t>(process.row_begin[std::size_t(row)]);
         n < static_cast<std::size_t>(process.row_begin[std::size_t(row) + 1]); ++n) {
      expected += process.probability[n] * process.entry_reward[n];
      const std::int32_t to = process.successor[n];
      if (to > terminal_state) {
        ++failures;
        EXPECT_EQ(process.entry_reward[n], 0);
      } else if (to < terminal_state) {
        // Steps cost their time; for those past the deadline, only the terminal state counts.
        EXPECT_GE(process.entry_reward[n], -info_.time.step);
        EXPECT_LE(process.entry_reward[n], 0);
      }
    }
    ASSERT_NEAR(process.reward[std::size_t(row)], expected, 1e-9);
  }
  EXPECT_GT(failures, 0);
  EXPECT_EQ(process.initial_value[std::size_t(terminal_state)], mission.arrival_reward);
  EXPECT_EQ(process.initial_value[std::size_t(terminal_state) + 1], mission.failure.obstacle);
  EXPECT_EQ(process.initial_value[std::size_t(terminal_state) + 2], mission.failure.outside);
}

TEST_F(MissionProcess, LabelsEachTerminalState) {
  const Mission mission = test::random_mission(info_);
  const Process process = make_process(mission);
  ASSERT_EQ(process.labels.size(), 4U);
  std::vector<std::int32_t> labelled;
  std::vector<std::string> names;
  for (const mdp::StateLabel& label : process.labels) {
    names.push_back(label.name);
    labelled.insert(labelled.end(), label.states.begin(), label.states.end());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"target", "obstacle", "border", "end_of_time"}));
  std::sort(labelled.begin(), labelled.end());
  std::vector<std::int32_t> terminal;
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    if (process.is_terminal(s)) terminal.push_back(s);
  }
  EXPECT_EQ(labelled, terminal);
  const Hdf5File file = Hdf5File::open(folder_ / "process.h5");
  EXPECT_EQ(file.number_attributes("/", "label_reward"),
            (std::vector<double>{mission.arrival_reward, mission.failure.obstacle,
                                 mission.failure.outside, mission.failure.late}));
}

TEST_F(MissionProcess, ProbabilityOfTheTargetIsTheArrivalProbability) {
  Mission mission = test::random_mission(info_);
  mission.objective = Objective::arrival;
  mission.arrival_reward = 1;
  mission.failure = {0, 0, 0, 0};
  make_process(mission);
  const mdp::ReadOptions options{.target = "target", .objective = mdp::ReadObjective::probability};
  const Process process = mdp::read_hdf5_process<double>(folder_ / "process.h5", options, silent_);
  const auto value = test::reference_values(process);
  const PolicyTable planned = plan(mission);
  for (std::size_t s = 0; s < planned.value.size(); ++s) {
    if (planned.action[s] < 0) continue;
    // A step costs 2^-17, compared with 1 for an arrival.
    ASSERT_NEAR(value[s], planned.value[s], 10 * 0x1p-17) << "state " << s;
  }
}

TEST_F(MissionProcess, FileHasAxesUnitsAndDimensions) {
  Mission mission = test::random_mission(info_);
  mission.last = TimeLevel(4);
  const Process process = make_process(mission);
  const Hdf5File file = Hdf5File::open(folder_ / "process.h5");
  EXPECT_EQ(file.shape("time"), Extents{5});
  EXPECT_EQ(file.shape("y"), Extents{12});
  EXPECT_EQ(file.shape("x"), Extents{14});
  EXPECT_EQ(file.shape("entry"), Extents{static_cast<std::uint64_t>(process.entry_count())});
  for (const char* variable : {"successor", "probability", "entry_reward"}) {
    EXPECT_EQ(file.dimensions(variable), std::vector<std::string>{"entry"}) << variable;
  }
  EXPECT_EQ(file.text_attribute("reward", "units"), "1");
  EXPECT_EQ(file.text_attribute("/", "history"), "history");
  EXPECT_EQ(file.read_all<double>("speed").size(), actions_.size());
}

TEST_F(MissionProcess, RejectsMoreStatesThan32BitNumbers) {
  Mission mission = test::random_mission(info_);
  mission.last = TimeLevel(20'000'000);
  const EnvironmentReader reader = open();
  ModelInfo model;
  const auto source =
      make_cpu_compact_source(reader, test::by_cell, actions_, {}, Engine::lattice, 1);
  try {
    write_mission_process(folder_ / "process.h5", reader, {actions_, mission, test::by_cell}, model,
                          *source, "", silent_);
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code("process_states_too_many"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "process.h5"));
}

}  // namespace
}  // namespace tidewise
