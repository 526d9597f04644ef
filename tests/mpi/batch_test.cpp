// A batch over several processes leaves what one process leaves.

#include <gmock/gmock.h>

#include "../cli/batch/batch_fixture.h"

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class BatchOfRanks : public test::BatchFixture {
 protected:
  BatchOfRanks() {
    write("b.toml", R"([batch]
mission = "m.toml"
[vary]
vehicle = [{ speeds = [0.7] }, { speeds = [0.9] }, { speeds = [1.1] }]
mission.objective = ["time", "energy"]
mission.departure = [0, 24]
)");
  }

  test::ProgramResult on_ranks(int count, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"batch", "b.toml", "-q"};
    words.insert(words.end(), more.begin(), more.end());
    return test::run_tidewise_together(count, words, folder_.path());
  }
};

TEST_F(BatchOfRanks, LeavesWhatOneProcessLeaves) {
  EXPECT_EQ(batch({"--out", "alone"}).status, 1);  // departures from the last level fail
  const auto alone = test::contents_of_batch(folder_ / "alone");
  for (const int count : {2, 3}) {
    const std::string out = "together" + std::to_string(count);
    const auto result = on_ranks(count, {"--out", out});
    EXPECT_EQ(result.status, 1) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("12, 6 done, 6 failed"));
    EXPECT_THAT(result.errors, HasSubstr("6 of 12 missions failed"));
    EXPECT_THAT(test::differences(test::contents_of_batch(folder_ / out), alone), IsEmpty());
    // What ranks record of a mission is what one process looks for.
    EXPECT_THAT(batch({"--out", out, "--resume"}).output, HasSubstr("6 done (6 of them before)"));
  }
}

TEST_F(BatchOfRanks, EndsWhenThereIsNothingToDoOrTheInputIsWrong) {
  EXPECT_EQ(on_ranks(2, {"--set", "mission.objectve=time"}).status, 2);
  EXPECT_EQ(on_ranks(2, {"--dry-run"}).status, 0);
  EXPECT_EQ(on_ranks(2, {"--out", "all"}).status, 1);
  EXPECT_EQ(on_ranks(2, {"--out", "all"}).status, 2);
  EXPECT_EQ(on_ranks(2, {"--out", "all", "--resume"}).status, 1);
}

}  // namespace
}  // namespace tidewise
