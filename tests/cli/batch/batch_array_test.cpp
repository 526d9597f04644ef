// Parts of a batch are independent processes. Together they must write the same folder as one
// process: in any order, in parallel, and after one of them was killed and restarted.

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <random>

#include "base/file/lock.h"
#include "batch_fixture.h"
#include "support/campaign.h"
#include "support/error_code.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using test::Contents;
using testing::HasSubstr;
using testing::IsEmpty;

class DividedBatch : public test::BatchFixture {
 protected:
  DividedBatch() {
    make_environment("other.h5", "2");
    write("b.toml", R"([batch]
mission = "m.toml"
[vary]
environment.file = ["gyre.h5", "other.h5"]
vehicle = [{ speeds = [0.7] }, { speeds = [0.9] }, { speeds = [1.1] }]
mission.objective = ["time", "energy"]
mission.departure = [0, 2, 24]
)");
  }

  std::vector<std::string> part(int number, int count, const std::string& out) const {
    return {"batch",
            "b.toml",
            "-q",
            "--out",
            out,
            "--array",
            std::to_string(number) + "/" + std::to_string(count)};
  }

  /// Returns the contents without the files that only parts write.
  Contents contents(const std::string& out) const {
    Contents all = test::contents_of_batch(folder_ / out);
    std::erase_if(all, [](const auto& entry) { return entry.first.starts_with("/.batch."); });
    return all;
  }

  Contents contents_of_one_process() const {
    make_once("one process", [&] {
      EXPECT_EQ(batch({"--out", "one"}).status, 1);  // departures from the last level fail
    });
    return contents("one");
  }
};

TEST_F(DividedBatch, WritesOneTableIfPartsRunInParallelAndOneIsKilled) {
  const Contents expected = contents_of_one_process();
  std::mt19937 random(32);
  std::uniform_int_distribution<int> moment(20, 400);  // [ms]
  std::uniform_int_distribution<int> any_part(1, 4);
  for (int round = 0; round < (test::is_night() ? 3 : 1); ++round) {
    const std::string out = "parts" + std::to_string(round);
    const int killed = any_part(random);
    const std::chrono::milliseconds delay(moment(random));
    std::vector<std::future<test::ProgramResult>> parts;
    for (int number = 1; number <= 4; ++number) {
      parts.push_back(std::async(std::launch::async, [&, number] {
        return number == killed ? test::kill_tidewise(part(number, 4, out), folder_.path(), delay)
                                : test::run_tidewise_alone(part(number, 4, out), folder_.path());
      }));
    }
    for (auto& part : parts) part.wait();
    const auto restarted = test::run_tidewise(part(killed, 4, out), folder_.path());
    EXPECT_EQ(restarted.status, 1) << restarted.errors;  // each part has departures that fail
    EXPECT_THAT(test::differences(contents(out), expected), IsEmpty());
  }
}

TEST_F(DividedBatch, AssignsEachMissionToOnePart) {
  const Contents expected = contents_of_one_process();
  for (const int number : {3, 1, 5, 2, 4, 7, 6}) {
    const auto result = test::run_tidewise(part(number, 7, "parts"), folder_.path());
    EXPECT_LE(result.status, 1) << result.errors;
  }
  EXPECT_THAT(test::differences(contents("parts"), expected), IsEmpty());
  // Missions that share counts stay in one part while there are enough groups.
  const auto plan = test::run_tidewise(
      {"batch", "b.toml", "--dry-run", "--out", "new", "--array", "1/3"}, folder_.path());
  EXPECT_THAT(plan.output, HasSubstr("12 (part 1 of 3, of 36 missions in 6 counting passes)"));
  EXPECT_THAT(plan.output, HasSubstr("2 counting pass(es)"));
}

TEST_F(DividedBatch, ReportsFailuresOfOtherParts) {
  ASSERT_EQ(test::run_tidewise(part(1, 2, "parts"), folder_.path()).status, 1);
  const auto count = [&](double status) {
    const auto statuses = column("status", "parts");
    return std::count(statuses.begin(), statuses.end(), status);
  };
  EXPECT_EQ(count(1), 6);
  EXPECT_EQ(count(2), 18);  // missions of the other part
  ASSERT_EQ(test::run_tidewise(part(2, 2, "parts"), folder_.path()).status, 1);
  EXPECT_EQ(count(1), 12);
  EXPECT_EQ(count(2), 0);
  EXPECT_THAT(texts("message", "parts"),
              testing::Contains(test::has_code("departure_outside", "24")).Times(12));
}

