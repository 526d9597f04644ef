// Tests of the record of predictions: --log of plan, replan and lookup, 'tidewise score' and
// --calibrate.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class PredictionRecord : public test::SmallGyreFixture {
 protected:
  /// Writes a mission of a day off Washington, and environments with 20 realizations of a forecast
  /// error and without error.
  void prepare() const {
    make_once("record", [&] {
      run({"example", "washington", "--out", "."});
      const std::vector<std::string> import{
          "env", "import", "rtofs_washington_2024.nc", "--spacing", "6km", "--step", "3h", "-q"};
      auto with_error = import;
      for (const char* word : {"--error-rms", "0.1m/s", "--error-length", "30km", "--error-time",
                               "12h", "--realizations", "20", "--out", "env.h5"}) {
        with_error.emplace_back(word);
      }
      run(with_error);
      auto certain = import;
      certain.insert(certain.end(), {"--out", "certain.h5"});
      run(certain);
    });
    write("m.toml", R"([environment]
file = "env.h5"
[vehicle]
speeds = [0.6]
headings = 16
[mission]
start_lonlat = [-126.0, 46.8]
target_lonlat = [-125.6, 47.1]
target_radius = 6000.0
departure = 2024-10-29T12:00:00Z
deadline = "2024-11-01T00:00Z"
[rollout]
baselines = "none"
)");
  }
  std::vector<json> lines(const std::string& log) const {
    std::vector<json> parsed;
    std::ifstream file(folder_ / log);
    for (std::string line; std::getline(file, line);) parsed.push_back(json::parse(line));
    return parsed;
  }
  /// Writes a track that reaches the target evenly in this number of hours, and then stays there.
  void write_track(double hours) const {
    std::ofstream track(folder_ / "track.csv");
    track << "time,lon,lat\n";
    for (int n = 0; n <= 62; n += 2) {
      const double share = std::min(1.0, n / hours);
      track << 1730203200 + 3600 * n << ',' << -126.0 + 0.4 * share << ',' << 46.8 + 0.3 * share
            << '\n';
    }
  }
  json score(std::vector<std::string> options) const {
    options.insert(options.begin(), {"score"});
    options.emplace_back("--json");
    return json::parse(run(options).output);
  }
};

TEST_F(PredictionRecord, IsScoredByATrack) {
  prepare();
  run({"plan", "m.toml", "-q", "--out", "run", "--log", "log.jsonl"});
  run({"lookup", "run", "--at", "-126.0,46.8", "--time", "2024-10-29T12:00Z", "--surfacing", "6h",
       "--log", "log.jsonl"});
  run({"replan", "run", "--at", "-125.9,46.85", "--time", "2024-10-29T18:00Z", "-q", "--log",
       "log.jsonl"});
  const auto logged = lines("log.jsonl");
  ASSERT_EQ(logged.size(), 3u);
  const json& first = logged[0];
  EXPECT_EQ(first["command"], "plan");
  EXPECT_EQ(first["uncertainty"], "error_model");
  EXPECT_EQ(first["departure"], "2024-10-29T12:00:00Z");
  EXPECT_EQ(first["deadline"], "2024-11-01T00:00:00Z");
  EXPECT_NEAR(first["target"]["points"][0][0].get<double>(), -125.6, 1e-6);
  EXPECT_EQ(first["target"]["radius"], 6000);
  const json summary = this->summary("run");
  EXPECT_EQ(first["arrival"]["probability"], summary["rollout"]["arrival_rate"]);
  EXPECT_EQ(first["arrival"]["quantiles_of_arrivals"][0], summary["rollout"]["time"]["p05"]);
  EXPECT_EQ(first["arrival"]["quantiles_of_arrivals"][3], summary["rollout"]["time"]["p50"]);
  EXPECT_FALSE(first["recommendation"].contains("outlook"));
  EXPECT_EQ(logged[1]["surfacing"]["regions"][1]["probability"], 0.9);
  EXPECT_EQ(logged[2]["command"], "replan");
  EXPECT_EQ(logged[2]["departure"], "2024-10-29T18:00:00Z");

  write_track(30);
  const json result = score({"log.jsonl", "--track", "track.csv", "--out", "scored.jsonl"});
  EXPECT_EQ(result["predictions"], 3);
  EXPECT_EQ(result["scored"], 3) << result;
  EXPECT_EQ(result["arrived"], 3);
  EXPECT_EQ(result["dates"], 1);
  EXPECT_EQ(result["is_descriptive"], true);
  EXPECT_GE(result["surfacing_90"]["count"], 1);
  const auto scored = lines("scored.jsonl");
  const double hours = scored[0]["outcome"]["time"].get<double>() / 3600;
  EXPECT_GT(hours, 24);
  EXPECT_LT(hours, 30);
  EXPECT_EQ(score({"scored.jsonl"}), result) << "its own outcomes";
  const std::string report = run({"score", "log.jsonl", "--track", "track.csv"}).output;
  EXPECT_THAT(report, HasSubstr("descriptive: fewer than 30 dates"));
  EXPECT_THAT(report, HasSubstr("Brier score"));
}

