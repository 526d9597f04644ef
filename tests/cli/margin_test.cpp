// Plans that keep their distance (planner.margin), by the program itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "support/ocean/environment_part.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Margin : public test::SmallGyreFixture {
 protected:
  Margin() {
    make_gyre("gyre.h5");
    write_mission("gyre.h5", "run", 2);
  }
  json summary(const fs::path& run) const {
    return json::parse(std::ifstream(folder_ / run / "summary.json"));
  }
  void plan(const std::string& margin, const std::string& out,
            const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"plan", "m.toml",      "-q",    "--out",
                                   out,    "--overwrite", "--set", "planner.margin=" + margin};
    words.insert(words.end(), more.begin(), more.end());
    run(words);
  }
  /// Whether the table of `--set planner.margin=auto` is what commands of their own come to.
  void expect_chosen_by_halves(const std::vector<std::string>& more) const {
    plan("auto", "auto", more);
    const json chosen = summary("auto");
    ASSERT_EQ(chosen["margins"].size(), 10u);
    const auto realizations = chosen["problem"]["realizations"].get<int>();
    std::vector<std::int32_t> even;
    std::vector<std::int32_t> odd;
    for (int r = 0; r < realizations; ++r) (r % 2 == 0 ? even : odd).push_back(r);
    test::write_part(folder_ / "gyre.h5", folder_ / "even.h5", {.realizations = even});
    test::write_part(folder_ / "gyre.h5", folder_ / "odd.h5", {.realizations = odd});
    int kept = 0;
    for (const json& margin : chosen["margins"]) {
      const std::string length = margin["margin"].dump();
      const std::string factor = "planner.failure_factor=" + margin["failure_factor"].dump();
      SCOPED_TRACE(length);
      SCOPED_TRACE(factor);
      double reward = 0;
      double obstacle = 0;
      for (const std::string planned : {"even", "odd"}) {
        const std::string flown = planned == "even" ? "odd" : "even";
        fs::remove_all(folder_ / "half");
        fs::remove_all(folder_ / "other");
        std::vector<std::string> of_half = more;
        of_half.insert(of_half.end(),
                       {"--set", "environment.file=" + planned + ".h5", "--set", factor});
        plan(length, "half", of_half);
        run({"rollout", "half", "--environment", flown + ".h5", "--out", "other", "-q"});
        const json rollout = summary("other")["rollout"];
        reward +=
            rollout["mean_total_reward"].get<double>() * rollout["trajectories"].get<double>();
        obstacle += rollout["failures"]["obstacle"].get<double>();
      }
      EXPECT_EQ(margin["trajectories"], realizations);
      EXPECT_EQ(margin["failures"]["obstacle"], obstacle);
      EXPECT_NEAR(margin["mean_total_reward"].get<double>(), reward / realizations, 1e-9);
      if (!margin["kept"].get<bool>()) continue;
      ++kept;
      for (const char* key : {"margin", "failure_factor"}) {
        EXPECT_EQ(chosen["mission"]["planner"][key], margin[key]) << key;
      }
      std::vector<std::string> alike = more;
      alike.insert(alike.end(), {"--set", factor});
      plan(length, "kept", alike);
      EXPECT_EQ(values("kept"), values("auto"));
      EXPECT_EQ(summary("kept")["rollout"], chosen["rollout"]);
      EXPECT_FALSE(summary("kept").contains("margins"));
    }
    EXPECT_EQ(kept, 1);
  }
  std::vector<float> values(const std::string& run) const {
    return Hdf5File::open(folder_ / run / "policy.h5").read_all<float>("value");
  }
};

/// Each plan and its flights by commands of their own.
TEST_F(Margin, IsChosenByFlightsThroughTheOtherHalf) {
  expect_chosen_by_halves({});
  EXPECT_THAT(run({"plan", "m.toml", "--out", "said", "--set", "planner.margin=auto"}).output,
              HasSubstr("(kept; --choose N keeps line N)"));
}

TEST_F(Margin, IsChosenForPlacesToPass) {
  expect_chosen_by_halves({"--set", "mission.via=[{point=[8.5, 14.5], radius=2}]"});
}

/// Each plan from the start that it would choose, whichever comes first in the mission.
TEST_F(Margin, IsChosenFromTheBestStart) {
  expect_chosen_by_halves({"--set", "mission.start=[[2.5, 16.5], [8.5, 10.5]]"});
  const json first_is_worse = summary("auto")["margins"];
  plan("auto", "turned", {"--set", "mission.start=[[8.5, 10.5], [2.5, 16.5]]"});
  EXPECT_EQ(summary("turned")["margins"], first_is_worse);
}

