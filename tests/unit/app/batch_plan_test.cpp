// Sharing of counts and solves in a batch, invalid missions, and the order of passes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>
#include <utility>

#include "app/batch/pass/plan.h"
#include "app/batch/pass/queue.h"
#include "app/batch/pass/worker.h"
#include "app/batch/report.h"
#include "base/error.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class BatchPlans : public testing::Test {
 protected:
  BatchPlans() {
    test::write_environment(folder_ / "a.h5", test::plain_info(6, 5, 8),
                            [](TimeLevel, LevelFields<>& fields) { fields.masked[7] = 1; });
    test::write_environment(folder_ / "b.h5", test::plain_info(6, 5, 9));
    std::ofstream(folder_ / "base.toml") << R"([environment]
file = "a.h5"
[vehicle]
speeds = [1.0]
[mission]
start = [0.5, 0.5]
target = [4.5, 3.5]
[planner]
backend = "cpu"
threads = 1
)";
  }

  BatchPlan plan(const std::string& text, const PassLimits& limits = {std::size_t{1} << 30}) {
    std::ofstream(folder_ / "batch.toml") << "[batch]\nmission = \"base.toml\"\n" << text;
    missions_ = expand_batch(read_batch_file(folder_ / "batch.toml"), {});
    std::vector<std::size_t> indices;
    for (const auto& mission : missions_) indices.push_back(mission.index);
    return plan_batch(missions_, indices, limits, backend_, PolicyFiles::all);
  }

  const test::TemporaryFolder folder_;
  const Backend backend_{BackendKind::cpu, "cpu", "a processor", 1, ""};
  std::vector<BatchMission> missions_;
};

TEST_F(BatchPlans, ShareCountsByEnvironmentAndActions) {
  const auto found = plan(R"([vary]
environment.file = ["a.h5", "b.h5"]
mission.objective = ["time", "energy"]
mission.start = [[0.5, 0.5], [0.5, 2.5]]
)");
  ASSERT_EQ(found.passes.size(), 2u);
  EXPECT_EQ(found.solves(), 4u);
  EXPECT_EQ(found.missions(), 8u);
  EXPECT_THAT(found.passes[0].solves, ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_THAT(found.passes[1].solves, ElementsAre(ElementsAre(4, 5), ElementsAre(6, 7)));
  EXPECT_EQ(found.passes[1].levels, 9);
  EXPECT_TRUE(found.failures.empty());
  EXPECT_GT(found.passes[0].memory, 0);
  EXPECT_GT(found.passes[0].disk, 0);
}

TEST_F(BatchPlans, EstimateTheDiskForStoredTracks) {
  const std::string text = "[vary]\nrollout.mode = [\"chain\"]\nrollout.flights = [4, 5]\n";
  PassLimits limits{std::size_t{1} << 30};
  limits.tracks = 2;
  const CountingPass few = plan(text, limits).passes.at(0);
  limits.tracks = 1;
  const CountingPass fewer = plan(text, limits).passes.at(0);
  constexpr double missions = 2;
  constexpr double bytes_per_point = 60;
  EXPECT_EQ(few.disk - fewer.disk, missions * static_cast<double>(few.levels) * bytes_per_point);
}

TEST_F(BatchPlans, SolveOnceForDeparturesThatEndAtTheSameLevel) {
  EXPECT_THAT(plan("[vary]\nmission.departure = [0, 2, 5]\n").passes.at(0).solves,
              ElementsAre(ElementsAre(0, 1, 2)));
  // Missions of three steps have three last levels, and three solves in one pass.
  const auto found = plan("[vary]\nmission.departure = [0, 2, 4]\nmission.horizon = [3]\n");
  EXPECT_THAT(found.passes.at(0).solves,
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2)));
  EXPECT_THAT(plan("[vary]\nrollout.mode = [\"none\", \"chain\"]\n").passes.at(0).solves,
              ElementsAre(ElementsAre(0, 1)));
}

TEST_F(BatchPlans, SeparatesCountsByActionsAndEngine) {
  EXPECT_EQ(plan("[vary]\nvehicle.headings = [8, 16]\n").passes.size(), 2u);
  EXPECT_EQ(plan("[vary]\nplanner.engine = [\"lattice\", \"direct\"]\n").passes.size(), 2u);
  EXPECT_EQ(plan("[vary]\nvehicle.energy.c_f = [1.0, 2.0]\n").passes.size(), 1u);
}

TEST_F(BatchPlans, SeparatesCountsByErrorsOfActionHolds) {
  const std::string with_hold = "[vary]\nmission.decide_every = [1, 2]\n";
  EXPECT_EQ(plan(with_hold).passes.size(), 1u);
  EXPECT_EQ(plan(with_hold + "vehicle.speed_error = [0.1]\n").passes.size(), 2u);
}

