// Goals within a budget and on average, by the program.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "base/progress.h"
#include "mdp/file/reader.h"
#include "support/mdp/public_model.h"
#include "support/program_fixture.h"

namespace tidewise::test {
namespace {

using testing::HasSubstr;

class SolveGoals : public ProgramFixture {
 protected:
  double value(std::vector<std::string> more) const {
    more.insert(more.begin(), "solve");
    for (const char* word : {"--out", "s.h5", "--backend", "cpu", "-q"}) more.emplace_back(word);
    report_ = run(more).output;
    const Hdf5File file = Hdf5File::open(folder_ / "s.h5");
    return file.read_all<double>("value").at(0);
  }
  std::string refusal(std::vector<std::string> more) const {
    more.insert(more.begin(), "solve");
    for (const char* word : {"--out", "n.h5", "-q"}) more.emplace_back(word);
    return refused(more);
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  mutable std::string report_;
};

TEST_F(SolveGoals, WithinABudgetCountWhatTransitionsBring) {
  // By action 0 for 1 where it fails, for 2 where it does not; by action 1 surely for 6.
  const auto write_model = [&](const std::string& rewards) {
    write("m.json", R"({"S":2,"A":2,"labels":{"init":[0],"goal":[1]},
"P":{"indptr":[0,2,3,4,4],"indices":[0,1,1,1],"data":[0.5,0.5,1,1]},
"R":{"indptr":[0,2,3,4,4],"indices":[0,1,1,1],"data":)" +
                        rewards + "}}");
  };
  write_model("[1,2,6,0]");
  const auto within = [&](const std::string& budget) {
    return value({"m.json", "--goal", "probability", "--target", "F{r<=" + budget + "} goal"});
  };
  EXPECT_EQ(within("1.9"), 0);
  EXPECT_EQ(within("2"), 0.5);
  EXPECT_EQ(within("3"), 0.75);
  EXPECT_EQ(within("6"), 1);
  EXPECT_THAT(report_, HasSubstr("6 in units of 1: 7 levels"));
  EXPECT_EQ(value({"m.json", "--goal", "probability", "--target", "F{r<=5} goal", "--minimize"}),
            0);
  // In single precision and from our own form too.
  run({"mdp", "convert", "m.json", "--out", "m.h5", "-q"});
  EXPECT_EQ(value({"m.h5", "--goal", "probability", "--target", "init U{r<=3} goal", "--precision",
                   "float"}),
            0.75);
  const std::vector<std::string> asked{"m.json", "--goal", "probability", "--target",
                                       "F{r<=3} goal"};
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--q"}, {"--initial", "s.h5"}, {"--method", "q-learning"}, {"--method", "backward"}}) {
    std::vector<std::string> words = asked;
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_THAT(refusal(words), HasSubstr("leave " + more.front() + " out"));
  }
  write_model("[-1,0,0,0]");
  EXPECT_THAT(refusal(asked), HasSubstr("state 0, action 0: brings -1"));
}

TEST_F(SolveGoals, WithinABudgetOfAPublicModelAreItsSteps) {
  TIDEWISE_REQUIRE_PUBLIC_MODEL(model, "consensus.2.K2");
  SilentProgress silent;
  mdp::write_process(folder_ / "c.h5", model, "", silent);
  // Its reward is 1 a step.
  const auto chance = [&](const std::string& bound) {
    (void)value({"c.h5", "--goal", "probability", "--target", "F" + bound + " finished"});
    const std::size_t at = report_.find_first_of("0123456789", report_.find("value"));
    return std::stod(report_.substr(at));
  };
  EXPECT_NEAR(chance("<=50"), 0.659912109375, 1e-9);
  EXPECT_NEAR(chance("{r<=50}"), 0.659912109375, 1e-9);
}

TEST_F(SolveGoals, OnAverageCountTheLongRun) {
  // A machine that runs for 5 a step and fails by a tenth, which a repair of 10 mends in one step,
  // and a slow one of 2 that does not.
  write("m.json", R"({"S":2,"A":2,"gamma":0.9,"format":"CSR",
"P":{"indptr":[0,2,3,4,5],"indices":[0,1,0,1,0],"data":[0.9,0.1,1,1,1]},
"R":{"indptr":[0,2,3,4,5],"indices":[0,1,0,1,0],"data":[5,5,2,0,-10]}})");
  EXPECT_NEAR(value({"m.json", "--goal", "average", "--tolerance", "1e-9"}), 40.0 / 11, 1e-9);
  EXPECT_THAT(report_, HasSubstr("average         of a step in the long run; 1 set(s) of states"));
  EXPECT_EQ(report_.find("policies"), std::string::npos);
  EXPECT_NEAR(value({"m.json", "--goal", "average", "--minimize", "--precision", "float"}), 0,
              1e-4);
  for (const char* option : {"--target", "--gamma", "--horizon", "--endings", "--initial"}) {
    const bool is_number = std::string(option) == "--gamma" || std::string(option) == "--horizon";
    const char* word = std::string(option) == "--endings" ? "sure" : is_number ? "1" : "x";
    EXPECT_THAT(refusal({"m.json", "--goal", "average", option, word}), HasSubstr(option));
  }
  EXPECT_THAT(refusal({"m.json", "--goal", "average", "--method", "q-learning"}),
              HasSubstr("--method q-learning: --goal average is of steps without end"));
}

}  // namespace
}  // namespace tidewise::test
