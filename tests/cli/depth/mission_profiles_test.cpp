// Runs missions with one of several profiles. Each must equal the mission on a file of only that
// profile.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "output/run/policy_file.h"
#include "profiles_fixture.h"
#include "support/error_code.h"
#include "support/ocean/environment_part.h"
#include "support/ocean/metric_units.h"

namespace tidewise {
namespace {

using nlohmann::json;
using test::MissionProfiles;
using testing::AllOf;
using testing::HasSubstr;

TEST_F(MissionProfiles, EqualMissionsOnFilesOfOneProfile) {
  const json up = plan("up", R"(vehicle.profiles=["up"])");
  const json down = plan("down", R"(vehicle.profiles=["down"])");
  test::write_part(folder_ / "both.h5", folder_ / "down.h5", {.profile = "down"});
  const json gyre = plan("gyre", "environment.file=\"gyre.h5\"");
  const json down_only = plan("alone", "environment.file=\"down.h5\"");
  for (const auto& [chosen, single] : {std::pair(&up, &gyre), std::pair(&down, &down_only)}) {
    for (const char* figure : {"value_at_start", "rollout"}) {
      ASSERT_FALSE((*chosen)[figure].is_null()) << figure;
      EXPECT_EQ((*chosen)[figure], (*single)[figure]) << figure;
    }
    EXPECT_EQ((*chosen)["baselines"], (*single)["baselines"]);
  }
  EXPECT_NE(up["value_at_start"], down["value_at_start"]);
}

/// With two opposite flows, a choice is at least as good as either profile, and the files hold the
/// dive of each action and step.
TEST_F(MissionProfiles, AreChosenWithEachAction) {
  const json both = plan_both();
  const json up = plan("up", R"(vehicle.profiles=["up"])");
  const json down = plan("down", R"(vehicle.profiles=["down"])");
  EXPECT_GT(both["value_at_start"], up["value_at_start"]);
  EXPECT_GT(both["value_at_start"], down["value_at_start"]);
  EXPECT_EQ(both["problem"]["actions"], 2 * up["problem"]["actions"].get<int>());
  EXPECT_THAT(both["first_action"]["profile"]["name"], testing::AnyOf("up", "down"));
  EXPECT_THAT(both["baselines"]["aim"]["profile"], testing::AnyOf("up", "down"));

  const PolicyFile policy(folder_ / "both/policy.h5");
  ASSERT_EQ(policy.profiles().size(), 2u);
  EXPECT_EQ(policy.profiles()[1].depths, "0:1000");
  EXPECT_EQ(policy.actions().front().profile, 0);
  EXPECT_EQ(policy.actions().back().profile, 1);
  const Hdf5File flights = Hdf5File::open(folder_ / "both/trajectories.nc");
  const auto dived = flights.read_all<std::uint8_t>("profile");
  EXPECT_GT(std::count(dived.begin(), dived.end(), 0), 0);
  EXPECT_GT(std::count(dived.begin(), dived.end(), 1), 0);

  EXPECT_THAT(run({"compare", "both", "both", "-q"}).output, HasSubstr("differs in 0 of"));
  // A rollout of the file repeats its flights.
  run({"rollout", "both", "-q", "--out", "again"});
  EXPECT_EQ(summary("again")["rollout"], both["rollout"]);
  const auto report =
      run({"plan", "m.toml", "--out", "told", "--set", R"(vehicle.profiles=["up", "down"])"});
  EXPECT_THAT(report.output, testing::AnyOf(HasSubstr("dive up (0–50 m), steer"),
                                            HasSubstr(", dive down (0–1000 m), until ")));
}

TEST_F(MissionProfiles, MayHaveDifferentSpeeds) {
  const std::vector<std::string> words{
      "plan", "m.toml", "-q", "--set", R"(vehicle.profiles=["up", "down"])", "--set"};
  const auto plan_with = [&](const std::string& setting, const std::string& out) {
    std::vector<std::string> command = words;
    command.insert(command.end(), {setting, "--out", out});
    run(command);
    return summary(out);
  };
  const json same_speed = plan_with("vehicle.speeds=[1.6]", "one");
  const json each = plan_with("vehicle.profile_speeds=[1.6, 1.6]", "each");
  const json slow = plan_with("vehicle.profile_speeds=[1.6, 0.4]", "slow");
  EXPECT_EQ(each["rollout"], same_speed["rollout"]);
  EXPECT_LT(slow["value_at_start"], same_speed["value_at_start"]);
}

/// The deep dive draws a tenth of the power of the other. The energy of each step in
/// trajectories.nc must be that of its dive.
TEST_F(MissionProfiles, MayHaveDifferentPowers) {
  const auto plan_with = [&](const std::string& setting, const std::string& out) {
    run({"plan", "m.toml", "-q", "--out", out, "--set", R"(vehicle.profiles=["up", "down"])",
         "--set", "vehicle.profile_power=[10, 1]", "--set", "vehicle.energy={c_f = 0, c_t = 0}",
         "--set", setting});
    return summary(out);
  };
  const json fast = plan_with("mission.objective=time", "fast");
  const json cheap = plan_with("mission.objective=energy", "cheap");
  EXPECT_LT(cheap["rollout"]["energy"]["mean"].get<double>(),
            fast["rollout"]["energy"]["mean"].get<double>());
  EXPECT_GT(cheap["rollout"]["time"]["mean"].get<double>(),
            fast["rollout"]["time"]["mean"].get<double>());
  std::set<std::uint8_t> dives;
  for (const char* run : {"fast", "cheap"}) {
    const Hdf5File flights = Hdf5File::open(folder_ / run / "trajectories.nc");
    const auto dived = flights.read_all<std::uint8_t>("profile");
    const auto energy = flights.read_all<float>("energy");
    ASSERT_EQ(dived.size(), energy.size());
    for (std::size_t n = 0; n + 2 < dived.size(); ++n) {
      if (dived[n] == 255 || dived[n + 1] == 255) continue;  // the last step may end early
      EXPECT_NEAR(energy[n + 1] - energy[n], dived[n] == 0 ? 10 : 1, 1e-4);
      dives.insert(dived[n]);
    }
  }
  EXPECT_EQ(dives.size(), 2u);
  // A rollout by the mission in policy.h5 repeats the flights.
  run({"rollout", "cheap", "-q", "--out", "again"});
  EXPECT_EQ(summary("again")["rollout"], cheap["rollout"]);
  // The power adds to the cost of motion, if that is set.
  const json dearer = plan_with("vehicle.energy.c_t=2", "dearer");
  EXPECT_EQ(dearer["rollout"]["time"], fast["rollout"]["time"]);
  EXPECT_NEAR(dearer["rollout"]["energy"]["mean"].get<double>(),
              fast["rollout"]["energy"]["mean"].get<double>() +
                  2 * fast["rollout"]["time"]["mean"].get<double>(),
              1e-3);
}

/// The unit is the same with other keys, and if the power is 0.
TEST_F(MissionProfiles, HavePowersInWatts) {
  test::make_metric(folder_ / "both.h5");
  const auto plan_with = [&](const std::string& power, const std::string& out) {
    const auto report =
        run({"plan", "m.toml", "--out", out, "--set", R"(vehicle.profiles=["up", "down"])", "--set",
             power, "--set", "vehicle.energy={c_f = 1.0, c_t = 0.0}", "--baselines", "none",
             "--details"});
    const Hdf5File flights = Hdf5File::open(folder_ / out / "trajectories.nc");
    return std::pair(report.output, flights.text_attribute("energy", "units").value_or(""));
  };
  const auto [report_text, unit] = plan_with("vehicle.profile_power=[1.4, 0.9]", "drawn");
  EXPECT_EQ(unit, "J");
  EXPECT_THAT(report_text, testing::ContainsRegex("energy +[0-9.]+ J"));
  EXPECT_EQ(plan_with("vehicle.profile_power=[0, 0]", "nothing").second, "J");
  EXPECT_EQ(plan_with("vehicle.headings=8", "unsaid").second, "m2 s-1");
  run({"view", "drawn", "--out", "drawn.html", "-q"});
  EXPECT_THAT(test::bytes_of(folder_ / "drawn.html"), HasSubstr(R"("energy_units":"J")"));
}

std::vector<std::vector<std::string>> csv_rows(const std::filesystem::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
      if (c == ',') {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    rows.push_back(cells);
  }
  return rows;
}

/// A route has a waypoint at each change of dive, and its legs have the dives of the flight in
/// trajectories.nc. With fewer waypoints, the export reports the part of the flight with another
/// dive.
TEST_F(MissionProfiles, AppearInRoutesByLeg) {
  plan_both();
  const Hdf5File flights = Hdf5File::open(folder_ / "both/trajectories.nc");
  const auto dived = flights.read_all<std::uint8_t>("profile");
  const auto realization = flights.read_all<std::int32_t>("realization");
  const auto outcome = flights.read_all<std::uint8_t>("outcome");
  const std::size_t max_points = dived.size() / realization.size();
  std::size_t checked = 0;
  for (std::size_t n = 0; n < realization.size(); n += 7) {
    if (outcome[n] != 0) continue;
    std::vector<std::string> in_flight;  // without repetition
    for (std::size_t m = 0; m < max_points && dived[n * max_points + m] != 255; ++m) {
      const std::string name = dived[n * max_points + m] == 0 ? "up" : "down";
      if (in_flight.empty() || in_flight.back() != name) in_flight.push_back(name);
    }
    run({"export", "both", "--format", "csv", "--plane", "--out", "r.csv", "-q", "--route",
         fmt::format("{}", realization[n])});
    const auto rows = csv_rows(folder_ / "r.csv");
    ASSERT_EQ(rows[0][rows[0].size() - 4], "profile");
    std::vector<std::string> in_route;
    for (std::size_t row = 1; row + 1 < rows.size(); ++row) {
      const std::string& name = rows[row][rows[row].size() - 4];
      EXPECT_EQ(rows[row].back(), name == "up" ? "0:50" : "0:1000");
      if (in_route.empty() || in_route.back() != name) in_route.push_back(name);
    }
    // Waypoints within the capture radius of the start are left out.
    ASSERT_LE(in_route.size(), in_flight.size());
    EXPECT_TRUE(std::equal(in_route.rbegin(), in_route.rend(), in_flight.rbegin()));
    if (in_flight.size() > 2) ++checked;
  }
  EXPECT_GT(checked, 0u);
  const auto few = run({"export", "both", "--format", "geojson", "--plane", "--waypoints", "4",
                        "--out", "few.geojson"});
  EXPECT_THAT(few.output, HasSubstr("and dives otherwise than they do"));
}

/// The order of the vehicle's profiles does not affect a route, because each leg is simulated in
/// the flow of its own profile.
TEST_F(MissionProfiles, ApplyToEachLegOfARoute) {
  plan_both();
  plan("other", R"(vehicle.profiles=["down", "up"])");
  const auto route_results = [&](const std::string& run_name, const std::string& route) {
    run({"export", run_name, "--format", "geojson", "--plane", "--out", "w.json", "-q", "--route",
         route});
    return json::parse(std::ifstream(folder_ / "w.json"))["features"][0]["properties"]["worth"];
  };
  for (const char* route : {"median", "nominal"}) {
    const json results = route_results("both", route);
    EXPECT_GT(results["waypoints"]["arrival_rate"], 0.0);
    EXPECT_EQ(results, route_results("other", route));
  }
}

/// Refined actions dive where those of the plan do.
TEST_F(MissionProfiles, AreKeptByRefinedActions) {
  plan_both();
  const auto report = run({"research", "refine", "both", "-q"});
  EXPECT_THAT(report.output, testing::ContainsRegex("at the start +dive (up|down) "));
  const Hdf5File refined = Hdf5File::open(folder_ / "both/refined.h5");
  const Hdf5File policy = Hdf5File::open(folder_ / "both/policy.h5");
  EXPECT_EQ(refined.text_attribute("profile", "flag_meanings"), "up down");
  EXPECT_EQ(refined.text_attribute("profile", "depths"), "0:50 0:1000");
  const auto profile = refined.read_all<std::uint8_t>("profile");
  const auto gain = refined.read_all<float>("gain");
  const auto action = policy.read_all<std::int16_t>("action");
  const auto action_profile = policy.read_all<std::uint8_t>("profile");
  ASSERT_EQ(profile.size(), action.size());
  std::set<std::uint8_t> dived;
  for (std::size_t n = 0; n < profile.size(); ++n) {
    if (std::isnan(gain[n])) {
      ASSERT_EQ(profile[n], 255);
      continue;
    }
    ASSERT_EQ(profile[n], action_profile[static_cast<std::size_t>(action[n])]);
    dived.insert(profile[n]);
  }
  EXPECT_EQ(dived.size(), 2u);
}

/// A clairvoyant plan dives in each realization as the plan of that realization, and is at least as
/// good as one with a single depth.
TEST_F(MissionProfiles, AreChosenByClairvoyantPlans) {
  const auto bound = [&](const std::string& out, const std::string& setting) {
    plan(out, setting);
    run({"research", "bound", out, "--realizations", "[7,31]", "--out", "bound_" + out, "-q"});
    return Hdf5File::open(folder_ / ("bound_" + out) / "trajectories.nc")
        .read_all<double>("total_reward");
  };
  const auto both = bound("both", R"(vehicle.profiles=["up", "down"])");
  const json knowledge = summary(folder_ / "bound_both")["knowledge"];
  EXPECT_GE(knowledge["bound"]["mean_total_reward"], knowledge["open"]["mean_total_reward"]);
  double predicted_less_flown = 0;
  for (std::size_t n = 0; n < 2; ++n) {
    const std::int32_t realization = n == 0 ? 7 : 31;
    const std::string name = std::to_string(realization);
    test::write_part(folder_ / "both.h5", folder_ / (name + ".h5"),
                     {.realizations = {realization}});
    const auto value_of = [&](const std::string& profiles) {
      run({"plan", "m.toml", "--set", "environment.file=" + name + ".h5", "--set",
           "vehicle.profiles=" + profiles, "--out", "alone", "--overwrite", "-q"});
      return summary(folder_ / "alone")["value_at_start"].get<double>();
    };
    const double best = value_of(R"(["up", "down"])");
    EXPECT_EQ(
        both[n],
        Hdf5File::open(folder_ / "alone/trajectories.nc").read_all<double>("total_reward").front());
    EXPECT_GE(best, value_of(R"(["up"])"));
    EXPECT_GE(best, value_of(R"(["down"])"));
    predicted_less_flown += best - both[n];
  }
  EXPECT_DOUBLE_EQ(knowledge["bound_promise_less_flown"]["mean"], predicted_less_flown / 2);
}

/// A single profile is reported by name like one of several, with the time of its end.
TEST_F(MissionProfiles, ReportASingleProfileByName) {
  const auto report =
      run({"plan", "m.toml", "--out", "down", "--set", R"(vehicle.profiles=["down"])"}).output;
  EXPECT_THAT(report, HasSubstr(", dive down (0–1000 m), until "));
  EXPECT_EQ(summary("down")["first_action"]["profile"]["depths"], "0:1000");
  const auto look_up = [&](const std::string& run_name) {
    return json::parse(
        run({"lookup", run_name, "--at-xy=15.5,8.5", "--time=5", "--json", "-q"}).output);
  };
  EXPECT_EQ(look_up("down")["profile"]["name"], "down");
  EXPECT_EQ(look_up("down")["hold_until"], 6.0);
  EXPECT_THAT(run({"lookup", "down", "--at-xy=15.5,8.5", "--time=5", "-q"}).output,
              HasSubstr(" until 6"));
  run({"export", "down", "--format", "csv", "--plane", "--out", "r.csv", "-q"});
  const auto rows = csv_rows(folder_ / "r.csv");
  ASSERT_EQ(rows[0][rows[0].size() - 4], "profile");
  EXPECT_EQ(rows[1][rows[1].size() - 2], "1000");
  EXPECT_EQ(rows[1].back(), "0:1000");
  // Without a dive no depth is reported.
  plan("gyre", "environment.file=\"gyre.h5\"");
  EXPECT_FALSE(summary("gyre")["first_action"].contains("profile"));
  EXPECT_FALSE(look_up("gyre").contains("profile"));
  EXPECT_FALSE(look_up("gyre").contains("hold_until"));
}

/// A profile may consist of two separate depth ranges, which a policy on board cannot store.
TEST_F(MissionProfiles, KeepTwoDepthRanges) {
  write_both("gap.h5", {{"up", "0:50"}, {"down", "20:30@0.25,500:600@0.75"}});
  const auto plan_of = [&](const std::string& profiles) {
    run({"plan", "m.toml", "-q", "--overwrite", "--out", "gap", "--set",
         "environment.file=\"gap.h5\"", "--set", "vehicle.profiles=" + profiles});
  };
  plan_of(R"(["up", "down"])");
  EXPECT_THAT(refused({"export", "gap", "--format", "policy", "--out", "gap.twp"}),
              test::has_code("board_profile_ranges", "down"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "gap.twp"));
  // A policy with one profile stores no depths.
  plan_of(R"(["down"])");
  run({"export", "gap", "--format", "policy", "--out", "gap.twp", "-q"});
  const json on_board = json::parse(
      run({"lookup", "gap.twp", "--at-xy=15.5,8.5", "--time=5", "--json", "-q"}).output);
  EXPECT_FALSE(on_board.contains("profile"));
  const std::string report = run({"lookup", "gap", "--at-xy=15.5,8.5", "--time=5", "-q"}).output;
  EXPECT_THAT(report, HasSubstr("dive down (20–30 and 500–600 m)"));
  run({"export", "gap", "--format", "csv", "--plane", "--out", "r.csv", "-q"});
  const auto rows = csv_rows(folder_ / "r.csv");
  EXPECT_EQ(rows[1].back(), "20:30;500:600");
  EXPECT_EQ(rows[1][rows[1].size() - 2], "");
}

TEST_F(MissionProfiles, AppearInPolicyOnBoard) {
  plan_both();
  run({"export", "both", "--format", "policy", "--out", "p.twp", "-q"});
  std::set<std::string> dived;
  for (double x = 8.5; x < 24; x += 3) {
    for (double y = 5.5; y < 24; y += 3) {
      const auto look_up = [&](const std::string& policy) {
        return json::parse(
            run({"lookup", policy, fmt::format("--at-xy={},{}", x, y), "--time=5", "--json", "-q"})
                .output);
      };
      const json in_run = look_up("both");
      const json on_board = look_up("p.twp");
      ASSERT_EQ(on_board["action"], in_run["action"]);
      if (in_run["action"].is_null()) continue;
      EXPECT_EQ(on_board["profile"]["depths"], in_run["profile"]["depths"]);
      dived.insert(in_run["profile"]["depths"].get<std::string>());
    }
  }
  EXPECT_EQ(dived.size(), 2u);
}

TEST_F(MissionProfiles, AreRequiredAndValidated) {
  EXPECT_THAT(refused({"plan", "m.toml"}),
              AllOf(test::has_code("mission_profiles_missing", "vehicle.profiles"),
                    testing::HasSubstr("m.toml"), testing::HasSubstr("both.h5"),
                    testing::HasSubstr("up, down"), testing::HasSubstr("vehicle.profiles"),
                    testing::HasSubstr("up")));
  EXPECT_THAT(refused({"check", "m.toml", "--set", R"(vehicle.profiles=["deep"])"}),
              test::has_code("profile_unknown", "deep"));
  EXPECT_THAT(refused({"check", "m.toml", "--set", R"(vehicle.profiles=["up", "up"])"}),
              test::has_code("key_value_invalid", "names each profile once"));
  EXPECT_THAT(refused({"check", "m.toml", "--set", R"(vehicle.profiles=["up", "down"])", "--set",
                       "vehicle.profile_speeds=[1.0]"}),
              test::has_code("profile_list_length", "speeds"));
  EXPECT_THAT(refused({"check", "m.toml", "--set", R"(vehicle.profiles=["up", "down"])", "--set",
                       "vehicle.profile_power=[1, 2, 3]"}),
              test::has_code("profile_list_length", "numbers"));
  EXPECT_THAT(refused({"check", "m.toml", "--set", "environment.file=\"gyre.h5\"", "--set",
                       R"(vehicle.profiles=["up"])"}),
              test::has_code("profile_unknown", "its velocity is of one depth"));
  EXPECT_THAT(refused({"env", "resample", "both.h5", "--out", "no.h5", "--step", "1"}),
              test::has_code("profile_choice_missing"));
}

/// The order of profiles makes no other vehicle.
TEST_F(MissionProfiles, AreComparedByName) {
  plan_both();
  plan("turned", R"(vehicle.profiles=["down", "up"])");
  plan("down", R"(vehicle.profiles=["down"])");
  // Actions differ only where both profiles are equally good; each plan then takes its first
  // profile.
  EXPECT_THAT(run({"compare", "both", "turned", "-q"}).output,
              AllOf(HasSubstr("stay on A's plan: B's gains nothing"), HasSubstr("(0.0")));
  EXPECT_THAT(run({"compare", "down", "both", "-q"}).output, HasSubstr("differs in "));
  EXPECT_THAT(refused({"compare", "both", "down"}), test::has_code("profiles_differ", "profiles"));
}

TEST_F(MissionProfiles, ShareNoCountsInABatch) {
  std::ofstream(folder_ / "b.toml") << "[batch]\nmission = \"m.toml\"\ndirectory = \"batch\"\n"
                                       "[vary]\nvehicle.profiles = [[\"up\"], [\"down\"]]\n";
  run({"batch", "b.toml", "-q"});
  const json up = plan("up", R"(vehicle.profiles=["up"])");
  const json down = plan("down", R"(vehicle.profiles=["down"])");
  std::vector<double> values;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "batch")) {
    if (std::filesystem::exists(entry.path() / "summary.json")) {
      values.push_back(summary(
          std::filesystem::relative(entry.path(), folder_.path()).string())["value_at_start"]);
    }
  }
  EXPECT_THAT(values, testing::UnorderedElementsAre(up["value_at_start"].get<double>(),
                                                    down["value_at_start"].get<double>()));
}

