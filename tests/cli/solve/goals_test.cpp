// Rewards on average, by the program.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
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
