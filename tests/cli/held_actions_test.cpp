// Runs missions whose vehicle changes its action only every n steps (mission.decide_every).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class HeldMission : public test::SmallGyreFixture {
 protected:
  HeldMission() {
    make_gyre("gyre.h5");
    write_mission("gyre.h5", "free", 2);
  }
  test::ProgramResult plan(const std::string& every, const std::string& out,
                           const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words{
        "plan", "m.toml", "-q", "--out", out, "--set", "mission.decide_every=" + every};
    words.insert(words.end(), options.begin(), options.end());
    return run(words);
  }
  std::vector<float> values(const std::string& run) const {
    return Hdf5File::open(folder_ / run / "policy.h5").read_all<float>("value");
  }
  std::vector<std::int16_t> actions(const std::string& run) const {
    return Hdf5File::open(folder_ / run / "policy.h5").read_all<std::int16_t>("action");
  }
};

TEST_F(HeldMission, RecordsTheHoldInAllOutputs) {
  const auto report =
      run({"plan", "m.toml", "--out", "held", "--set", "mission.decide_every=4", "--details"});
  EXPECT_THAT(report.output, HasSubstr("every 4, 4 steps"));
  const json held = summary("held");
  EXPECT_EQ(held["decide_every"]["steps"], 4);
  EXPECT_EQ(held["mission"]["mission"]["decide_every"], 4);
  const Hdf5File policy = Hdf5File::open(folder_ / "held" / "policy.h5");
  EXPECT_EQ(policy.number_attribute("/", "decide_every"), 4);
  EXPECT_EQ(policy.number_attribute("/", "decides_at_level"), 2);
  run({"plan", "m.toml", "-q"});
  const json free = summary("free");
  EXPECT_LT(held["value_at_start"].get<double>(), free["value_at_start"].get<double>());
  EXPECT_GT(held["expected"]["time"].get<double>(), free["expected"]["time"].get<double>());
  EXPECT_FALSE(free.contains("decide_every"));
  EXPECT_FALSE(
      Hdf5File::open(folder_ / "free" / "policy.h5").number_attribute("/", "decide_every"));
  EXPECT_THAT(run({"check", "--details", "m.toml", "--set", "mission.decide_every=4"}).output,
              HasSubstr("decides every 4 steps"));
  // A hold of one step equals no hold.
  plan("1", "one");
  EXPECT_EQ(values("one"), values("free"));
  EXPECT_EQ(actions("one"), actions("free"));
  // A rollout of the run repeats its results.
  run({"rollout", "held", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["rollout"]["arrival_rate"], held["rollout"]["arrival_rate"]);
  EXPECT_EQ(summary("again")["expected"], held["expected"]);
}

TEST_F(HeldMission, InABatchEqualsASinglePlan) {
  std::ofstream(folder_ / "b.toml") << R"([batch]
mission = "m.toml"
[vary]
mission.departure = [2, 5]
mission.decide_every = [1, 3]
)";
  const auto batch = run({"batch", "b.toml", "--out", "batch"});
  int held = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "batch")) {
    if (!fs::exists(entry.path() / "summary.json")) continue;
    const json in_batch = summary(entry.path());
    const std::string departure = std::to_string(in_batch["departure"]["level"].get<int>());
    const int every = in_batch["mission"]["mission"].value("decide_every", 1);
    const std::string out = "alone" + departure + std::to_string(every);
    plan(std::to_string(every), out, {"--set", "mission.departure=" + departure});
    const json single = summary(out);
    EXPECT_EQ(in_batch["value_at_start"], single["value_at_start"]) << out;
    EXPECT_EQ(in_batch["expected"], single["expected"]) << out;
    EXPECT_EQ(in_batch["rollout"], single["rollout"]) << out;
    held += every > 1 ? 1 : 0;
  }
  EXPECT_EQ(held, 2);
}

TEST_F(HeldMission, DepartsAtDecisionLevels) {
  plan("3", "held");
  EXPECT_THAT(refused({"rollout", "held", "--time", "4"}),
              test::has_code("policy_departure_phase", "2 or 5"));
  run({"rollout", "held", "--time", "5", "--out", "later", "-q"});
  plan("3", "planned", {"--set", "mission.departure=5"});
  EXPECT_EQ(summary("later")["expected"], summary("planned")["expected"]);

  // With a pass for each phase, a flight can depart at any level.
  plan("3", "any", {"--all-departures"});
  run({"rollout", "any", "--time", "4", "--out", "fourth", "-q"});
  plan("3", "four", {"--set", "mission.departure=4"});
  EXPECT_EQ(summary("fourth")["expected"], summary("four")["expected"]);
  EXPECT_EQ(summary("any")["expected"], summary("held")["expected"]);
}

TEST_F(HeldMission, IsReplannedFromTheVehiclesPosition) {
  plan("4", "held");
  run({"replan", "held", "--at-xy", "13.7,12.2", "--time", "9", "--out", "on", "-q"});
  plan("4", "whole", {"--set", "mission.departure=9", "--set", "mission.start=[13.7, 12.2]"});
  const json replanned = summary("on");
  EXPECT_EQ(replanned["value_at_start"], summary("whole")["value_at_start"]);
  EXPECT_EQ(replanned["expected"], summary("whole")["expected"]);
  // The old plan chooses actions at its own levels, next at 10. Its value at 9 assumes that it also
  // chooses one there.
  const json compared =
      json::parse(std::ifstream(folder_ / "on" / "comparison.json"))["comparisons"][0];
  const json& value = compared["old_plan"]["expected"]["value"];
  EXPECT_NEAR(value["old_plan"].get<double>(), values("held")[9 * 900 + 12 * 30 + 13], 0.01);
  EXPECT_NEAR(value["own_plan"].get<double>(), replanned["value_at_start"].get<double>(), 0.01);
  EXPECT_NE(value["old_plan"], value["own_plan"]);
}

