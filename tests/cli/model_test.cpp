// The explicit model, built and planned from by the program itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::HasSubstr;

class BuildAndPlan : public testing::Test {
 protected:
  BuildAndPlan() {
    write_mission("m.toml", "gyre.h5");
    write_mission("other.toml", "other.h5");
    make_gyre("gyre.h5", "1");
    make_gyre("other.h5", "2");
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

  test::ProgramResult run(const std::vector<std::string>& arguments) const {
    auto result = test::run_tidewise(arguments, folder_.path());
    EXPECT_EQ(result.status, 0) << result.errors;
    return result;
  }

  test::TemporaryFolder folder_;
};

TEST_F(BuildAndPlan, AStoredModelPlansTheSameBits) {
  run({"plan", "m.toml", "--out", "counted", "-q"});
  const auto built =
      run({"research", "build", "m.toml", "--out", "model.h5", "--form", "csr", "-q"});
  EXPECT_THAT(built.output, HasSubstr("92800 rows"));  // 400 cells × 29 levels × 8 actions
  EXPECT_TRUE(built.errors.empty());
  run({"plan", "m.toml", "--out", "stored", "--model", "model.h5", "-q"});
  const Hdf5File counted = Hdf5File::open(folder_ / "counted/policy.h5");
  const Hdf5File stored = Hdf5File::open(folder_ / "stored/policy.h5");
  EXPECT_EQ(counted.read_all<float>("value"), stored.read_all<float>("value"));
  EXPECT_EQ(counted.read_all<std::int16_t>("action"), stored.read_all<std::int16_t>("action"));
  const auto summary = [&](const char* name) {
    return nlohmann::json::parse(std::ifstream(folder_ / name / "summary.json"));
  };
  EXPECT_EQ(summary("stored")["engine"], "model");
  EXPECT_EQ(summary("stored")["value_at_start"], summary("counted")["value_at_start"]);
  EXPECT_EQ(summary("stored")["expected"], summary("counted")["expected"]);
  EXPECT_EQ(summary("stored")["rollout"], summary("counted")["rollout"]);
}

TEST_F(BuildAndPlan, AnotherForecastsModelIsRefusedAndLeavesNothing) {
  run({"research", "build", "other.toml", "--out", "other_model.h5", "-q"});
  const std::string before = test::listing(folder_.path());
  const auto refused =
      test::run_tidewise({"plan", "m.toml", "--model", "other_model.h5", "-q"}, folder_.path());
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.errors, HasSubstr("another forecast"));
  const auto no_model =
      test::run_tidewise({"plan", "m.toml", "--model", "gyre.h5", "-q"}, folder_.path());
  EXPECT_EQ(no_model.status, 2);
  EXPECT_THAT(no_model.errors, HasSubstr("not an explicit model"));
  EXPECT_EQ(test::listing(folder_.path()), before);
}

TEST_F(BuildAndPlan, AMethodIsForAModelOnAGpu) {
  const auto alone =
      test::run_tidewise({"plan", "m.toml", "--method", "padded", "-q"}, folder_.path());
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.errors, HasSubstr("name one by --model"));
  run({"research", "build", "m.toml", "--out", "model.h5", "-q"});
  const auto on_cpu = test::run_tidewise(
      {"plan", "m.toml", "--model", "model.h5", "--method", "cusparse", "--backend", "cpu", "-q"},
      folder_.path());
  EXPECT_EQ(on_cpu.status, 2);
  EXPECT_THAT(on_cpu.errors, HasSubstr("solves on a GPU"));
}

TEST_F(BuildAndPlan, AModelReplacesAModelAndNothingElse) {
  const std::string before = test::listing(folder_.path());
  for (const char* out : {"m.toml", "gyre.h5", "nowhere/model.h5"}) {
    const auto refused =
        test::run_tidewise({"research", "build", "m.toml", "--out", out, "-q"}, folder_.path());
    EXPECT_EQ(refused.status, 2) << out;
    EXPECT_THAT(refused.errors, HasSubstr(out));
  }
  EXPECT_EQ(test::listing(folder_.path()), before);
  run({"research", "build", "m.toml", "--out", "model.h5", "-q"});
  run({"research", "build", "m.toml", "--out", "model.h5", "-q"});
}

TEST_F(BuildAndPlan, AnUnknownFormIsRefused) {
  const auto refused = test::run_tidewise(
      {"research", "build", "m.toml", "--out", "model.h5", "--form", "dense", "-q"},
      folder_.path());
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.errors, HasSubstr("--form"));
}

}  // namespace
}  // namespace tidewise
