// Tests of unconverged solutions, initial values and action values.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "base/progress.h"
#include "mdp/file/reader.h"
#include "mdp/process/row_writer.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Lt;
using testing::Not;

class SolveFiles : public ProgramFixture {
 protected:
  SolveFiles() {
    // A ring of 30 states with a reward in one of them; the other direction costs nothing.
    mdp::RowWriter<double> writer(30, 2);
    for (int s = 0; s < 30; ++s) {
      std::vector<mdp::Transition> forward{{(s + 1) % 30, 0.9, s == 7 ? 1. : 0.}, {s, 0.1, 0}};
      std::vector<mdp::Transition> backward{{(s + 29) % 30, 1, 0}};
      EXPECT_EQ(writer.add_row(forward), "");
      EXPECT_EQ(writer.add_row(backward), "");
    }
    SilentProgress silent;
    mdp::write_process(folder_ / "ring.json", writer.finish(), "", silent);
  }
  std::vector<std::string> solve_arguments(std::vector<std::string> options) const {
    std::vector<std::string> words{"research", "solve",    "ring.json",       "--gamma",
                                   "0.99",     "--method", "value-iteration", "--backend",
                                   "cpu",      "-q",       "--threads",       "1"};
    words.insert(words.end(), options.begin(), options.end());
    return words;
  }
  ProgramResult solve(const std::vector<std::string>& options) const {
    return run_tidewise(solve_arguments(options), folder_.path());
  }
  std::string bytes(const std::string& name) const { return bytes_of(folder_ / name); }
  double attribute(const std::string& file, const std::string& name) const {
    return Hdf5File::open(folder_ / file).number_attribute("/", name).value_or(NAN);
  }
};

TEST_F(SolveFiles, ResumesUnconvergedSolution) {
  const double undisturbed_sweeps = [&] {
    EXPECT_EQ(solve({"--out", "whole.h5"}).status, 0);
    return attribute("whole.h5", "sweeps");
  }();
  const ProgramResult stopped = solve({"--out", "s.txt", "--max-sweeps", "100"});
  EXPECT_EQ(stopped.status, 1);
  EXPECT_THAT(stopped.errors, HasSubstr("what it found is kept in s.unfinished.h5: go on by "
                                        "--initial s.unfinished.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s.txt"));
  EXPECT_EQ(attribute("s.unfinished.h5", "converged"), 0);
  EXPECT_EQ(attribute("s.unfinished.h5", "sweeps"), 100);
  // Repeats the command that the error recommends, until the solution converges.
  double sweeps = 100;
  int rounds = 0;
  for (; !std::filesystem::exists(folder_ / "s.h5") && rounds < 40; ++rounds) {
    const ProgramResult resumed =
        solve({"--out", "s.h5", "--max-sweeps", "100", "--initial", "s.unfinished.h5"});
    EXPECT_EQ(resumed.status, std::filesystem::exists(folder_ / "s.h5") ? 0 : 1) << resumed.errors;
    EXPECT_THAT(resumed.errors, Not(HasSubstr("warning")));
  }
  sweeps += 100. * (rounds - 1) + attribute("s.h5", "sweeps");
  EXPECT_LT(rounds, 40);
  EXPECT_LE(sweeps, undisturbed_sweeps + 2);
  EXPECT_EQ(attribute("s.h5", "converged"), 1);
}

TEST_F(SolveFiles, TriesAnotherMethodIfTheAutomaticOneFails) {
  // 32 states near a discount of 1, on which inexact policy iteration oscillates. The values follow
  // from exact fractions.
  const std::string model = TIDEWISE_CONFIGS "/../tests/cli/solve/rare_rows.json";
  const std::vector<std::string> words{"research", "solve",     model,  "--threads",
                                       "1",        "--backend", "cpu",  "--tolerance",
                                       "1e-6",     "-q",        "--out"};
  auto fixed_method = words;
  fixed_method.insert(fixed_method.end(), {"alone.h5", "--method", "inexact-policy-iteration"});
  EXPECT_EQ(run_tidewise(fixed_method, folder_.path()).status, 1) << "then this test shows nothing";
  auto automatic = words;
  automatic.emplace_back("chosen.h5");
  const ProgramResult solved = run_tidewise(automatic, folder_.path());
  ASSERT_EQ(solved.status, 0) << solved.errors;
  const auto value = Hdf5File::open(folder_ / "chosen.h5").read_all<double>("value");
  EXPECT_NEAR(value[0], 14.751908659044496, 1e-6);
  EXPECT_NEAR(value[18], 6.6889021093437195, 1e-6);
}

TEST_F(SolveFiles, DoesNotReplaceCompleteSolutions) {
  ASSERT_EQ(solve({"--out", "s.h5"}).status, 0);
  const std::string before = bytes("s.h5");
  EXPECT_EQ(solve({"--out", "s.h5", "--max-sweeps", "10", "--tolerance", "1e-9"}).status, 1);
  EXPECT_EQ(bytes("s.h5"), before);
  EXPECT_EQ(attribute("s.unfinished.h5", "converged"), 0);
  // Other files with the name of an unfinished solution are not replaced either.
  std::filesystem::copy_file(folder_ / "s.h5", folder_ / "t.unfinished.h5");
  EXPECT_THAT(refused(solve_arguments({"--out", "t.h5"})),
              test::has_code("checkpoint_exists", "t.unfinished.h5"));
  std::ofstream(folder_ / "n.unfinished.h5") << "notes";
  EXPECT_THAT(refused(solve_arguments({"--out", "n.txt"})),
              test::has_code("checkpoint_exists", "n.unfinished.h5"));
}

