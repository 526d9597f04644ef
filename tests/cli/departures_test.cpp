// Tests 'departures', which simulates a policy from each departure, and 'reach', which evaluates it
// from every state.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

class Departures : public test::SmallGyreFixture {
 protected:
  Departures() {
    make_gyre("env.h5");
    write_mission("env.h5", "run", 0);
  }
  void plan() const {
    make_once("departures", [&] { run({"plan", "m.toml", "-q"}); });
  }
  json find_departures(std::vector<std::string> options) const {
    options.insert(options.begin(), {"departures", "run", "--out", "d.json", "-q"});
    run(options);
    return json::parse(std::ifstream(folder_ / "d.json"));
  }
  /// Returns the departures that a page shows.
  json page_departures(const std::string& page) const {
    const std::string text = test::bytes_of(folder_ / page);
    const std::string mark = "id=\"facts\">";
    const std::string facts = text.substr(text.find(mark) + mark.size());
    return json::parse(facts.substr(0, facts.find("</script>")))["runs"][0]["departures"];
  }
};

TEST_F(Departures, EqualRolloutsFromEachDeparture) {
  plan();
  const json table = find_departures({"--from", "3", "--to", "20", "--every", "7"});
  ASSERT_EQ(table["departures"].size(), 3U);
  std::size_t highest = 0;
  for (std::size_t n = 0; n < 3; ++n) {
    const json& departure = table["departures"][n];
    EXPECT_EQ(departure["level"], 3 + 7 * n);
    run({"rollout", "run", "--time", std::to_string(3 + 7 * n), "--out", "flown", "--overwrite",
         "-q"});
    const json rollout = summary("flown")["rollout"];
    for (const char* figure : {"arrival_rate", "time", "energy", "mean_total_reward", "failures"}) {
      EXPECT_EQ(departure["rollout"][figure], rollout[figure])
          << figure << " from level " << 3 + 7 * n;
    }
    const json& mean = table["departures"][highest]["rollout"]["mean_total_reward"];
    if (departure["rollout"]["mean_total_reward"] > mean) highest = n;
  }
  EXPECT_LE(table["best"], highest);
  EXPECT_EQ(table["no_different"][0], table["best"]);
  EXPECT_THAT(table["no_different"], testing::Contains(highest));
}

TEST_F(Departures, AreOnThePageOfTheRun) {
  plan();
  run({"view", "run", "--out", "v.html", "-q"});
  const json page = page_departures("v.html");
  const json table = find_departures({});
  ASSERT_EQ(page["level"].size(), table["departures"].size());
  for (std::size_t n = 0; n < page["level"].size(); ++n) {
    const json& departure = table["departures"][n];
    EXPECT_EQ(page["level"][n], departure["level"]);
    EXPECT_EQ(page["chance"][n], departure["rollout"]["arrival_rate"]);
    EXPECT_EQ(page["arrival"][n].is_null(), departure["arrival_time"].is_null());
    if (page["arrival"][n].is_null()) continue;  // this environment has steps of 1 from time 0
    EXPECT_NEAR(page["arrival"][n].get<double>(), departure["arrival_time"].get<double>(), 1e-9);
    EXPECT_NEAR(
        page["arrival_p95"][n].get<double>(),
        departure["level"].get<double>() + departure["rollout"]["time"]["p95"].get<double>(), 1e-9);
  }
  EXPECT_EQ(page["best"], table["best"]);
  EXPECT_EQ(page["no_different"], table["no_different"]);
  EXPECT_EQ(page["flights"], 60);
}

TEST_F(Departures, AreDecisionLevelsOnThePageWithActionHold) {
  run({"plan", "m.toml", "--set", "mission.decide_every=4", "--set", "mission.departure=1", "-q"});
  run({"view", "run", "--out", "v.html", "-q"});
  for (const json& level : page_departures("v.html")["level"]) EXPECT_EQ(level.get<int>() % 4, 1);
}

TEST_F(Departures, AreAbsentForStationKeepingAndWithoutFlights) {
  run({"plan", "m.toml", "--set", "mission.objective=stay", "-q"});
  run({"view", "run", "--out", "v.html", "-q"});
  EXPECT_TRUE(page_departures("v.html").is_null());
  run({"plan", "m.toml", "--set", "rollout.mode=none", "--out", "still", "-q"});
  run({"view", "still", "--out", "v.html", "-q"});
  EXPECT_TRUE(page_departures("v.html").is_null());
}

