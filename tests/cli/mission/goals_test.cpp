// Tests of objectives other than time and energy (arrivals, risk, a battery), and of the reasons
// that are reported if nothing arrives.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class MissionGoals : public test::SmallGyreFixture {
 protected:
  MissionGoals() {
    write_mission("gyre.h5", "out", 2);
    make_gyre("gyre.h5");
  }

  test::ProgramResult plan(const std::vector<std::string>& options) const {
    std::vector<std::string> arguments{"plan", "m.toml", "--baselines", "none"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  }
};

TEST_F(MissionGoals, ArrivalObjectiveHasTheHighestProbability) {
  // The horizon is so short that arrival is uncertain.
  plan({"--set", "mission.horizon=14", "--out", "time"});
  plan({"--set", "mission.horizon=14", "--set", "mission.objective=arrival", "--out", "arrival"});
  const json by_time = summary("time")["expected"];
  const json by_arrival = summary("arrival");
  const double probability = by_arrival["expected"]["arrival_probability"];
  ASSERT_GT(probability, 0.01);
  ASSERT_LT(probability, 0.999);
  EXPECT_GE(probability, by_time["arrival_probability"].get<double>());
  EXPECT_NEAR(by_arrival["value_at_start"].get<double>(), probability, 0.002);
  EXPECT_FALSE(by_arrival["mission"]["mission"].contains("arrival_reward"));
  EXPECT_THAT(
      refused({"plan", "m.toml", "--set", "mission.objective=arrival", "--set",
               "mission.failure_penalty=-5"}),
      test::has_code("key_not_of_objective", "counts nothing but the probability of arriving"));
  // A rollout accepts the run.
  run({"rollout", "arrival", "--out", "again", "-q"});
}

TEST_F(MissionGoals, FindsLowestCostForRequiredProbability) {
  const std::vector<std::string> energy{"--set", "mission.objective=energy", "--set",
                                        "mission.horizon=12"};
  const auto penalty_at = [&](const std::string& min) {
    auto arguments = energy;
    arguments.insert(arguments.end(), {"--arrival-at-least", min, "--out", "at" + min});
    plan(arguments);
    const json result = summary("at" + min);
    EXPECT_GE(result["expected"]["arrival_probability"].get<double>(), std::stod(min));
    EXPECT_EQ(result["arrival_at_least"].get<double>(), std::stod(min));
    return result["mission"]["mission"]["failure"]["late"].get<double>();
  };
  const double low_penalty = penalty_at("0.1");
  const double high_penalty = penalty_at("0.6");
  EXPECT_LT(high_penalty, low_penalty) << "surer takes a severer price";
  EXPECT_LT(summary("at0.1")["expected"]["arrival_probability"].get<double>(), 0.6);
  auto arguments = energy;
  arguments.insert(arguments.begin(), {"plan", "m.toml", "-q"});
  for (const char* word : {"--set", "mission.horizon=6", "--arrival-at-least", "0.99"}) {
    arguments.emplace_back(word);
  }
  EXPECT_THAT(refused(arguments), test::has_code("arrival_probability_not_reached"));
  EXPECT_THAT(refused({"plan", "m.toml", "--arrival-at-least", "95"}),
              test::has_code("arrival_probability_invalid"));
}

TEST_F(MissionGoals, RunsOutOfEnergy) {
  plan({"--out", "free", "--set", "rollout.deadlines=[12, 40]"});
  const json free = summary("free")["rollout"];
  ASSERT_GT(free["arrival_rate"].get<double>(), 0.9);
  EXPECT_FALSE(free.contains("energy_left"));
  const double middle = free["net_energy"]["p50"];
  const auto bounded =
      plan({"--out", "bounded", "--set", "vehicle.battery=" + std::to_string(middle)});
  EXPECT_THAT(bounded.errors, HasSubstr("flights empty the battery"));
  const json result = summary("bounded")["rollout"];
  EXPECT_GT(result["failures"]["out_of_energy"].get<int>(), 10);
  EXPECT_LT(result["arrival_rate"].get<double>(), 0.7);
  EXPECT_GE(result["energy_left"]["min"].get<double>(), 0);
  EXPECT_LE(result["net_energy"]["max"].get<double>(), middle * 1.000001);
  // Deadlines are levels here: 10 and 38 steps after the departure at level 2.
  const json& deadlines = free["risk"]["deadlines"];
  ASSERT_EQ(deadlines.size(), 2U);
  EXPECT_EQ(deadlines[0]["time"].get<double>(), 10 * 1.0);
  EXPECT_LE(deadlines[0]["share"].get<double>(), deadlines[1]["share"].get<double>());
  EXPECT_NEAR(deadlines[1]["share"].get<double>(), free["arrival_rate"].get<double>(), 0.1);
}

TEST_F(MissionGoals, ExplainsWhyNothingArrives) {
  const auto hasty = plan({"--set", "mission.horizon=4", "--out", "hasty"});
  EXPECT_THAT(hasty.errors, HasSubstr("nothing arrives before the mission ends, at level 6; with "
                                      "mission.horizon = "));
  // The recommended horizon is sufficient.
  const auto at = hasty.errors.find("mission.horizon = ");
  const std::string horizon = hasty.errors.substr(at + 18, hasty.errors.find(',', at) - at - 18);
  plan({"--set", "mission.horizon=" + horizon, "--out", "patient"});
  EXPECT_GT(summary("patient")["rollout"]["arrival_rate"].get<double>(), 0.8);

  const auto late = plan({"--set", "mission.departure=42", "--out", "late"});
  EXPECT_THAT(late.errors, HasSubstr("nothing that leaves at level 42 arrives"));
  EXPECT_THAT(late.errors, HasSubstr("(mission.departure = "));

  const auto slow = plan({"--set", "vehicle.speeds=[0.1]", "--out", "slow"});
  EXPECT_THAT(slow.errors, HasSubstr("the direct path takes"));
}

}  // namespace
}  // namespace tidewise
