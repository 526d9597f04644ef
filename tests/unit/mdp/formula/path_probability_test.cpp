// Probabilities of path formulas, through the library as its users call it.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "mdp/file/reader.h"
#include "support/mdp/public_model.h"
#include "support/temporary_folder.h"
#include "tidewise/process.h"

namespace tidewise::mdp {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// From 0 by action 0 to 1 or to 2 in equal shares, by action 1 to 2; from 1 and 2 to 3 or back to
/// 0 in equal shares; 3 stays.
class PathProbability : public testing::Test {
 protected:
  PathProbability() {
    std::ofstream(path_) << R"({"S":4,"A":2,"labels":{"init":[0],"bad":[1],"done":[3]},
"P":{"indptr":[0,2,3,5,5,7,7,8,8],"indices":[1,2,2,0,3,0,3,3],"data":[0.5,0.5,1,0.5,0.5,0.5,0.5,1]}})";
  }
  std::vector<double> solve(const std::string& target, Direction direction = Direction::greatest) {
    const auto process =
        Process::read(path_, {.target = target, .goal = Goal::probability, .direction = direction});
    const Solution solution = mdp::solve(process, {.tolerance = 1e-12});
    EXPECT_TRUE(solution.converged);
    return solution.value;
  }

  const test::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "m.json";
};

TEST_F(PathProbability, OfUntilStopsWhereNeitherHolds) {
  const auto near = [](double value) { return testing::DoubleNear(value, 1e-12); };
  EXPECT_THAT(solve("done"), ElementsAre(near(1), near(1), near(1), near(1)));
  EXPECT_THAT(solve("F done"), ElementsAre(near(1), near(1), near(1), near(1)));
  // By action 1 never through 1; by action 0: v = (0 + (v + 1) / 2) / 2, a third.
  EXPECT_THAT(solve("!bad U done"), ElementsAre(near(1), near(0), near(1), near(1)));
  EXPECT_THAT(solve("!bad U done", Direction::least),
              ElementsAre(near(1. / 3), near(0), near(2. / 3), near(1)));
  EXPECT_THAT(solve("init U done"), ElementsAre(near(0), near(0), near(0), near(1)));
  // A target is one, whatever else it is.
  EXPECT_THAT(solve("!done U bad | done"), ElementsAre(near(1), near(1), near(1), near(1)));
  EXPECT_THAT(solve("false U done"), ElementsAre(near(0), near(0), near(0), near(1)));
}

TEST_F(PathProbability, WithinStepsIsExact) {
  EXPECT_THAT(solve("F<=0 done"), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(solve("F<=1 done"), ElementsAre(0, .5, .5, 1));
  EXPECT_THAT(solve("F<=2 done"), ElementsAre(.5, .5, .5, 1));
  EXPECT_THAT(solve("F<=4 done"), ElementsAre(.75, .75, .75, 1));
  EXPECT_THAT(solve("!bad U<=2 done"), ElementsAre(.5, 0, .5, 1));
  EXPECT_THAT(solve("!bad U<=2 done", Direction::least), ElementsAre(.25, 0, .5, 1));
  EXPECT_THAT(solve("!bad U<=3 done", Direction::least), ElementsAre(.25, 0, .625, 1));
}

TEST_F(PathProbability, HasItsOwnSteps) {
  const auto process = Process::read(path_, {.target = "F<=3 done", .goal = Goal::probability});
  EXPECT_EQ(process.most_steps(), 3);
  EXPECT_EQ(mdp::solve(process).method, "backward");
  EXPECT_EQ(Process::read(path_, {.target = "done", .goal = Goal::probability}).most_steps(),
            std::nullopt);
  EXPECT_THAT([&] { (void)mdp::solve(process, {.horizon = 4}); },
              ThrowsMessage<InputError>(HasSubstr("a bound of 3 steps")));
  EXPECT_THAT([&] { (void)mdp::solve(process, {.method = Method::fused}); },
              ThrowsMessage<InputError>(HasSubstr("leave out the method")));
  EXPECT_THAT([&] { (void)Process::read(path_, {.target = "init U done"}); },
              ThrowsMessage<InputError>(HasSubstr("is for --goal probability")));
  EXPECT_THAT([&] { (void)Process::read("none.json", {.target = "init &"}); },
              ThrowsMessage<InputError>(HasSubstr("target: at character 7 of 'init &'")));
}

/// Of a public model, beside plain iteration over rows that know no formula.
TEST(PathProbabilityOfPublicModel, WithinStepsIsThatOfPlainIteration) {
  TIDEWISE_REQUIRE_PUBLIC_MODEL(whole, "consensus.2.K2");
  const test::TemporaryFolder folder;
  SilentProgress progress;
  write_process(folder / "c.h5", whole, "", progress);
  const auto states = static_cast<std::size_t>(whole.state_count);
  std::vector<bool> avoided(states);
  std::vector<bool> target(states);
  for (const StateLabel& label : whole.labels) {
    for (const std::int32_t s : label.states) {
      if (label.name == "all_coins_equal_1") avoided[std::size_t(s)] = true;
      if (label.name == "finished") target[std::size_t(s)] = true;
    }
  }
  for (const bool is_least : {false, true}) {
    std::vector<double> value(states);
    for (std::size_t s = 0; s < states; ++s) value[s] = target[s] ? 1 : 0;
    for (int step = 0; step < 80; ++step) {
      std::vector<double> next(states);
      for (std::size_t s = 0; s < states; ++s) {
        if (target[s] || avoided[s]) {
          next[s] = target[s] ? 1 : 0;
          continue;
        }
        double best = is_least ? 1 : 0;
        for (std::int32_t a = 0; a < whole.action_count; ++a) {
          const auto row = std::size_t(whole.row(std::int32_t(s), a));
          if (!whole.is_allowed(std::int64_t(row))) continue;
          double worth = 0;
          for (auto n = whole.row_begin[row]; n < whole.row_begin[row + 1]; ++n) {
            worth += whole.probability[std::size_t(n)] *
                     value[std::size_t(whole.successor[std::size_t(n)])];
          }
          best = is_least ? std::min(best, worth) : std::max(best, worth);
        }
        next[s] = best;
      }
      value = next;
    }
    const auto process = Process::read(
        folder / "c.h5", {.target = "!all_coins_equal_1 U<=80 finished",
                          .goal = Goal::probability,
                          .direction = is_least ? Direction::least : Direction::greatest});
    const Solution solution = mdp::solve(process);
    ASSERT_EQ(solution.value.size(), states);
    double greatest = 0;
    for (std::size_t s = 0; s < states; ++s) {
      EXPECT_NEAR(solution.value[s], value[s], 1e-14) << s;
      if (!target[s]) greatest = std::max(greatest, value[s]);
    }
    EXPECT_GT(greatest, 0.1);
  }
}

}  // namespace
}  // namespace tidewise::mdp