TEST_F(DividedBatch, EachPartNotesOnlyItsMissions) {
  write("b.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nvehicle.headings = [8, 12]\n");
  for (const int number : {1, 2}) {
    ASSERT_EQ(test::run_tidewise(part(number, 2, "parts"), folder_.path()).status, 0);
  }
  for (const char* run : {"parts/0000_headings8", "parts/0001_headings12"}) {
    ASSERT_TRUE(fs::remove(folder_ / run / "policy.h5"));
  }
  const auto notes = [&] {
    const std::string log = test::bytes_of(folder_ / "parts/batch.log");
    std::vector<bool> noted;
    for (const char* run : {"0000_headings8", "0001_headings12"}) {
      noted.push_back(log.find(std::string(run) + ": policy.h5 is missing") != std::string::npos);
    }
    return noted;
  };
  const auto first = test::run_tidewise(part(1, 2, "parts"), folder_.path());
  ASSERT_EQ(first.status, 0) << first.errors;
  EXPECT_EQ(std::ranges::count(notes(), true), 1) << "its own";
  ASSERT_EQ(test::run_tidewise(part(2, 2, "parts"), folder_.path()).status, 0);
  EXPECT_EQ(std::ranges::count(notes(), true), 2);
}

TEST_F(DividedBatch, ReadsPartFromSlurmTask) {
  const auto run = [&](const std::string& variables) {
    return test::run_command({"sh", "-c",
                              variables + " " + test::tidewise_program().string() +
                                  " batch b.toml --dry-run --array slurm"},
                             folder_.path());
  };
  const std::string array =
      "SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=10 "
      "SLURM_ARRAY_TASK_MAX=30 SLURM_ARRAY_TASK_STEP=10 ";
  EXPECT_THAT(run(array + "SLURM_ARRAY_TASK_ID=20").output, HasSubstr("part 2 of 3"));
  EXPECT_THAT(run(array + "SLURM_ARRAY_TASK_ID=25").errors, test::has_code("slurm_array_uneven"));
  const std::string single_task =
      "SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=3 "
      "SLURM_ARRAY_TASK_ID=3";
  EXPECT_THAT(run(single_task).errors, test::has_code("slurm_array_single_task"));
  EXPECT_THAT(run("").errors, test::has_code("not_slurm_array"));
}

TEST_F(DividedBatch, KeepsOtherBatchWithoutResume) {
  write("small.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nmission.departure = [0, 1]\n");
  const auto run = [&](const std::string& file, const std::vector<std::string>& words) {
    std::vector<std::string> arguments{"batch", file, "-q", "--out", "parts", "--array", "1/1"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return test::run_tidewise(arguments, folder_.path());
  };
  ASSERT_EQ(run("small.toml", {}).status, 0);
  const Contents before = contents("parts");
  const auto result = run("b.toml", {});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.errors, test::has_code("run_of_another_batch", "parts"));
  EXPECT_THAT(run("b.toml", {"--dry-run"}).output, test::has_code("run_of_another_batch"));
  EXPECT_THAT(test::differences(contents("parts"), before), IsEmpty());

  EXPECT_EQ(run("small.toml", {}).status, 0);  // the same batch resumes
  const fs::path lost = folder_ / "parts/0000_departure0/trajectories.nc";
  ASSERT_TRUE(fs::remove(lost));
  EXPECT_EQ(run("small.toml", {}).status, 0);  // also if one of its runs has lost a file
  EXPECT_TRUE(fs::exists(lost));
  write("one.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nmission.departure = [0]\n");
  EXPECT_EQ(run("one.toml", {}).status, 0);  // also next to runs of other parts
  make_environment("gyre.h5", "3");          // another forecast makes another batch
  EXPECT_EQ(run("small.toml", {}).status, 2);
  EXPECT_EQ(run("small.toml", {"--resume"}).status, 0);
  EXPECT_EQ(run("small.toml", {}).status, 0);
}

TEST_F(DividedBatch, RejectsInvalidParts) {
  for (const std::string text : {"3", "0/4", "5/4", "1/", "/4", "a/b", "-1/4", "1/4/2"}) {
    const auto result = batch({"--array", text});
    EXPECT_EQ(result.status, 2) << text;
    EXPECT_THAT(result.errors, test::has_code("array_part_invalid")) << text;
  }
  EXPECT_THAT(batch({"--memory", "much"}).errors, test::has_code("memory_size_invalid", "much"));
  fs::create_directory(folder_ / "parts");
  const auto lock = FileLock::take(folder_ / "parts/.batch.lock.1of4");
  ASSERT_TRUE(lock);
  for (const auto& words : {std::vector<std::string>{"--array", "1/5"}, {"--resume"}}) {
    std::vector<std::string> arguments{"--out", "parts"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const auto result = batch(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.errors, test::has_code("batch_folder_in_use", "part 1 of 4 of this batch"));
  }
  const auto other_part = test::run_tidewise(part(2, 4, "parts"), folder_.path());
  EXPECT_EQ(other_part.status, 1) << other_part.errors;  // because of its own failures
  EXPECT_THAT(other_part.errors, HasSubstr("missions failed"));
}

}  // namespace
}  // namespace tidewise
