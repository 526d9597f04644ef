// Writes pages of runs by the program. tests/view checks their appearance and contents.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

class View : public test::SmallGyreFixture {
 protected:
  View() {
    make_once("view", [&] {
      make_gyre("gyre.h5");
      write_mission("gyre.h5", "runs/one", 0);
      run({"plan", "m.toml", "-q"});
    });
  }

  std::string read(const fs::path& file) const { return test::bytes_of(folder_ / file); }
  std::string refused(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "view");
    return SmallGyreFixture::refused(arguments);
  }
};

TEST_F(View, WritesIdenticalFiles) {
  const auto report = run({"view", "runs/one", "--out", "one.html", "-q"});
  EXPECT_THAT(report.output, HasSubstr("one.html"));
  EXPECT_EQ(report.errors, "");
  run({"view", "runs/one/policy.h5", "--out", "again.html", "-q"});
  EXPECT_EQ(read("one.html"), read("again.html"));
  EXPECT_THAT(read("one.html"), HasSubstr("\"name\":\"one\""));
  // A page contains no path of this computer.
  EXPECT_THAT(read("one.html"), Not(HasSubstr(folder_.path().string())));
}

TEST_F(View, OmitsAMissingOrReplacedFlow) {
  const auto expect_no_flow = [&](const std::string& warning) {
    const auto report = run({"view", "runs/one", "--out", "one.html"});
    EXPECT_THAT(report.errors, HasSubstr(warning));
    EXPECT_THAT(report.errors, HasSubstr("--environment"));
    EXPECT_THAT(read("one.html"), HasSubstr("\"flow\":null"));
    EXPECT_THAT(read("one.html"), HasSubstr("No flow is shown"));
  };
  fs::rename(folder_ / "gyre.h5", folder_ / "moved.h5");
  expect_no_flow("is not there any more");
  run({"view", "runs/one", "--out", "one.html", "--environment", "moved.h5", "-q"});
  EXPECT_THAT(read("one.html"), Not(HasSubstr("\"flow\":null")));
  run({"env", "double-gyre", "--out", "gyre.h5", "--nx", "30", "--ny", "30", "--nt", "45",
       "--modes", "3", "--realizations", "50", "-q"});
  expect_no_flow("has been replaced or changed since");
  run({"view", "runs/one", "--out", "one.html", "--environment", "gyre.h5", "-q"});
  EXPECT_THAT(read("one.html"), HasSubstr("another file than the plan was made on"));
  std::ofstream(folder_ / "gyre.h5") << "no HDF5";
  fs::remove(folder_ / "one.html");
  expect_no_flow("has been replaced or changed since");
}

TEST_F(View, ShowsRolloutsInTheFolderOfTheirRun) {
  run({"rollout", "runs/one", "--time", "4", "-q"});
  run({"view", "runs/one/rollout_1", "--out", "r.html", "-q"});
  EXPECT_THAT(read("r.html"), HasSubstr("\"from_level\":4"));
  fs::rename(folder_ / "runs/one/rollout_1", folder_ / "stray");
  EXPECT_THAT(refused({"stray", "--out", "s.html"}), test::has_code("view_flights_without_policy"));
}

TEST_F(View, AcceptsDepartureBetweenLevels) {
  run({"rollout", "runs/one", "--time", "4.5", "--out", "between", "-q"});
  fs::rename(folder_ / "between", folder_ / "runs/one/between");
  run({"view", "runs/one/between", "--out", "r.html", "-q"});
  EXPECT_THAT(read("r.html"), HasSubstr("\"departs\":4.5,\"from_level\":4"));
}