TEST_F(Margin, IsChosenForActionsThatAreHeld) {
  expect_chosen_by_halves({"--set", "mission.decide_every=3"});
}

/// A line by hand: the same plan as by its length, and the table of the run that it replaces.
TEST_F(Margin, OfAnotherLineTakesOnePlan) {
  plan("auto", "run");
  const json chosen = summary("run");
  const std::string length = chosen["margins"][7]["margin"].dump();
  plan(length, "length", {"--set", "planner.failure_factor=10"});
  for (const char* line : {"4", "7"}) {  // the second of a run that was itself chosen from
    const auto said = run({"plan", "m.toml", "--set", "planner.margin=auto", "--choose", line});
    EXPECT_THAT(said.errors, Not(HasSubstr("choosing")));
  }
  const json other = summary("run");
  EXPECT_EQ(values("run"), values("length"));
  EXPECT_EQ(other["rollout"], summary("length")["rollout"]);
  EXPECT_EQ(other["mission"]["planner"]["margin"], chosen["margins"][7]["margin"]);
  ASSERT_EQ(other["margins"].size(), 10u);
  for (std::size_t n = 0; n < 10; ++n) {
    json line = chosen["margins"][n];
    line["kept"] = n == 7;
    EXPECT_EQ(other["margins"][n], line);
  }
}

TEST_F(Margin, OfAnotherLineNeedsItsRun) {
  const std::vector<std::string> choose{"plan", "m.toml", "--choose", "2"};
  EXPECT_THAT(refused(choose), HasSubstr("there is no such run"));
  plan("3", "run");
  EXPECT_THAT(refused(choose), HasSubstr("was not chosen among several"));
  plan("auto", "run");
  EXPECT_THAT(refused({"plan", "m.toml", "--choose", "10"}), HasSubstr("choose one from 0 to 9"));
  EXPECT_THAT(refused({"plan", "m.toml", "--choose", "2", "--set", "mission.start=[6.5, 15.5]"}),
              HasSubstr("was chosen for another mission"));
  EXPECT_THAT(refused({"plan", "m.toml", "--choose", "2", "--arrival-at-least", "0.5"}),
              HasSubstr("--arrival-at-least finds another one; give one of them"));
  // A summary is text that people edit.
  const json whole = summary("run");
  for (const auto& [key, value] : {std::pair{"margin", json(-5)},
                                   {"margin", json()},
                                   {"failure_factor", json(0.5)},
                                   {"failure_factor", json("ten")}}) {
    json edited = whole;
    edited["margins"][1][key] = value;
    std::ofstream(folder_ / "run/summary.json") << edited;
    EXPECT_THAT(refused({"plan", "m.toml", "--choose", "1"}), HasSubstr("among several"));
  }
  make_gyre("gyre.h5");
  test::write_part(folder_ / "gyre.h5", folder_ / "half.h5",
                   {.realizations = test::some_realizations(30)});
  fs::rename(folder_ / "half.h5", folder_ / "gyre.h5");
  EXPECT_THAT(refused(choose), HasSubstr("gyre.h5"));
}

TEST_F(Margin, OfAPriceThatWasFoundHasNoOtherLine) {
  plan("auto", "run", {"--arrival-at-least", "0.2"});
  EXPECT_THAT(refused({"plan", "m.toml", "--choose", "2"}),
              HasSubstr("since its plan has the price of failing that --arrival-at-least found"));
}

/// Where no flight fails without a margin there is nothing to win back. Of 310 flights the first
/// half's plans say all; of few both do, and a gain of minutes decides nothing.
TEST_F(Margin, IsNoneWhereNothingIsLost) {
  const auto choose = [&](const char* realizations, const char* start) {
    run({"env", "double-gyre", "--out", "wide.h5", "--nx", "20", "--ny", "20", "--nt", "40",
         "--modes", "2", "--realizations", realizations, "-q"});
    plan("auto", "calm",
         {"--set", "environment.file=wide.h5", "--set", std::string("mission.start=") + start,
          "--set", "mission.target=[10.5, 8.5]"});
    json margins = summary("calm")["margins"];
    EXPECT_EQ(margins.size(), 10u);
    for (const json& margin : margins) {
      EXPECT_EQ(margin["kept"], margin["margin"] == 0 && margin["failure_factor"] == 1);
    }
    EXPECT_EQ(margins[0]["failures"]["obstacle"], 0);
    return margins;
  };
  for (const json& margin : choose("620", "[10.5, 4.5]")) EXPECT_EQ(margin["trajectories"], 310);
  bool gains = false;
  for (const json& margin : choose("60", "[14.5, 4.5]")) {
    EXPECT_EQ(margin["trajectories"], 60);
    gains = gains || margin["gain"]["mean_total_reward"] > 0;
  }
  EXPECT_TRUE(gains);
}

