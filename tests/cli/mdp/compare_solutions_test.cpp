// Tests of `compare` with solutions of a decision process.

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise::test {
namespace {

using testing::HasSubstr;

class CompareSolutions : public ProgramFixture {
 protected:
  CompareSolutions() {
    make_once("solutions", [&] {
      run({"research", "mdp", "gridworld", "--nx", "20", "--out", "w.h5", "-q"});
      solve("value-iteration", "a.h5");
      solve("gauss-seidel", "b.txt");
    });
  }
  void solve(const std::string& method, const std::string& out) const {
    run({"research", "solve", "w.h5", "--method", method, "--backend", "cpu", "--out", out, "-q"});
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
};

TEST_F(CompareSolutions, ReportsSameActionsAndDifferencesOfValues) {
  write("one.txt", "Optimal policy: 0 1 2 -1\nOptimal value: 1 2 3 4\n");
  write("two.txt", "Optimal policy: 0 1 0 -1\nOptimal value: 1 2.5 3 4.25\n");
  const auto report = run({"compare", "one.txt", "two.txt", "one.txt", "--out", "c.json", "-q"});
  EXPECT_THAT(report.output, HasSubstr("same action in 3 of 4 states (75.00 %)"));
  EXPECT_THAT(report.output, HasSubstr("by 0.188 on average, by 0.5 at most, in state 1"));
  const auto json = nlohmann::json::parse(std::ifstream(folder_ / "c.json"));
  ASSERT_EQ(json["comparisons"].size(), 2u);
  EXPECT_EQ(json["comparisons"][0]["same_share"], 0.75);
  EXPECT_EQ(json["comparisons"][0]["mean_value_difference"], 0.1875);
  EXPECT_EQ(json["comparisons"][0]["greatest_value_difference"], 0.5);
  EXPECT_EQ(json["comparisons"][1]["same_share"], 1.0);
  EXPECT_EQ(json["comparisons"][1]["greatest_value_difference"], 0.0);
}

TEST_F(CompareSolutions, ReadsTextAndHdf5) {
  run({"compare", "a.h5", "b.txt", "--out", "c.json", "-q"});
  const auto comparison =
      nlohmann::json::parse(std::ifstream(folder_ / "c.json"))["comparisons"][0];
  EXPECT_EQ(comparison["states"], 400);
  EXPECT_GE(comparison["same_share"], 0.95);
  EXPECT_LE(comparison["greatest_value_difference"], 2e-4);
}

TEST_F(CompareSolutions, RejectsDifferentModels) {
  write("few.txt", "Optimal policy: 0 -1\nOptimal value: 1 2\n");
  write("none.txt", "one line\n");
  EXPECT_THAT(refused({"compare", "a.h5", "few.txt"}), has_code("compare_solutions_states"));
  EXPECT_THAT(refused({"compare", "a.h5", "none.txt"}), HasSubstr("none.txt"));
  EXPECT_THAT(refused({"compare", "a.h5", "w.h5"}), has_code("not_a_solution"));
  EXPECT_THAT(refused({"compare", "a.h5", "b.txt", "--cost", "none"}),
              has_code("compare_option_of_runs"));
  EXPECT_THAT(refused({"compare", "a.h5", "b.txt", "--out", "c.nc"}),
              has_code("compare_option_of_runs"));
  EXPECT_THAT(refused({"compare", "a.h5", "b.txt", "--out", "b.txt"}), HasSubstr("b.txt"));
}

TEST_F(CompareSolutions, StoppingAtAStablePolicyAgreesWithOtherMethods) {
  run({"research", "solve", "w.h5", "--stop", "policy", "--evaluator", "block", "--backend", "cpu",
       "--out", "s.h5", "-q"});
  run({"compare", "a.h5", "s.h5", "--out", "c.json", "-q"});
  const auto comparison =
      nlohmann::json::parse(std::ifstream(folder_ / "c.json"))["comparisons"][0];
  EXPECT_GE(comparison["same_share"], 0.95);
  EXPECT_LE(comparison["mean_value_difference"], 1e-3);
}

}  // namespace
}  // namespace tidewise::test