TEST_F(View, RefusesWhatItCannotShow) {
  EXPECT_THAT(refused({"nowhere", "--out", "v.html"}), test::has_code("run_missing"));
  EXPECT_THAT(refused({"runs", "--out", "v.html"}), test::has_code("run_without_policy"));
  EXPECT_THAT(refused({"runs/one", "--out", "/dev/null/v.html"}),
              test::has_code("output_folder_not_folder", "/dev/null"));
  EXPECT_THAT(refused({"runs/one", "--out", "runs"}), test::has_code("output_is_folder", "runs"));
  EXPECT_THAT(refused({"runs/one", "--out", "v.html", "--environment", ""}),
              test::has_code("command_line_invalid", "--environment: its value is empty"));
  EXPECT_THAT(refused({"runs/one", "--out", "v.html", "--environment", "nowhere.h5"}),
              test::has_code("file_missing", "nowhere.h5"));
  run({"env", "double-gyre", "--out", "small.h5", "--nx", "20", "--ny", "20", "--nt", "45",
       "--modes", "3", "--realizations", "6", "-q"});
  EXPECT_THAT(refused({"runs/one", "--out", "v.html", "--environment", "small.h5"}),
              test::has_code("other_environment_differs", "small.h5"));
}

TEST_F(View, RefusesDamagedRuns) {
  const fs::path run_folder = folder_ / "runs/one";
  fs::copy(run_folder, folder_ / "copy");
  std::ofstream(folder_ / "copy/summary.json") << "{";
  EXPECT_THAT(refused({"copy", "--out", "v.html"}), test::has_code("run_summary_missing"));
  fs::copy(run_folder / "summary.json", folder_ / "copy/summary.json",
           fs::copy_options::overwrite_existing);
  std::ofstream(folder_ / "copy/trajectories.nc") << "no HDF5";
  EXPECT_THAT(refused({"copy", "--out", "v.html"}), test::has_code("not_hdf5", "trajectories.nc"));
  fs::copy(run_folder / "trajectories.nc", folder_ / "copy/trajectories.nc",
           fs::copy_options::overwrite_existing);
  {
    Hdf5File flights = Hdf5File::open_to_change(folder_ / "copy/trajectories.nc");
    auto time = flights.read_all<double>("time");
    time[3] += 0.5;
    flights.write_all("time", time);
    flights.close();
  }
  EXPECT_THAT(refused({"copy", "--out", "v.html"}), test::has_code("flights_off_policy_levels"));
}

/// A summary may have been edited.
TEST_F(View, AcceptsAnEditedSummary) {
  run({"rollout", "runs/one", "--out", "runs/one/flown", "-q"});
  const json run_summary = json::parse(read("runs/one/summary.json"));
  const json rollout_summary = json::parse(read("runs/one/flown/summary.json"));
  for (const json& edit : {json{{"rollout", {{"mode", 3}}}}, json{{"planned_on", {{"policy", 3}}}},
                           json{{"planned_on", {{"environment", 3}, {"policy", nullptr}}}}}) {
    SCOPED_TRACE(edit.dump());
    for (const auto& [folder, original] :
         {std::pair{"runs/one", run_summary}, {"runs/one/flown", rollout_summary}}) {
      json edited = original;
      edited.merge_patch(edit);
      std::ofstream(folder_ / folder / "summary.json") << edited;
      run({"view", folder, "--out", "v.html", "-q"});
    }
    run({"reach", "runs/one", "--out", "r.nc", "-q"});
  }
}

TEST_F(View, RefusesFlightsOfAnotherMission) {
  run({"plan", "m.toml", "-q", "--out", "runs/other", "--set", "mission.start=[4.5, 20.5]"});
  fs::copy_file(folder_ / "runs/other/trajectories.nc", folder_ / "runs/one/trajectories.nc",
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(refused({"runs/one", "--out", "one.html"}),
              test::has_code("trajectories_of_other_mission"));
}

TEST_F(View, SetsRunsOfOnePlaneSideBySide) {
  run({"plan", "m.toml", "--out", "runs/two", "--set", "mission.departure=5", "-q"});
  run({"view", "runs/one", "--with", "runs/two", "--out", "both.html", "-q"});
  EXPECT_THAT(read("both.html"), HasSubstr("id=\"data-1\""));
  EXPECT_THAT(refused({"runs/one", "--with", "nowhere", "--out", "v.html"}),
              test::has_code("run_missing"));
  {
    Hdf5File policy = Hdf5File::open_to_change(folder_ / "runs/two/policy.h5");
    policy.set_attribute("/", "projection", "+proj=stere +lat_0=60");
    policy.close();
  }
  EXPECT_THAT(refused({"runs/one", "--with", "runs/two", "--out", "v.html"}),
              test::has_code("view_planes_differ"));
}

}  // namespace
}  // namespace tidewise