TEST_F(HeldMission, PassesViaPoints) {
  const std::vector<std::string> via{
      "--set", "mission.via=[{point=[8.5, 14.5], radius=2}, {point=[20.5, 18.5], radius=2}]"};
  plan("1", "free", via);
  plan("4", "held", via);
  const json held = summary("held");
  EXPECT_LT(held["value_at_start"], summary("free")["value_at_start"]);
  EXPECT_GT(held["rollout"]["arrival_rate"], 0.5);
  EXPECT_GE(held["via"][0]["passed"]["share"], held["via"][1]["passed"]["share"]);
  EXPECT_GE(held["via"][1]["passed"]["share"], held["rollout"]["arrival_rate"]);
  run({"rollout", "held", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["expected"], held["expected"]);

  // At a level of decisions, a plan for all departures equals the plan from that level.
  std::vector<std::string> options = via;
  options.push_back("--all-departures");
  plan("4", "any", options);
  EXPECT_EQ(summary("any")["expected"], held["expected"]);
  run({"departures", "any", "-q"});
  run({"reach", "held", "-q"});
  run({"check", "--details", "m.toml", "--set", "mission.decide_every=4", via[0], via[1]});

  // After the first via point, only the remaining via points belong to the mission.
  run({"replan", "held", "--at-xy", "9.5,15.2", "--time", "9", "--leg", "2", "--out", "on", "-q"});
  plan("4", "whole",
       {"--set", "mission.departure=9", "--set", "mission.start=[9.5, 15.2]", "--set",
        "mission.via=[{point=[20.5, 18.5], radius=2}]"});
  EXPECT_EQ(summary("on")["expected"], summary("whole")["expected"]);
}

TEST_F(HeldMission, ReportsTheEndOfAnAction) {
  plan("4", "held");
  run({"export", "held", "--format", "policy", "-q"});
  const std::vector<std::string> place{"--at-xy", "15.5,6.5"};
  const auto look_up = [&](const std::string& policy, const std::string& time) {
    std::vector<std::string> words{"lookup", policy, "--time", time, "--json"};
    words.insert(words.end(), place.begin(), place.end());
    return json::parse(run(words).output);
  };
  for (const char* policy : {"held", "held/export/policy.twp"}) {
    EXPECT_EQ(look_up(policy, "2")["hold_until"], 6.0) << policy;
    EXPECT_EQ(look_up(policy, "5.5")["hold_until"], 6.0) << policy << ": surfaced early";
    EXPECT_EQ(look_up(policy, "0")["hold_until"], 2.0) << policy;
    EXPECT_EQ(look_up(policy, "43")["hold_until"], 44.0) << policy << ": time is up then";
  }
  plan("4", "any", {"--all-departures"});
  run({"export", "any", "--format", "policy", "-q"});
  for (const char* policy : {"any", "any/export/policy.twp"}) {
    EXPECT_EQ(look_up(policy, "5")["hold_until"], 9.0) << policy;
  }
  plan("1", "free");
  EXPECT_FALSE(look_up("free", "2").contains("hold_until"));
}

TEST_F(HeldMission, LearnsAtDecisions) {
  plan("4", "held");
  const std::vector<std::string> adaptive_words{
      "rollout", "held", "--mode", "adaptive", "--error", "0.05", "--realizations", "3", "-q"};
  auto words = adaptive_words;
  words.insert(words.end(), {"--every", "6"});
  EXPECT_THAT(refused(words), test::has_code("replan_step_not_multiple"));
  words = adaptive_words;
  words.insert(words.end(), {"--out", "learned"});
  run(words);
  const json learned = summary("learned");
  EXPECT_EQ(learned["knowledge"]["learning"]["replan_every"], 8);
  // Between decisions, no flight changes its heading.
  const Hdf5File flights = Hdf5File::open(folder_ / "learned" / "trajectories.nc");
  const auto heading = flights.read_all<float>("heading");
  const auto shape = flights.shape("heading");
  int compared = 0;
  for (std::size_t n = 0; n < heading.size(); ++n) {
    const std::size_t step = n % shape.back();
    if (step % 4 == 0 || std::isnan(heading[n])) continue;
    EXPECT_EQ(heading[n], heading[n - 1]) << n;
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

TEST_F(HeldMission, RejectsImpossibleHolds) {
  const auto hold_refusal = [&](const std::string& every,
                                const std::vector<std::string>& options = {}) {
    std::vector<std::string> words{"plan", "m.toml", "--set", "mission.decide_every=" + every};
    words.insert(words.end(), options.begin(), options.end());
    return refused(words);
  };
  EXPECT_THAT(hold_refusal("0"), test::has_code("key_value_invalid", "a whole number from 1 to"));
  EXPECT_THAT(hold_refusal("\"6h\""), test::has_code("duration_without_unit"));
  EXPECT_THAT(hold_refusal("43"),
              test::has_code("hold_longer_than_forecast", "mission.decide_every"));
  EXPECT_THAT(hold_refusal("9", {"--set", "mission.horizon=8"}),
              test::has_code("hold_longer_than_horizon", "9 step(s)"));
  plan("2", "held");
  EXPECT_THAT(
      refused({"research", "refine", "held"}),
      test::has_code("held_actions_not_possible", "headings are refined for one step each"));
  EXPECT_THAT(refused({"rollout", "held", "--time", "3"}),
              test::has_code("policy_departure_phase", "2 or 4"));
  EXPECT_THAT(refused({"research", "build", "m.toml", "--format", "process", "--set",
                       "mission.decide_every=2", "--out", "process.h5"}),
              test::has_code("process_with_held_actions"));
}

}  // namespace
}  // namespace tidewise