/// Summaries come from files and other processes, so they can be invalid.
TEST_F(BatchPlans, IgnoreSecondsThatAreNotNumbers) {
  BatchSetup setup;
  setup.backend = backend_;
  setup.file.directory = folder_.path();
  const auto done = [](const char* seconds) {
    return BatchRow{
        0, MissionStatus::done, "", {{"seconds", nlohmann::ordered_json::parse(seconds)}}};
  };
  const std::vector<BatchRow> rows{done(R"({"solve": 1.25, "read": 0.5})"), done("[1]"), done("5"),
                                   done(R"({"solve": "long", "read": {"a": 1}})")};
  EXPECT_THAT(describe_batch(setup, rows, 0, 1, 2.0),
              HasSubstr("prepare 0.00, read 0.50, solve 1.25, evaluate 0.00"));
}

TEST_F(BatchPlans, ReportsInvalidMissions) {
  const auto found = plan(R"([vary]
environment.file = ["a.h5", "none.h5"]
mission.start = [[0.5, 0.5], [1.5, 1.5], [9.5, 0.5]]
)");
  ASSERT_EQ(found.failures.size(), 5u);
  EXPECT_THAT(found.failures[0].reason, test::has_code("start_closed", "land or an obstacle"));
  EXPECT_EQ(found.failures[1].mission, 2u);
  EXPECT_THAT(found.failures[1].reason, test::has_code("place_outside"));
  EXPECT_THAT(found.failures[2].reason, test::has_code("file_missing"));
  EXPECT_THAT(found.passes.at(0).solves, ElementsAre(ElementsAre(0)));
}

TEST_F(BatchPlans, DividePassesByMemoryFilesAndWorkers) {
  const std::string text = "[vary]\nmission.target_radius = [0.5, 1, 1.5, 2, 2.5, 3]\n";
  const double per_solve = plan(text).passes.at(0).memory / 6;
  EXPECT_EQ(plan(text, {static_cast<std::size_t>(2.5 * per_solve)}).passes.size(), 3u);
  EXPECT_EQ(plan(text, {1}).passes.size(), 6u);  // a pass has at least one solve
  EXPECT_EQ(plan(text, {std::size_t{1} << 30, 1, 4}).passes.size(), 2u);
  EXPECT_EQ(plan(text, {std::size_t{1} << 30, 3}).passes.size(), 3u);
  EXPECT_EQ(plan(text, {std::size_t{1} << 30, 50}).passes.size(), 6u);
}

PassRequest request_of(const std::vector<std::size_t>& missions, std::int64_t levels) {
  PassRequest request;
  request.levels = levels;
  for (const auto mission : missions) request.solves.push_back({{mission, {}}});
  return request;
}

TEST(PassQueues, ServesLongestFirstAndAcceptsReturns) {
  PassQueue queue({request_of({0}, 5), request_of({1, 2}, 5), request_of({3}, 50)});
  EXPECT_EQ(queue.next()->solves[0][0].index, 3u);
  auto pass = queue.next();
  EXPECT_EQ(pass->solves.size(), 2u);
  queue.give_back(without(*pass, {1}));
  const auto rest = queue.next();
  ASSERT_EQ(rest->missions(), 1u);
  EXPECT_EQ(rest->solves[0][0].index, 2u);
  queue.finish();
  EXPECT_EQ(queue.next()->solves[0][0].index, 0u);
  queue.finish();
  queue.finish();
  EXPECT_FALSE(queue.next());
}

TEST(PassQueues, WakesAllWorkersWhenStopped) {
  PassQueue queue({request_of({0}, 5)});
  ASSERT_TRUE(queue.next());
  std::jthread waiting([&] { EXPECT_FALSE(queue.next()); });
  queue.stop();
  waiting.join();
  EXPECT_TRUE(queue.rest().empty());
}

TEST(PassQueues, WakesWorkerForReturnedPass) {
  PassQueue queue({request_of({0}, 5)});
  auto pass = queue.next();
  std::jthread waiting([&] {
    EXPECT_TRUE(queue.next());
    queue.finish();
  });
  queue.give_back(*pass);
  waiting.join();
  EXPECT_FALSE(queue.next());
}

/// A row is recorded only when it was taken; otherwise its mission would never run again.
TEST(RecordingSinks, RecordsOnlyRowsThatWereTaken) {
  class FailingOnce final : public RowSink {
   public:
    void take(BatchRow /*row*/) override {
      if (!std::exchange(failed_, true)) throw RunError("not sent");
    }

   private:
    bool failed_ = false;
  } inner;
  RecordingSink recording(inner);
  EXPECT_THROW(recording.take({4}), RunError);
  recording.take({5});
  EXPECT_THAT(recording.ended(), ElementsAre(5));
}

}  // namespace
}  // namespace tidewise