TEST_F(MissionProfiles, AreRequiredByInit) {
  std::vector<std::string> words{"init",     "--environment", "both.h5", "--start", "15.5,6.5",
                                 "--target", "15.5,24.5",     "--out",   "new.toml"};
  EXPECT_THAT(refused(words), test::has_code("init_profile_needed", "both.h5"));
  auto sideways = words;
  sideways.insert(sideways.end(), {"--profile", "sideways"});
  EXPECT_THAT(refused(sideways), test::has_code("profile_unknown", "sideways"));
  words.insert(words.end(), {"--profile", "down", "--profile", "up"});
  run(words);
  std::ifstream mission(folder_ / "new.toml");
  EXPECT_THAT((std::string{std::istreambuf_iterator<char>(mission), {}}),
              HasSubstr("\nprofiles = [\"down\", \"up\"]\n"));
  EXPECT_THAT(run({"check", "--details", "new.toml", "-q"}).output, HasSubstr("result "));
}

TEST_F(MissionProfiles, AppearInEnvInfo) {
  const auto report = run({"env", "info", "both.h5", "-q"});
  EXPECT_THAT(report.output, HasSubstr("up: 0:50"));
  EXPECT_THAT(report.output, HasSubstr("down: 0:1000"));
  const json facts = json::parse(run({"env", "info", "both.h5", "--json", "-q"}).output);
  ASSERT_EQ(facts["profiles"].size(), 2u);
  EXPECT_EQ(facts["profiles"][1]["name"], "down");
  EXPECT_EQ(facts["profiles"][0]["flow_bound"], facts["profiles"][1]["flow_bound"]);
}

}  // namespace
}  // namespace tidewise
