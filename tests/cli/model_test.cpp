// Builds the explicit model and plans from it by the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using testing::HasSubstr;

class BuildAndPlan : public test::ProgramFixture {
 protected:
  BuildAndPlan() {
    make_once("models", [&] {
      write_mission("m.toml", "gyre.h5");
      write_mission("other.toml", "other.h5");
      make_gyre("gyre.h5", "1");
      make_gyre("other.h5", "2");
    });
  }

  void write_mission(const char* name, const char* environment) const {
    std::ofstream(folder_ / name) << "[environment]\nfile = \"" << environment << R"("
[vehicle]
speeds = [1.0]
headings = 8
[mission]
start = [10.5, 4.5]
target = [10.5, 15.5]
)";
  }

  void make_gyre(const char* name, const char* seed) const {
    run({"env", "double-gyre", "--out", name, "--nx", "20", "--ny", "20", "--nt", "30", "--modes",
         "2", "--realizations", "40", "--seed", seed, "-q"});
  }
};

TEST_F(BuildAndPlan, StoredModelGivesTheSamePlan) {
  run({"plan", "m.toml", "--out", "counted", "-q"});
  const auto built =
      run({"research", "build", "m.toml", "--out", "model.h5", "--format", "csr", "-q"});
  EXPECT_THAT(built.output, HasSubstr("92800 rows"));  // 400 cells × 29 levels × 8 actions
  EXPECT_TRUE(built.errors.empty());
  run({"plan", "m.toml", "--out", "stored", "--model", "model.h5", "-q"});
  const Hdf5File counted = Hdf5File::open(folder_ / "counted/policy.h5");
  const Hdf5File stored = Hdf5File::open(folder_ / "stored/policy.h5");
  EXPECT_EQ(counted.read_all<float>("value"), stored.read_all<float>("value"));
  EXPECT_EQ(counted.read_all<std::int16_t>("action"), stored.read_all<std::int16_t>("action"));
  EXPECT_EQ(summary("stored")["engine"], "model");
  EXPECT_EQ(summary("stored")["value_at_start"], summary("counted")["value_at_start"]);
  EXPECT_EQ(summary("stored")["expected"], summary("counted")["expected"]);
  EXPECT_EQ(summary("stored")["rollout"], summary("counted")["rollout"]);
}

TEST_F(BuildAndPlan, RefusesTheModelOfAnotherForecast) {
  run({"research", "build", "other.toml", "--out", "other_model.h5", "-q"});
  EXPECT_THAT(refused({"plan", "m.toml", "--model", "other_model.h5", "-q"}),
              test::has_code("model_of_other_forecast"));
  EXPECT_THAT(refused({"plan", "m.toml", "--model", "gyre.h5", "-q"}),
              test::has_code("not_a_model"));
}

TEST_F(BuildAndPlan, MethodRequiresModelAndGpu) {
  EXPECT_THAT(refused({"plan", "m.toml", "--method", "padded", "-q"}),
              test::has_code("method_without_model"));
  run({"research", "build", "m.toml", "--out", "model.h5", "-q"});
  EXPECT_THAT(refused({"plan", "m.toml", "--model", "model.h5", "--method", "cusparse", "--backend",
                       "cpu", "-q"}),
              test::has_code("cusparse_needs_gpu"));
}

TEST_F(BuildAndPlan, PublishedMethodPlansCloseToTheLattice) {
  const auto plan = [&](const std::string& out, std::vector<std::string> options) {
    options.insert(options.begin(), {"plan", "m.toml", "--backend", "cpu", "--out", out, "-q",
                                     "--set", "planner.landing=cell"});
    run(options);
    return summary(out)["value_at_start"].get<double>();
  };
  const double lattice = plan("lattice", {});
  const double published = plan("published", {"--method", "published"});
  EXPECT_NEAR(published, lattice, 0.02 * std::abs(lattice));
  EXPECT_EQ(plan("host", {"--method", "published-host"}), published);
  EXPECT_EQ(summary("published")["engine"], "published");
}

TEST_F(BuildAndPlan, PublishedMethodRejectsUnsupportedMissions) {
  const auto refusal = [&](std::vector<std::string> options) {
    options.insert(options.begin(),
                   {"plan", "m.toml", "--backend", "cpu", "-q", "--method", "published"});
    return refused(options);
  };
  EXPECT_THAT(refusal({}), test::has_code("published_landing_by_area"));
  const auto cell_refusal = [&](const std::string& setting) {
    return refusal({"--set", "planner.landing=cell", "--set", setting});
  };
  EXPECT_THAT(cell_refusal("mission.via=[{point=[6.5, 8.5]}]"),
              test::has_code("published_method_combined", "mission.via"));
  EXPECT_THAT(cell_refusal("mission.decide_every=3"),
              test::has_code("published_method_combined", "decide_every"));
  EXPECT_THAT(cell_refusal("vehicle.speed_error=0.1"),
              test::has_code("published_method_combined", "vehicle.speed_error"));
  EXPECT_THAT(cell_refusal("planner.margin=1.0"),
              test::has_code("published_method_combined", "planner.margin"));
  EXPECT_THAT(refusal({"--model", "m.toml"}),
              test::has_code("published_method_combined", "--model"));
}

TEST_F(BuildAndPlan, RefusesModelsWithAVehicleError) {
  const std::vector<std::string> error{"--set", "vehicle.heading_error=5"};
  std::vector<std::string> build{"research", "build", "m.toml", "--out", "error.h5", "-q"};
  build.insert(build.end(), error.begin(), error.end());
  EXPECT_THAT(refused(build), test::has_code("vehicle_error_not_possible"));
  run({"research", "build", "m.toml", "--out", "model.h5", "-q"});
  std::vector<std::string> plan{"plan", "m.toml", "--model", "model.h5", "-q"};
  plan.insert(plan.end(), error.begin(), error.end());
  EXPECT_THAT(refused(plan), test::has_code("vehicle_error_not_possible", "--model"));
}

TEST_F(BuildAndPlan, RefusesAnUnknownFormat) {
  EXPECT_THAT(
      refused({"research", "build", "m.toml", "--out", "model.h5", "--format", "dense", "-q"}),
      test::has_code("command_line_invalid", "--format"));
}

}  // namespace
}  // namespace tidewise
