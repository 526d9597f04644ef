// Tests of `mdp savings` and `refine` from the command line.

#include <gmock/gmock.h>

#include <cmath>

#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise::test {
namespace {

using testing::HasSubstr;

using SavingsCommand = ProgramFixture;

TEST_F(SavingsCommand, WritesBothMethods) {
  const auto report = run({"research", "mdp", "savings", "--out", "s.h5", "--assets", "80,3",
                           "--backend", "cpu", "-q"});
  EXPECT_THAT(report.output, HasSubstr("Euler equation: mean error"));
  EXPECT_THAT(report.output, HasSubstr("spacings of the grid"));
  const Hdf5File file = Hdf5File::open(folder_ / "s.h5");
  for (const std::string method : {"on_grid", "off_grid"}) {
    for (const std::string variable : {"value_", "savings_", "consumption_", "euler_error_"}) {
      EXPECT_EQ(file.shape(variable + method), (Extents{3, 80})) << variable;
    }
  }
  EXPECT_EQ(file.number_attribute("/", "beta"), 0.96);
}

TEST_F(SavingsCommand, SolvesAProblemFromAFile) {
  Hdf5File problem = Hdf5File::create(folder_ / "own.h5");
  std::vector<double> assets, consumption, utility;
  for (int n = 0; n < 60; ++n) assets.push_back(0.1 * n);
  for (int n = 1; n <= 400; ++n) {
    consumption.push_back(0.02 * n);
    utility.push_back(std::sqrt(consumption.back()));
  }
  problem.define_coordinate("assets", assets);
  problem.define_coordinate("productivity", {0.5, 1.5});
  problem.define_dimension("next", 2);
  problem.define_variable("transition", NumberType::float64, {"productivity", "next"});
  problem.write_all("transition", std::vector<double>{0.9, 0.1, 0.3, 0.7});
  problem.define_coordinate("utility_consumption", consumption);
  problem.define_variable("utility", NumberType::float64, {"utility_consumption"});
  problem.write_all("utility", utility);
  problem.set_attribute("/", "beta", 0.9);
  problem.close();
  run({"research", "mdp", "savings", "--model", "own.h5", "--out", "s.h5", "--backend", "cpu",
       "-q"});
  run({"research", "mdp", "savings", "--model", "s.h5", "--out", "again.h5", "--backend", "cpu",
       "-q"});
  const Hdf5File first = Hdf5File::open(folder_ / "s.h5");
  const Hdf5File repeated = Hdf5File::open(folder_ / "again.h5");
  EXPECT_EQ(first.shape("value_off_grid"), (Extents{2, 60}));
  EXPECT_EQ(first.read_all<double>("utility"), utility);
  EXPECT_EQ(first.read_all<double>("value_off_grid"), repeated.read_all<double>("value_off_grid"));
  EXPECT_EQ(first.number_attribute("/", "beta"), 0.9);
}

TEST_F(SavingsCommand, RejectsUnsolvableProblems) {
  Hdf5File::create(folder_ / "empty.h5").close();
  EXPECT_THAT(refused({"research", "mdp", "savings", "--out", "s.h5", "--model", "empty.h5"}),
              test::has_code("savings_variable_missing", "assets"));
  EXPECT_THAT(refused({"research", "mdp", "savings", "--out", "s.h5", "--model", "empty.h5",
                       "--interest", "0.02"}),
              test::has_code("options_exclude_each_other", "--interest"));
  EXPECT_THAT(refused({"research", "mdp", "savings", "--out", "s.h5", "--assets", "3"}),
              test::has_code("savings_asset_count", "3"));
  EXPECT_THAT(refused({"research", "mdp", "savings", "--out", "/dev/null/s.h5"}),
              test::has_code("output_folder_not_folder", "/dev/null"));
}

using RefineCommand = SmallGyreFixture;

TEST_F(RefineCommand, RefinesTheActionsOfARun) {
  make_gyre("env.h5");
  write_mission("env.h5", "run", 0);
  run({"plan", "m.toml", "--backend", "cpu", "-q"});
  const auto report = run({"research", "refine", "run", "--backend", "cpu", "-q"});
  EXPECT_THAT(report.output, HasSubstr("of them improved"));
  EXPECT_THAT(report.output, HasSubstr("at the start"));
  const Hdf5File file = Hdf5File::open(folder_ / "run/refined.h5");
  const Hdf5File policy = Hdf5File::open(folder_ / "run/policy.h5");
  EXPECT_EQ(file.shape("heading"), policy.shape("action"));
  const auto heading = file.read_all<float>("heading");
  const auto speed = file.read_all<float>("speed");
  const auto gain = file.read_all<float>("gain");
  const auto action = policy.read_all<std::int16_t>("action");
  std::size_t refined = 0;
  for (std::size_t n = 0; n < heading.size(); ++n) {
    ASSERT_EQ(std::isnan(heading[n]), std::isnan(gain[n]));
    if (std::isnan(gain[n])) continue;
    ++refined;
    EXPECT_GE(action[n], 0);
    EXPECT_GE(gain[n], 0);
    EXPECT_TRUE(speed[n] >= 0.799F && speed[n] <= 1.601F);
  }
  EXPECT_GT(refined, 100u);
  EXPECT_THAT(refused({"research", "refine", "run", "--out", "run/policy.h5"}),
              test::has_code("output_is_input"));
  EXPECT_THAT(refused({"research", "refine", "run", "--out", "env.h5"}),
              test::has_code("output_is_input"));
  EXPECT_THAT(refused({"research", "refine", "run", "--out", "m.toml"}),
              test::has_code("output_kind_differs", "refined policy"));
  run({"research", "refine", "run", "--backend", "cpu", "-q"});  // replaces the earlier file
  EXPECT_THAT(refused({"research", "refine", "run", "--realizations", "-1"}),
              test::has_code("refinement_options_invalid", "-1"));
  EXPECT_THAT(refused({"research", "refine", "nowhere"}), test::has_code("run_missing"));
}

}  // namespace
}  // namespace tidewise::test