TEST_F(Departures, ShowMostOfATableAndWriteAllOfIt) {
  plan();
  const std::string report = run({"departures", "run", "--out", "d.csv", "-q"}).output;
  EXPECT_THAT(report, HasSubstr("leave "));
  EXPECT_THAT(report, HasSubstr(" of 44 departures, 60 flight(s) from each"));
  EXPECT_THAT(report, HasSubstr("and later: no flight arrives before the policy ends"));
  EXPECT_LE(std::count(report.begin(), report.end(), '\n'), 30);
  EXPECT_EQ(std::count(report.begin(), report.end(), '*'), 2);  // on its row and in the legend
  std::ifstream csv(folder_ / "d.csv");
  const std::string lines(std::istreambuf_iterator<char>(csv), {});
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 45);
}

/// A flight can depart only at levels at which the plan chooses actions.
TEST_F(Departures, AreDecisionLevelsWithActionHold) {
  run({"plan", "m.toml", "--set", "mission.decide_every=4", "-q"});
  const json table = find_departures({"--to", "13"});
  std::vector<int> levels;
  for (const json& departure : table["departures"]) levels.push_back(departure["level"]);
  EXPECT_THAT(levels, testing::ElementsAre(0, 4, 8, 12));
  EXPECT_THAT(refused({"departures", "run", "--from", "5", "--to", "7"}),
              test::has_code("no_departure_in_range", "decides only at some"));
}

TEST_F(Departures, AreRefusedOutsideTheLevels) {
  plan();
  EXPECT_THAT(refused({"departures", "run", "--from", "99"}),
              test::has_code("departure_level_outside", "44"));
  EXPECT_THAT(refused({"departures", "run", "--from", "9", "--to", "4"}),
              test::has_code("departure_range_reversed"));
  EXPECT_THAT(refused({"departures", "run", "--every", "0"}),
              test::has_code("count_too_small", "--every"));
  EXPECT_THAT(refused({"departures", "run", "--from", "2024-10-29"}),
              test::has_code("departure_without_dates"));
  EXPECT_THAT(refused({"departures", "run", "--out", "/dev/null/d.csv"}),
              test::has_code("output_folder_not_folder", "/dev/null/d.csv"));
}

/// The interval is longer than the plan.
TEST_F(Departures, IncludeAtLeastOneForALongInterval) {
  plan();
  const json report = find_departures({"--from", "1", "--every", "2147483647"});
  ASSERT_EQ(report["departures"].size(), 1u);
  EXPECT_EQ(report["departures"][0]["level"], 1);
}

TEST_F(Departures, HaveNoBestIfNoFlightArrives) {
  plan();
  run({"plan", "m.toml", "--set", "mission.horizon=4", "--out", "short", "-q"});
  const std::string report_text = run({"departures", "short", "--out", "none.json", "-q"}).output;
  EXPECT_THAT(report_text, testing::StartsWith("No flight arrives, whatever the departure.\n"));
  EXPECT_THAT(report_text, testing::Not(HasSubstr("*")));
  const json report = json::parse(std::ifstream(folder_ / "none.json"));
  EXPECT_TRUE(report["best"].is_null());
  EXPECT_TRUE(report["earliest_arrival"].is_null());
  EXPECT_TRUE(report["no_different"].empty());
  EXPECT_THAT(run({"departures", "run", "-q"}).output, HasSubstr("Earliest arrival: leave "));
}

TEST_F(Departures, ReachAtStartEqualsPrediction) {
  plan();
  run({"plan", "m.toml", "--set", "mission.decide_every=4", "--out", "held", "-q"});
  for (const std::string run_name : {"run", "held"}) {
    SCOPED_TRACE(run_name);
    const std::string report = run({"reach", run_name, "-q"}).output;
    EXPECT_THAT(report, HasSubstr("of the open water with a chance of 90 % or more"));
    const json expected = summary(run_name)["expected"];
    const auto file = Hdf5File::open(folder_ / run_name / "reach.nc");
    const auto at_start = [&](const char* name) {
      std::vector<float> value(1);
      file.read(name, {0, 6, 15}, {1, 1, 1}, value.data());
      return value.front();
    };
    EXPECT_NEAR(at_start("arrival_probability"), expected["arrival_probability"].get<double>(),
                1e-6);
    EXPECT_NEAR(at_start("time_to_go"), expected["time"].get<double>(), 1e-5);
    EXPECT_NEAR(at_start("energy_to_go"), expected["energy"].get<double>(), 1e-4);
  }
  run({"reach", "run", "--out", "reach.geojson", "-q"});
  std::set<std::string> kinds;
  const json map = json::parse(std::ifstream(folder_ / "reach.geojson"));
  for (const json& feature : map["features"]) {
    kinds.insert(feature["properties"]["kind"]);
    EXPECT_EQ(feature["geometry"]["type"], "MultiPolygon");
  }
  EXPECT_THAT(kinds, ElementsAre("chance of arriving", "delay", "flights"));
  EXPECT_THAT(refused({"reach", "run", "--out", "/dev/null/r.geojson"}),
              test::has_code("output_folder_not_folder", "/dev/null/r.geojson"));
}

}  // namespace
}  // namespace tidewise