/// Against having arrived, failing costs ten times as much: as where the mission says so itself.
TEST_F(Margin, FailingIsDearerInThePlanAlone) {
  const auto priced = [&](const std::string& penalty) {
    return std::vector<std::string>{"--set", "mission.horizon=13",
                                    "--set", "mission.arrival_reward=20",
                                    "--set", "mission.failure_penalty=" + penalty};
  };
  const auto own = priced("-100");
  std::vector<std::string> factor = own;
  factor.insert(factor.end(), {"--set", "planner.failure_factor=10"});
  plan("2", "own", own);
  plan("2", "factor", factor);
  plan("2", "dear", priced("-1180"));
  EXPECT_NE(values("factor"), values("own"));
  EXPECT_EQ(values("factor"), values("dear"));
  // The same flights; what they come to is reckoned by the mission's own price.
  const json flown = summary("factor")["rollout"];
  const json dear = summary("dear")["rollout"];
  const auto lost = flown["trajectories"].get<double>() * (1 - flown["arrival_rate"].get<double>());
  ASSERT_GT(lost, 0);
  EXPECT_EQ(flown["failures"], dear["failures"]);
  EXPECT_NEAR(flown["mean_total_reward"].get<double>() - dear["mean_total_reward"].get<double>(),
              1080 * lost / flown["trajectories"].get<double>(), 1e-6);
  EXPECT_EQ(summary("factor")["expected"], summary("dear")["expected"]);
  EXPECT_GT(summary("factor")["value_at_start"].get<double>(),
            summary("dear")["value_at_start"].get<double>());
}

TEST_F(Margin, IsPaidByThePlanAlone) {
  plan("0", "none");
  plan("3", "kept", {"--set", "planner.failure_factor=5"});
  EXPECT_NE(values("kept"), values("none"));
  const json found = summary("kept");
  // What flights and evaluation reckon holds no price: the value of the whole is the evaluation's.
  EXPECT_NEAR(found["value_at_start"].get<double>(),
              summary("none")["value_at_start"].get<double>(), 20);
  run({"rollout", "kept", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["rollout"]["mean_total_reward"],
            found["rollout"]["mean_total_reward"]);
  run({"build", "m.toml", "--out", "model.h5", "-q"});
  plan("3", "modelled",
       {"--model", "model.h5", "--backend", "cpu", "--set", "planner.failure_factor=5"});
  EXPECT_EQ(values("modelled"), values("kept"));
}

/// Missions of a batch choose together, as each would by itself.
TEST_F(Margin, IsChosenForEachMissionOfABatch) {
  std::ofstream(folder_ / "many.toml")
      << "[batch]\nmission = \"m.toml\"\n[vary]\nplanner.margin = [3, \"auto\"]\n"
      << "mission.start = [[15.5, 6.5], [6.5, 15.5]]\n";
  const auto said = run({"batch", "many.toml", "--out", "many", "--dry-run"});
  EXPECT_THAT(said.output, HasSubstr("4 mission(s), 3 solve(s) after choosing 2 margin(s)"));
  run({"batch", "many.toml", "--out", "many", "-q"});
  int chosen = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "many")) {
    if (!entry.is_directory()) continue;
    const json found = summary(entry.path());
    SCOPED_TRACE(entry.path().filename().string());
    if (!found.contains("margins")) continue;
    ++chosen;
    const std::string start = found["mission"]["mission"]["start"].dump();
    fs::remove_all(folder_ / "alone");
    plan("auto", "alone", {"--set", "mission.start=" + start});
    const json alone = summary("alone");
    EXPECT_EQ(found["margins"], alone["margins"]);
    EXPECT_EQ(found["mission"]["planner"]["margin"], alone["mission"]["planner"]["margin"]);
    EXPECT_EQ(found["rollout"], alone["rollout"]);
  }
  EXPECT_EQ(chosen, 2);
  // The table's seconds are all of them: those of the choice are no part of others.
  const Hdf5File table = Hdf5File::open(folder_ / "many/batch.nc");
  std::vector<double> sum(4, 0.0);
  for (const char* part : {"prepare", "choose", "read", "solve", "evaluate", "rollout", "write"}) {
    const auto seconds = table.read_all<double>(std::string("seconds_") + part);
    for (std::size_t n = 0; n < 4; ++n) sum[n] += std::isnan(seconds[n]) ? 0 : seconds[n];
  }
  const auto total = table.read_all<double>("seconds_total");
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(sum[n], total[n], 1e-6 + 1e-3 * total[n]);
  EXPECT_THAT(run({"batch", "many.toml", "--out", "many", "--resume"}).output,
              HasSubstr("4 of them before"));
}