TEST_F(PredictionRecord, CalibratesWindows) {
  prepare();
  run({"plan", "m.toml", "-q", "--out", "run", "--log", "log.jsonl"});
  const json plain = summary("run")["recommendation"]["outlook"];
  json line = lines("log.jsonl").front();
  const auto& times = line["arrival"]["quantiles_of_arrivals"];
  const double median = times[3].get<double>();
  const double half_width = times[6].get<double>() - median;
  ASSERT_GT(half_width, 60);
  line["outcome"] = {{"arrived", true}, {"time", median + 2.5 * half_width}};
  const auto write_missions = [&](int count) {
    std::ofstream file(folder_ / "scored.jsonl");
    for (int n = 0; n < count; ++n) {
      line["deadline"] = "2024-12-0" + std::to_string(n + 1) + "T00:00:00Z";
      file << line.dump() << '\n';
    }
  };
  write_missions(8);
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--out", "new", "--calibrate", "scored.jsonl"}),
              test::has_code("calibration_missions_too_few", "holds 8"));
  write_missions(9);
  const std::string words = "(calibrated on 9 earlier missions)";
  EXPECT_THAT(run({"plan", "m.toml", "--out", "new", "--calibrate", "scored.jsonl"}).output,
              HasSubstr(words));
  const json wide = summary("new")["recommendation"]["outlook"];
  EXPECT_EQ(wide["calibrated_on"], 9);
  EXPECT_EQ(wide["time"], plain["time"]);
  EXPECT_NEAR(wide["later"].get<double>(), 2.5 * plain["later"].get<double>(), 1e-6);
  EXPECT_THAT(run({"lookup", "run", "--at", "-126.0,46.8", "--time", "2024-10-29T12:00Z",
                   "--calibrate", "scored.jsonl"})
                  .output,
              HasSubstr(words));
}

TEST_F(PredictionRecord, HoldsNoProbabilityOfACertainForecast) {
  prepare();
  const std::vector<std::string> plan{
      "plan", "m.toml", "-q", "--set", "environment.file=certain.h5", "--out", "run"};
  auto logged = plan;
  logged.insert(logged.end(), {"--log", "log.jsonl"});
  run(logged);
  const json line = lines("log.jsonl").front();
  EXPECT_EQ(line["uncertainty"], "none");
  EXPECT_TRUE(line["arrival"].is_null());
  EXPECT_TRUE(line["surfacing"].is_null());
  EXPECT_THAT(line.dump(), testing::Not(HasSubstr("arrival_probability")));
  EXPECT_TRUE(line.contains("no_probability"));
  write_track(30);
  const json result = score({"log.jsonl", "--track", "track.csv"});
  EXPECT_EQ(result["scored"], 0);
  EXPECT_EQ(result["without_probability"], 1);
  EXPECT_TRUE(result["brier"]["value"].is_null());
  auto calibrated = plan;
  calibrated.back() = "other";
  calibrated.insert(calibrated.end(), {"--calibrate", "log.jsonl"});
  EXPECT_THAT(refused(calibrated), test::has_code("calibration_without_probability"));
}

TEST_F(PredictionRecord, RejectsUnscorablePredictions) {
  make_gyre("env.h5");
  write_mission("env.h5", "run", 0);
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--log", "log.jsonl"}),
              test::has_code("log_without_dates"));
  write("notes.txt", "not a log\n");
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--log", "notes.txt"}),
              test::has_code("output_kind_differs", "notes.txt"));
  write("log.jsonl", R"({"tidewise_prediction":1,"departure":"2024-10-29T12:00:00Z",)"
                     R"("deadline":"2024-11-01T00:00:00Z","arrival":null})"
                     "\n");
  EXPECT_THAT(refused({"score", "log.jsonl"}), test::has_code("score_nothing"));
  write("bad.jsonl", "{\"tidewise_prediction\":1,\n");
  EXPECT_THAT(refused({"score", "bad.jsonl"}),
              testing::AllOf(test::has_code("prediction_not_json"), HasSubstr("line 1: ")));
}

}  // namespace
}  // namespace tidewise
