// Goals within a budget, and models of scipy's, by the program.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "support/mdp/npz_files.h"
#include "support/program_fixture.h"
#include "support/shared_data.h"

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
  write("m.tra", "2 3 4\n0 0 0 0.5\n0 0 1 0.5\n0 1 1 1\n1 0 1 1\n");
  write("m.trew", "2 3 3\n0 0 0 1\n0 0 1 2\n0 1 1 6\n");
  write("m.lab", "0=\"init\" 1=\"goal\"\n0: 0\n1: 1\n");
  const auto within = [&](const std::string& budget) {
    return value({"m.tra", "--goal", "probability", "--target", "F{r<=" + budget + "} goal"});
  };
  EXPECT_EQ(within("1.9"), 0);
  EXPECT_EQ(within("2"), 0.5);
  EXPECT_EQ(within("3"), 0.75);
  EXPECT_EQ(within("6"), 1);
  EXPECT_THAT(report_, HasSubstr("6 in units of 1: 7 levels"));
  EXPECT_EQ(value({"m.tra", "--goal", "probability", "--target", "F{r<=5} goal", "--minimize"}), 0);
  // In single precision and from our own form too.
  run({"mdp", "convert", "m.tra", "--out", "m.h5", "-q"});
  EXPECT_EQ(value({"m.h5", "--goal", "probability", "--target", "init U{r<=3} goal", "--precision",
                   "float"}),
            0.75);
  const std::vector<std::string> asked{"m.tra", "--goal", "probability", "--target",
                                       "F{r<=3} goal"};
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--q"}, {"--initial", "s.h5"}, {"--method", "q-learning"}, {"--method", "backward"}}) {
    std::vector<std::string> words = asked;
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_THAT(refusal(words), HasSubstr("leave " + more.front() + " out"));
  }
  write("m.trew", "2 3 1\n0 0 0 -1\n");
  EXPECT_THAT(refusal(asked), HasSubstr("state 0, action 0: brings -1"));
}

TEST_F(SolveGoals, WithinABudgetOfAPublicModelAreItsSteps) {
  TIDEWISE_REQUIRE_SHARED_DATA(model, "mdp/consensus.2.K2.tra");
  // Its reward is 1 a step.
  const auto chance = [&](const std::string& bound) {
    (void)value({model.string(), "--goal", "probability", "--target", "F" + bound + " finished"});
    const std::size_t at = report_.find_first_of("0123456789", report_.find("value"));
    return std::stod(report_.substr(at));
  };
  EXPECT_NEAR(chance("<=50"), 0.659912109375, 1e-9);
  EXPECT_NEAR(chance("{r<=50}"), 0.659912109375, 1e-9);
}

TEST_F(SolveGoals, OfMatricesOfScipy) {
  const auto csr = [](const std::vector<std::int32_t>& begin,
                      const std::vector<std::int32_t>& column, const std::vector<double>& value) {
    const auto rows = static_cast<std::int64_t>(begin.size()) - 1;
    return zip({{"indices.npy", npy(column)},
                {"indptr.npy", npy(begin)},
                {"format.npy", npy_text("csr")},
                {"shape.npy", npy(std::vector<std::int64_t>{rows, 2})},
                {"data.npy", npy(value)}},
               Packing::deflated);
  };
  // State 0 stays for 1 or leaves for 4.
  write("m.npz", csr({0, 1, 2, 2, 2}, {0, 1}, {1, 1}));
  EXPECT_THAT(refusal({"m.npz"}), HasSubstr("save them as m.R.npy"));
  write("m.R.npy", npy(std::vector<double>{1, 4, 0, 0}, "(2, 2)"));
  EXPECT_NEAR(value({"m.npz", "--gamma", "0.9"}), 10, 1e-4);
  EXPECT_NEAR(value({"m.npz", "--gamma", "0.5"}), 4, 1e-4);
  EXPECT_NEAR(value({"m.npz", "--gamma", "0.9", "--minimize"}), 4, 1e-4);
  write("a.P0.npz", csr({0, 1, 1}, {0}, {1}));
  write("a.P1.npz", csr({0, 1, 1}, {1}, {1}));
  write("a.R.npy", npy(std::vector<double>{1, 4, 0, 0}, "(2, 2)"));
  EXPECT_NEAR(value({"a.P1.npz", "--gamma", "0.9"}), 10, 1e-4);
  run({"mdp", "convert", "a.P0.npz", "--out", "a.json", "--gamma", "0.9", "-q"});
  EXPECT_NEAR(value({"a.json"}), 10, 1e-4);
  EXPECT_THAT(refused({"mdp", "convert", "a.json", "--out", "b.npz"}), HasSubstr("b.npz"));
  write("cut.npz", csr({0, 1, 1}, {1}, {1}).substr(0, 200));
  write("cut.R.npy", npy(std::vector<double>{1, 4, 0, 0}, "(2, 2)"));
  EXPECT_THAT(refusal({"cut.npz"}), HasSubstr("cut.npz: is no .npz"));
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