TEST_F(Margin, IsChosenBeforeAPriceOfBeingLate) {
  plan("auto", "sure", {"--set", "mission.horizon=13", "--arrival-at-least", "0.82"});
  EXPECT_GE(summary("sure")["expected"]["arrival_probability"].get<double>(), 0.82);
}

/// A method that knows no ocean comes to what the plan does.
TEST_F(Margin, IsPaidByAnyMethod) {
  run({"build", "m.toml", "--out", "model.h5", "-q"});
  plan("3", "kept", {"--set", "planner.failure_factor=5"});
  run({"solve", "model.h5", "--mission", "m.toml", "--out", "s.h5", "-q", "--set",
       "planner.margin=3", "--set", "planner.failure_factor=5"});
  const auto planned = values("kept");
  const auto solved = Hdf5File::open(folder_ / "s.h5").read_all<double>("value");
  ASSERT_EQ(solved.size(), planned.size() + 1);
  for (std::size_t s = 0; s < planned.size(); ++s) ASSERT_NEAR(solved[s], planned[s], 1e-2) << s;
}

TEST_F(Margin, IsALengthForAnyMethod) {
  run({"build", "m.toml", "--out", "model.h5", "-q"});
  EXPECT_THAT(refused({"solve", "model.h5", "--mission", "m.toml", "--out", "s.h5", "--set",
                       "planner.margin=auto"}),
              HasSubstr("which 'tidewise plan' chooses; give a length"));
}

TEST_F(Margin, OfOneRealizationIsNone) {
  test::write_part(folder_ / "gyre.h5", folder_ / "one.h5", {.realizations = {0}});
  plan("auto", "one", {"--set", "environment.file=one.h5"});
  const json found = summary("one");
  EXPECT_EQ(found["mission"]["planner"]["margin"], 0);
  EXPECT_THAT(found["notes"].dump(), HasSubstr("one realization to choose by"));
}

/// Choosing takes as long as two plans: what is wrong is said before.
TEST_F(Margin, IsChosenAfterAllIsJudged) {
  run({"build", "m.toml", "--out", "other.h5", "-q", "--set", "vehicle.headings=8"});
  const auto judged = test::run_tidewise(
      {"plan", "m.toml", "--set", "planner.margin=auto", "--model", "other.h5"}, folder_.path());
  EXPECT_EQ(judged.status, 2);
  EXPECT_THAT(judged.errors, Not(HasSubstr("choosing")));
  const auto planned = run({"plan", "m.toml", "--set", "planner.margin=auto"});
  EXPECT_THAT(planned.errors, HasSubstr("choosing a margin, half 1 of 2: planning"));
  EXPECT_THAT(planned.errors, HasSubstr("choosing a margin, half 2 of 2: flying"));
}

/// A plan for the rest of the way, by the same prices.
TEST_F(Margin, IsKeptOnTheWay) {
  plan("3", "kept", {"--set", "planner.failure_factor=5"});
  run({"replan", "kept", "--at-xy", "15.5,6.5", "--time", "0", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["mission"]["planner"], summary("kept")["mission"]["planner"]);
  const auto whole = values("kept");
  const auto rest = values("again");
  ASSERT_EQ(rest.size(), whole.size());
  std::size_t there = 0;
  for (std::size_t s = 0; s < whole.size(); ++s) {
    if (std::isnan(rest[s])) continue;
    ++there;
    ASSERT_EQ(rest[s], whole[s]) << s;
  }
  EXPECT_GT(there, 1000u);
}

/// Who knows the ocean needs none.
TEST_F(Margin, IsNoneOfTheClairvoyants) {
  plan("0", "none");
  plan("4", "kept", {"--set", "planner.failure_factor=5"});
  for (const std::string name : {"none", "kept"}) {
    run({"bound", name, "--out", name + "_bound", "-q"});
  }
  EXPECT_EQ(summary("kept_bound")["knowledge"]["bound"],
            summary("none_bound")["knowledge"]["bound"]);
}

}  // namespace
}  // namespace tidewise