TEST_F(SolveFiles, KeepsNoDivergentSolution) {
  std::ofstream(folder_ / "loop.json")
      << R"({"S":2,"A":2,"P":{"indptr":[0,1,2,2,2],"indices":[0,1],"data":[1,1]},)"
         R"("R":{"indptr":[0,1,2,2,2],"indices":[0,1],"data":[1,0]}})";
  const ProgramResult result =
      run_tidewise({"research", "solve", "loop.json", "--out", "s.h5", "-q", "--backend", "cpu"},
                   folder_.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.errors, Not(HasSubstr("is kept")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s.unfinished.h5"));
}

TEST_F(SolveFiles, BeginsWithASolution) {
  ASSERT_EQ(solve({"--out", "s.h5"}).status, 0);
  ASSERT_EQ(solve({"--out", "s.txt"}).status, 0);
  for (const char* first : {"s.h5", "s.txt"}) {
    ASSERT_EQ(solve({"--out", "again.h5", "--initial", first}).status, 0);
    EXPECT_THAT(attribute("again.h5", "sweeps"), Lt(5)) << first;
  }
  // The model is the same in the other precision and with another discount.
  const ProgramResult other =
      run_tidewise({"research", "solve", "ring.json", "--gamma", "0.9", "--precision", "float",
                    "--backend", "cpu", "--out", "f.h5", "--initial", "s.h5"},
                   folder_.path());
  EXPECT_EQ(other.status, 0);
  EXPECT_THAT(other.errors, Not(HasSubstr("warning")));
  // Costs make another model, but the solve still begins with the values.
  const ProgramResult costs =
      run_tidewise({"research", "solve", "ring.json", "--gamma", "0.99", "--minimize", "--backend",
                    "cpu", "--method", "value-iteration", "--out", "least.h5", "--initial", "s.h5"},
                   folder_.path());
  EXPECT_EQ(costs.status, 0);
  EXPECT_THAT(costs.errors, HasSubstr("warning: --initial s.h5: is of another model"));
  std::ofstream(folder_ / "two.txt") << "Optimal policy: 0 0\nOptimal value: 1 2\n";
  EXPECT_THAT(refused(solve_arguments({"--out", "n.h5", "--initial", "two.txt"})),
              test::has_code("initial_solution_size", "two.txt"));
  EXPECT_THAT(refused(solve_arguments({"--out", "n.h5", "--initial", "none.h5"})),
              test::has_code("file_missing", "none.h5"));
  EXPECT_THAT(refused(solve_arguments({"--out", "n.h5", "--initial", "ring.json"})),
              test::has_code("solution_first_line_differs", "ring.json"));
}

TEST_F(SolveFiles, WritesActionValuesAndNames) {
  // State 0 can stay with reward 1, or leave with reward 4 for a terminal state of value 10. It
  // lacks the second action.
  std::ofstream(folder_ / "m.json")
      << R"({"S":2,"A":3,"gamma":0.5,"P":{"indptr":[0,1,1,2,2,2,2],"indices":[0,1],"data":[1,1]},)"
         R"("R":{"indptr":[0,1,1,2,2,2,2],"indices":[0,1],"data":[1,4]},"initial_values":[0,10],)"
         R"("state_names":["home","sea"],"action_names":["stay","-","leave"]})";
  const auto model_arguments = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"research", "solve", "m.json", "--backend", "cpu", "-q"});
    return options;
  };
  run(model_arguments({"--out", "s.h5", "--value", "--tolerance", "1e-12"}));
  const Hdf5File file = Hdf5File::open(folder_ / "s.h5");
  EXPECT_EQ(file.dimensions("q"), (std::vector<std::string>{"state", "choice"}));
  const auto q = file.read_all<double>("q");
  ASSERT_EQ(q.size(), 6u);
  EXPECT_DOUBLE_EQ(q[0], 5.5);  // stay once, then leave
  EXPECT_TRUE(std::isnan(q[1]));
  EXPECT_DOUBLE_EQ(q[2], 9);
  EXPECT_TRUE(std::isnan(q[3]) && std::isnan(q[4]) && std::isnan(q[5]));
  EXPECT_THAT(file.read_texts("state_name"), ElementsAre("home", "sea"));
  EXPECT_THAT(file.read_texts("action_name"), ElementsAre("stay", "-", "leave"));
  run(model_arguments({"--out", "least.h5", "--value", "--minimize", "--tolerance", "1e-12"}));
  const auto costs = Hdf5File::open(folder_ / "least.h5").read_all<double>("q");
  EXPECT_NEAR(costs[0], 2, 1e-11);  // stay for ever
  EXPECT_DOUBLE_EQ(costs[2], 9);
  EXPECT_THAT(refused(model_arguments({"--out", "n.txt", "--value"})),
              test::has_code("q_without_hdf5", "--value"));
  EXPECT_THAT(refused(model_arguments(
                  {"--out", "n.h5", "--value", "--method", "backward", "--horizon", "2"})),
              AllOf(test::has_code("q_of_method_unknown"), HasSubstr("backward")));
  run(model_arguments({"--out", "plain.h5"}));
  EXPECT_FALSE(Hdf5File::open(folder_ / "plain.h5").has("q"));
}

}  // namespace
}  // namespace tidewise::test
