// Plans with a margin to obstacles (planner.margin) by the program.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Margin : public test::SmallGyreFixture {
 protected:
  Margin() {
    make_gyre("gyre.h5");
    write_mission("gyre.h5", "run", 2);
  }
  void plan(const std::string& margin, const std::string& out) const {
    run({"plan", "m.toml", "-q", "--out", out, "--set", "planner.margin=" + margin});
  }
  std::vector<float> values(const std::string& run) const {
    return Hdf5File::open(folder_ / run / "policy.h5").read_all<float>("value");
  }
};

TEST_F(Margin, IsNotPartOfTheReportedCost) {
  plan("0", "none");
  plan("3", "kept");
  EXPECT_NE(values("kept"), values("none"));
  const json kept = summary("kept");
  // Flights and evaluation exclude the proximity penalty, so the value is the evaluation's.
  EXPECT_NEAR(kept["value_at_start"].get<double>(), summary("none")["value_at_start"].get<double>(),
              20);
  run({"rollout", "kept", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["rollout"]["mean_total_reward"], kept["rollout"]["mean_total_reward"]);
}

/// A replan has the same margin and penalties.
TEST_F(Margin, IsKeptAlongThePath) {
  plan("3", "kept");
  run({"replan", "kept", "--at-xy", "15.5,6.5", "--time", "0", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["mission"]["planner"], summary("kept")["mission"]["planner"]);
  const auto original = values("kept");
  const auto replanned = values("again");
  ASSERT_EQ(replanned.size(), original.size());
  std::size_t compared = 0;
  for (std::size_t s = 0; s < original.size(); ++s) {
    if (std::isnan(replanned[s])) continue;
    ++compared;
    ASSERT_EQ(replanned[s], original[s]) << s;
  }
  EXPECT_GT(compared, 1000u);
}

/// Clairvoyant plans need no margin.
TEST_F(Margin, DoesNotApplyToClairvoyantPlans) {
  plan("0", "none");
  plan("4", "kept");
  for (const std::string name : {"none", "kept"}) {
    run({"research", "bound", name, "--realizations", "5", "--out", name + "_bound", "-q"});
  }
  EXPECT_EQ(summary("kept_bound")["knowledge"]["bound"],
            summary("none_bound")["knowledge"]["bound"]);
}

}  // namespace
}  // namespace tidewise
