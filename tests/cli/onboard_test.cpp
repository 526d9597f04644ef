// Exports policies for vehicles, and looks actions up in them, by the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "env/file/reader.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class OnBoard : public test::SmallGyreFixture {
 protected:
  OnBoard() { write_mission("gyre.h5", "run", 2); }

  void plan(const std::vector<std::string>& options = {}) const {
    make_gyre("gyre.h5");
    std::vector<std::string> words{"plan", "m.toml", "-q"};
    words.insert(words.end(), options.begin(), options.end());
    run(words);
  }
  json look_up(const std::string& policy, double x, double y, double time) const {
    const auto number = [](double n) { return std::to_string(n); };
    return json::parse(run({"lookup", policy, "--at-xy=" + number(x) + "," + number(y),
                            "--time=" + number(time), "--json", "--value"})
                           .output);
  }
  void flip_bit(const std::string& name, std::streamoff at) const {
    std::fstream file(folder_ / name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    const int byte = file.get();
    file.seekp(at);
    file.put(static_cast<char>(byte ^ 1));
  }
};

TEST_F(OnBoard, AgreesWithTheRun) {
  plan();
  const json brief = json::parse(
      run({"lookup", "run", "--at-xy", "15.5,6.5", "--time", "4", "--json", "-q"}).output);
  EXPECT_FALSE(brief.contains("value"));
  EXPECT_TRUE(brief["heading_deg_true"].is_null()) << "there is no north";
  EXPECT_THAT(
      refused({"lookup", "run", "--at-xy", "15.5,6.5", "--time", "4", "--declination", "12"}),
      test::has_code("declination_without_north"));
  EXPECT_THAT(
      refused({"lookup", "run", "--at-xy", "15.5,6.5", "--time", "4", "--declination", "200"}),
      test::has_code("declination_invalid"));
  run({"export", "run", "--format", "policy", "--value"});
  std::mt19937 random(3);
  std::uniform_real_distribution<> share;
  std::map<std::string, int> statuses;
  for (int n = 0; n < 40; ++n) {
    const double x = 32 * share(random) - 1;
    const double y = 32 * share(random) - 1;
    const double time = 48 * share(random) - 1;
    const json answer = look_up("run/export/policy.twp", x, y, time);
    const json expected = look_up("run", x, y, time);
    for (const char* key : {"status", "action", "level", "row", "column", "x", "y"}) {
      if (answer[key] == expected[key]) continue;
      // Without an action, the order of the checks, and so the cell, may differ.
      ASSERT_NE(expected["status"], "ok") << answer << expected;
      ASSERT_EQ(answer["status"], expected["status"]) << answer << expected;
    }
    ++statuses[expected["status"]];
    if (expected["status"] != "ok") continue;
    EXPECT_NEAR(answer["heading"], expected["heading"].get<double>(), 1e-6);
    EXPECT_NEAR(answer["speed"], expected["speed"].get<double>(), 1e-6);
    EXPECT_NEAR(answer["value"], expected["value"].get<double>(),
                std::abs(expected["value"].get<double>()) / 2048);
  }
  EXPECT_GT(statuses["ok"], 15);
  EXPECT_GT(statuses["outside"], 0);
  EXPECT_GT(statuses["past the end"], 0);
  EXPECT_GT(statuses["too early"], 0);
  for (const std::string policy : {"run", "run/export/policy.twp"}) {
    EXPECT_EQ(look_up(policy, 15.5, 24.5, 3)["status"], "in target");
  }
}

TEST_F(OnBoard, DistinguishesObstacleFromTargetWithEnvironment) {
  make_gyre("gyre.h5");
  run({"plan", "m.toml", "-q"});
  run({"export", "run", "--format", "policy", "--out", "p.twp"});
  const EnvironmentReader gyre(folder_ / "gyre.h5");
  const auto masked = gyre.read_masked(TimeLevel(5));
  const auto closed = std::find(masked.begin(), masked.end(), 1) - masked.begin();
  ASSERT_LT(closed, 900);
  const double x = gyre.info().grid.x(int(closed) % 30);
  const double y = gyre.info().grid.y(int(closed) / 30);
  EXPECT_EQ(look_up("run", x, y, 5)["status"], "closed");
  fs::remove(folder_ / "gyre.h5");
  EXPECT_EQ(look_up("run", x, y, 5)["status"], "no action");
  EXPECT_EQ(look_up("p.twp", x, y, 5)["status"], "closed");
  EXPECT_THAT(refused({"export", "run", "--format", "policy", "--out", "q.twp"}),
              test::has_code("file_missing", "gyre.h5"));
}

TEST_F(OnBoard, PartOfAPlanKeepsItsIndices) {
  plan();
  const auto report = run({"export", "run", "--format", "policy", "--from", "5", "--to", "9",
                           "--plane", "--bbox", "10,4,20,12", "--out", "part.twp"});
  EXPECT_THAT(report.output, HasSubstr("levels 5 to 9 of 45"));
  EXPECT_THAT(report.output, HasSubstr("columns 10 to 19 of 30, rows 4 to 11 of 30"));
  EXPECT_LT(fs::file_size(folder_ / "part.twp"), 1000);
  const json answer = look_up("part.twp", 12.5, 6.5, 7);
  const json expected = look_up("run", 12.5, 6.5, 7);
  for (const char* key : {"status", "action", "level", "row", "column"}) {
    EXPECT_EQ(answer[key], expected[key]);
  }
  EXPECT_EQ(look_up("part.twp", 12.5, 6.5, 10)["status"], "too late");
  EXPECT_EQ(look_up("part.twp", 12.5, 6.5, 4)["status"], "too early");
  EXPECT_EQ(look_up("part.twp", 22.5, 6.5, 7)["status"], "beyond the window");
}

TEST_F(OnBoard, IsWrittenByPlanAndWithOtherFormats) {
  plan({"--set", R"(output.formats=["policy", "csv"])"});
  EXPECT_TRUE(fs::exists(folder_ / "run/export/policy.twp"));
  run({"export", "run", "--format", "csv,policy", "--plane", "--out", "both"});
  EXPECT_EQ(test::bytes_of(folder_ / "both/policy.twp"),
            test::bytes_of(folder_ / "run/export/policy.twp"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "both"), {}), 2);
}

TEST_F(OnBoard, RejectsBadInputInOneLine) {
  plan();
  run({"export", "run", "--format", "policy", "--out", "p.twp"});
  const std::vector<std::string> x_and_y{"--at-xy", "3,3"};
  const auto lookup_refusal = [&](const std::string& policy, std::vector<std::string> words) {
    words.insert(words.begin(), {"lookup", policy});
    return refused(words);
  };
  for (const std::string policy : {"run", "p.twp"}) {
    EXPECT_THAT(lookup_refusal(policy, {"--at", "1,2", "--time", "3"}),
                test::has_code("lookup_without_degrees"));
    EXPECT_THAT(lookup_refusal(policy, {"--at-xy", "1,2", "--time", "2024-10-28"}),
                test::has_code("lookup_time_without_dates"));
    EXPECT_THAT(lookup_refusal(policy, {"--at-xy", "1", "--time", "2"}),
                test::has_code("number_list_invalid", "2"));
    EXPECT_THAT(lookup_refusal(policy, {"--time", "2"}), test::has_code("lookup_place_missing"));
    EXPECT_THAT(lookup_refusal(policy, {"--at-xy", "1,3", "--at", "2,3", "--time", "2"}),
                HasSubstr("keep one of them"));
  }
  EXPECT_THAT(lookup_refusal("nowhere", {"--at-xy", "1,2", "--time", "2"}),
              test::has_code("run_missing"));
  flip_bit("p.twp", 700);
  EXPECT_THAT(lookup_refusal("p.twp", {"--at-xy", "1,2", "--time", "2"}),
              test::has_code("board_policy_damaged"));
  flip_bit("p.twp", 700);
  fs::resize_file(folder_ / "p.twp", fs::file_size(folder_ / "p.twp") - 1);
  EXPECT_THAT(lookup_refusal("p.twp", {"--at-xy", "1,2", "--time", "2"}), HasSubstr("is damaged"));
  const auto export_part = [&](const std::vector<std::string>& part) {
    std::vector<std::string> words{"export", "run", "--format", "policy"};
    words.insert(words.end(), part.begin(), part.end());
    return refused(words);
  };
  EXPECT_THAT(export_part({"--from", "44", "--to", "49"}), HasSubstr("--from 44 --to 49"));
  EXPECT_THAT(export_part({"--to", "1.5"}), HasSubstr("--to"));
  EXPECT_THAT(export_part({"--from", "2024-10-28"}), HasSubstr("count from none"));
  EXPECT_THAT(export_part({"--bbox", "1,2,3,4"}), HasSubstr("--plane"));
  EXPECT_THAT(export_part({"--plane", "--bbox", "300,0,400,9"}), HasSubstr("--bbox"));
  EXPECT_THAT(export_part({"--plane"}), HasSubstr("belong to routes"));
  EXPECT_THAT(refused({"export", "run", "--format", "csv", "--plane", "--value"}),
              test::has_code("policy_options_without_policy"));
  EXPECT_THAT(refused({"export", "run", "--format", "policy,policy"}),
              test::has_code("policy_format_twice"));
  EXPECT_THAT(refused({"export", "run", "--format", "policy", "--out", "/dev/null/p.twp"}),
              test::has_code("output_folder_not_folder", "/dev/null"));
}

}  // namespace
}  // namespace tidewise
