#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/hdf5/file.h"
#include "base/progress.h"
#include "mdp/file/reader.h"
#include "support/error_code.h"
#include "support/mdp/public_model.h"
#include "support/program_fixture.h"

namespace tidewise::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A solution in the two-line text format.
struct TextSolution {
  std::vector<std::int32_t> policy;
  std::vector<double> value;
};

TextSolution read_text_solution(const std::filesystem::path& path) {
  std::ifstream stream(path);
  TextSolution solution;
  std::string line;
  std::string word;
  std::getline(stream, line);
  EXPECT_THAT(line, StartsWith("Optimal policy: "));
  for (std::istringstream words(line.substr(16)); words >> word;) {
    solution.policy.push_back(std::stoi(word));
  }
  std::getline(stream, line);
  EXPECT_THAT(line, StartsWith("Optimal value: "));
  for (std::istringstream words(line.substr(15)); words >> word;) {
    solution.value.push_back(std::stod(word));
  }
  return solution;
}

class SolveCommand : public ProgramFixture {
 protected:
  TextSolution solve(std::vector<std::string> words) const {
    words.insert(words.begin(), {"research", "solve"});
    for (const char* word : {"--out", "s.txt", "--backend", "cpu", "-q"}) words.emplace_back(word);
    run(words);
    return read_text_solution(folder_ / "s.txt");
  }
  std::string text_of(const std::string& name) const { return bytes_of(folder_ / name); }
  /// Returns the rest of the line of a report from a label on.
  static std::string line_of(const std::string& report, const std::string& label) {
    const auto at = report.find(label);
    return at == std::string::npos ? "" : report.substr(at, report.find('\n', at) - at);
  }
};

/// Returns the rest of a JSON model. Each of 31 steps succeeds with probability 1/2 and otherwise
/// ends in the last state; the final step has the reward 2/3.
std::string chain_of_halves() {
  std::string row_begin = "0";
  std::string successor;
  std::string probability;
  std::string reward;
  for (int s = 0; s < 31; ++s) {
    row_begin += "," + std::to_string(2 * (s + 1));
    successor += std::to_string(s + 1) + ",33,";
    probability += "0.5,0.5,";
    reward += "0,0,";
  }
  row_begin += ",63,64,64";
  successor += "32,33";
  probability += "1,1";
  reward += "0.6666666666666666,0";
  return R"("P":{"indptr":[)" + row_begin + R"(],"indices":[)" + successor + R"(],"data":[)" +
         probability + R"(]},"R":{"indptr":[)" + row_begin + R"(],"indices":[)" + successor +
         R"(],"data":[)" + reward + "]}}";
}

const char* const three_states =
    R"({"S":3,"A":2,"gamma":0.9,"format":"CSR",
"P":{"indptr":[0,2,3,4,6,7,8],"indices":[0,1,1,2,0,2,2,1],"data":[0.5,0.5,1,1,0.3,0.7,1,1]},
"R":{"indptr":[0,2,3,4,6,7,8],"indices":[0,1,1,2,0,2,2,1],"data":[0,1,0,2,0,0,0,3]}})";

TEST_F(SolveCommand, MatchesAHandCalculation) {
  write("m.json", three_states);
  // The cycle of states 1 and 2 gives V = 2 + 0.9 · 3 + 0.81 V. State 0 has the better of two
  // actions.
  const double value_1 = (2 + 0.9 * 3) / (1 - 0.81);
  const double value_2 = 3 + 0.9 * value_1;
  for (const char* method : {"fused", "value-iteration", "gauss-seidel", "block-divided",
                             "result-divided", "policy-iteration"}) {
    SCOPED_TRACE(method);
    const TextSolution solution = solve({"m.json", "--method", method});
    EXPECT_NEAR(solution.value[1], value_1, 1e-4);
    EXPECT_NEAR(solution.value[2], value_2, 1e-4);
    EXPECT_NEAR(solution.value[0], std::max(0.9 * value_1, (0.5 + 0.45 * value_1) / 0.55), 1e-4);
    EXPECT_EQ(solution.policy[1], 0);
    EXPECT_EQ(solution.policy[2], 1);
  }
}

/// A public model with a target and the exact value.
struct KnownAnswer {
  const char* name;
  const char* model;
  std::vector<std::string> words;
  double value;
};

class PublicModel : public SolveCommand, public testing::WithParamInterface<KnownAnswer> {};

TEST_P(PublicModel, HasItsExactValue) {
  TIDEWISE_REQUIRE_PUBLIC_MODEL(model, GetParam().model);
  SilentProgress silent;
  mdp::write_process(folder_ / "m.h5", model, "", silent);
  for (const char* method : {"fused", "value-iteration", "gauss-seidel", "block-divided",
                             "result-divided", "policy-iteration"}) {
    SCOPED_TRACE(method);
    std::vector<std::string> words{"research", "solve",       "m.h5",  "--method",
                                   method,     "--tolerance", "1e-12", "--backend",
                                   "cpu",      "--out",       "s.txt"};
    for (const std::string& word : GetParam().words) words.push_back(word);
    const std::string report = run(words).output;
    const std::string value = line_of(report, "value");
    EXPECT_NEAR(std::stod(value.substr(value.find_first_of("0123456789"))), GetParam().value,
                1e-8 * std::max(1.0, GetParam().value))
        << report;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PublicModel,
    testing::Values(
        KnownAnswer{"consensus_most", "consensus.2.K2", {"--target", "finished"}, 75},
        KnownAnswer{
            "consensus_least", "consensus.2.K2", {"--target", "finished", "--minimize"}, 48},
        KnownAnswer{"consensus_ones",
                    "consensus.2.K2",
                    {"--target", "finished_with_1", "--goal", "probability", "--minimize"},
                    49.0 / 128},
        KnownAnswer{"consensus_apart",
                    "consensus.2.K2",
                    {"--target", "finished_apart", "--goal", "probability"},
                    13.0 / 120},
        KnownAnswer{
            "consensus_listed", "consensus.2.K2", {"--target", "finished_apart, finished"}, 75},
        KnownAnswer{
            "csma_most", "csma.2-2", {"--target", "all_delivered"}, 227630345357.0 / 3221225472.0},
        KnownAnswer{"csma_least",
                    "csma.2-2",
                    {"--target", "all_delivered", "--minimize"},
                    53954981353.0 / 805306368.0}),
    [](const auto& known) { return known.param.name; });

TEST_F(SolveCommand, ReportsTheSolutionAndItsAccuracy) {
  write("m.json", three_states);
  const std::string report =
      run({"research", "solve", "m.json", "--out", "s.h5", "--backend", "cpu", "--threads", "2"})
          .output;
  EXPECT_THAT(report, HasSubstr("3 states (0 terminal), 6 actions of states, 8 transitions"));
  EXPECT_THAT(report, HasSubstr("fused, double precision"));
  EXPECT_THAT(report, HasSubstr("Bellman residual"));
  EXPECT_THAT(report, HasSubstr("the optimum is within"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "s.h5"));
  const std::string other =
      run({"research", "solve", "m.json", "--out", "s.h5", "--method", "q-learning", "--agents",
           "512", "--steps", "200", "--backend", "cpu"})
          .output;
  EXPECT_THAT(other, HasSubstr("q-learning"));
  EXPECT_THAT(other, HasSubstr("exact"));
  EXPECT_THAT(other, HasSubstr("% less than the optimum"));
  const auto random_steps = [&](const std::string& first, const std::string& last,
                                const std::string& decrement = "0") {
    return run({"research", "solve", "m.json", "--out", "s.h5", "--method", "q-learning", "--steps",
                "100", "--set", "q-learning.exploration=" + first, "--set",
                "q-learning.exploration-end=" + last, "--set",
                "q-learning.exploration-decrement=" + decrement, "--backend", "cpu"})
        .output;
  };
  EXPECT_THAT(random_steps("0", "0"), HasSubstr(", 0.0 % of them at random"));
  EXPECT_THAT(random_steps("1", "1"), HasSubstr(", 100.0 % of them at random"));
  EXPECT_THAT(random_steps("1", "0", "0.5"), HasSubstr(", 1.5 % of them at random"));
}

TEST_F(SolveCommand, ReportsBoundsWithoutDiscount) {
  // State 0 leads to state 1 at a cost of 5, or to itself at no cost.
  write("m.json", R"({"S":2,"A":2,"labels":{"goal":[1]},
"P":{"indptr":[0,1,2,3,3],"indices":[0,1,1],"data":[1,1,1]},
"R":{"indptr":[0,1,2,3,3],"indices":[0,1,1],"data":[0,5,0]}})");
  const auto report = [&](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"research", "solve", "m.json", "--out", "s.h5", "--backend", "cpu", "-q"});
    return run(words).output;
  };
  // A policy that must arrive pays; one that may cycle does not.
  const std::string arrives = report({"--target", "goal", "--minimize"});
  EXPECT_THAT(line_of(arrives, "value"), HasSubstr(" 5 at state 0, action 1"));
  EXPECT_THAT(line_of(arrives, "policies"), HasSubstr("surely come to an end"));
  EXPECT_THAT(line_of(arrives, "accuracy"), HasSubstr("the optimum is within"));
  const Hdf5File file = Hdf5File::open(folder_ / "s.h5");
  EXPECT_EQ(file.text_attribute("/", "policies"), "sure");
  EXPECT_THAT(file.read_all<double>("lower"), testing::ElementsAre(testing::Le(5), 0));
  EXPECT_THAT(file.read_all<double>("upper"), testing::ElementsAre(testing::Ge(5), 0));
  const std::string cycles = report({"--target", "goal", "--minimize", "--endings", "free"});
  EXPECT_THAT(line_of(cycles, "value"), HasSubstr(" 0 at state 0, action 0"));
  EXPECT_THAT(line_of(cycles, "policies"), HasSubstr("go round for nothing"));
}

TEST_F(SolveCommand, SolvesStatesNextToInfiniteValues) {
  // State 0 reaches the goal at a cost of 5, or at a cost of 1 with probability 1/2 and otherwise a
  // trap. States 1 and 3 are in the trap.
  write("m.json", R"({"S":4,"A":2,"labels":{"goal":[2]},
"P":{"indptr":[0,1,3,4,4,5,5,6,6],"indices":[2,1,2,1,2,1],"data":[1,0.5,0.5,1,1,1]},
"R":{"indptr":[0,1,3,4,4,5,5,6,6],"indices":[2,1,2,1,2,1],"data":[5,1,1,1,0,1]}})");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto report = [&](std::vector<std::string> words) {
    const std::vector<std::string> common{"research", "solve",     "m.json", "--target",
                                          "goal",     "--backend", "cpu",    "-q"};
    words.insert(words.begin(), common.begin(), common.end());
    return run(words).output;
  };
  const std::string minimum = report({"--minimize", "--value", "--out", "s.h5"});
  EXPECT_THAT(line_of(minimum, "value"), HasSubstr(" 5 at state 0, action 0"));
  EXPECT_THAT(line_of(minimum, "infinite"), HasSubstr("2 of 4 states, such as state 1"));
  const Hdf5File file = Hdf5File::open(folder_ / "s.h5");
  const auto with_infinities = [&](const auto& value_0) {
    return testing::ElementsAre(value_0, infinity, 0, infinity);
  };
  EXPECT_THAT(file.read_all<double>("value"), with_infinities(5));
  EXPECT_THAT(file.read_all<double>("lower"), with_infinities(testing::Le(5)));
  EXPECT_THAT(file.read_all<double>("upper"), with_infinities(testing::Ge(5)));
  EXPECT_THAT(file.read_all<std::int32_t>("action"), testing::ElementsAre(0, -1, -1, -1));
  EXPECT_THAT(file.read_all<double>("q"),
              testing::ElementsAre(5, infinity, infinity, testing::IsNan(), testing::IsNan(),
                                   testing::IsNan(), infinity, testing::IsNan()));
  // Both file formats are accepted as initial solutions.
  for (const char* out : {"s.txt", "again.txt"}) {
    const std::string initial = out == std::string("s.txt") ? "s.h5" : "s.txt";
    report({"--minimize", "--initial", initial, "--out", out});
    EXPECT_EQ(text_of(out), "Optimal policy: 0 -1 -1 -1\nOptimal value: 5 inf 0 inf\n");
  }
  // Policies that surely end are requested by name.
  EXPECT_THAT(refused({"research", "solve", "m.json", "--target", "goal", "--out", "n.h5", "-q"}),
              test::has_code("states_without_end"));
  report({"--endings", "sure", "--out", "most.txt"});
  EXPECT_EQ(text_of("most.txt"), "Optimal policy: 0 -1 -1 -1\nOptimal value: 5 -inf 0 -inf\n");
}

TEST_F(SolveCommand, PrintsOnlyAccurateDigits) {
  // The value is 1/3 of 2^-30, with the same relative accuracy as a value near 1.
  write("m.json", R"({"S":34,"A":1,"gamma":1,"format":"CSR",)" + chain_of_halves());
  const std::string report =
      run({"research", "solve", "m.json", "--out", "s.txt", "--backend", "cpu", "-q"}).output;
  EXPECT_THAT(line_of(report, "value"), HasSubstr(" 3.104408582e-10 at state 0"));
  // With a discount, relative accuracy is available on request.
  const std::string discounted = run({"research", "solve", "m.json", "--out", "s.txt", "--backend",
                                      "cpu", "-q", "--gamma", "0.5", "--stop", "relative"})
                                     .output;
  EXPECT_THAT(line_of(discounted, "accuracy"), HasSubstr("of it"));
}

TEST_F(SolveCommand, GammaOverridesTheFile) {
  write("m.json", three_states);
  EXPECT_NEAR(solve({"m.json", "--gamma", "0"}).value[2], 3, 1e-12);
}

TEST_F(SolveCommand, BackwardUsesTheRequestedSteps) {
  write("m.json", three_states);
  const TextSolution solution =
      solve({"m.json", "--method", "backward", "--horizon", "2", "--gamma", "1"});
  EXPECT_NEAR(solution.value[1], 5, 1e-12);
  EXPECT_NEAR(solution.value[2], 5, 1e-12);
  // The values of the last step are 0.5, 2 and 3. In state 0 one action has the value 0.5 + (0.5 +
  // 2) / 2, the other 2.
  EXPECT_NEAR(solution.value[0], 2, 1e-12);
  EXPECT_EQ(solution.policy[0], 1);
}

TEST_F(SolveCommand, ReachesTargetsWithinAHorizon) {
  write("m.json", R"({"S":2,"A":1,"labels":{"goal":[1]},
"P":{"indptr":[0,2,3],"indices":[0,1,1],"data":[0.5,0.5,1]}})");
  for (const char* target : {"goal", "1"}) {
    const auto solution = solve({"m.json", "--goal", "probability", "--target", target, "--method",
                                 "backward", "--horizon", "3"});
    EXPECT_EQ(solution.value[0], 0.875);
  }
}

TEST_F(SolveCommand, RefusesInOneLine) {
  write("m.json", three_states);
  EXPECT_THAT(refused({"research", "solve", "none.json", "--out", "s.txt"}),
              test::has_code("file_missing", "none.json"));
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "s.csv"}),
              test::has_code("solution_ending_unknown", "s.csv"));
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "m.json"}),
              test::has_code("solution_ending_unknown", "m.json"));
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "s.txt", "--gamma", "1", "-q"}),
              test::has_code("states_without_end", "3"));
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "s.txt", "--gamma", "1.5"}),
              test::has_code("gamma_outside_range", "1.5"));
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "s.txt", "--tolerance", "0"}),
              test::has_code("tolerance_invalid"));
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "s.txt", "--method", "guess"}),
              test::has_code("command_line_invalid", "guess"));
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "s.txt", "--goal", "probability"}),
              test::has_code("goal_without_target"));
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "s.txt", "--method", "backward"}),
              test::has_code("horizon_missing"));
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "s.txt", "--threads", "-1"}),
              test::has_code("count_too_small"));
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "s.txt", "--evaluator", "krylov",
                       "--method", "policy-iteration"}),
              test::has_code("evaluator_of_other_method", "krylov"));
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "s.txt", "--evaluator", "cusparse",
                       "--method", "policy-iteration", "--backend", "cpu"}),
              test::has_code("evaluator_without_gpu", "cusparse"));
}

TEST_F(SolveCommand, KeepsForeignFiles) {
  write("m.json", three_states);
  write("notes.txt", "what I must not lose\n");
  write("notes.h5", "what I must not lose\n");
  run({"research", "mdp", "convert", "m.json", "--out", "model.h5", "-q"});
  for (const char* name : {"notes.txt", "notes.h5", "model.h5"}) {
    EXPECT_THAT(refused({"research", "solve", "m.json", "--out", name}),
                test::has_code("output_kind_differs", std::string("--out ") + name));
  }
  // A foreign file with the name of an unfinished solution is not replaced either.
  std::filesystem::copy_file(folder_ / "model.h5", folder_ / "s.unfinished.h5");
  EXPECT_THAT(refused({"research", "solve", "m.json", "--out", "s.txt"}),
              test::has_code("checkpoint_exists", "s.unfinished.h5"));
}

class SolveAMission : public SmallGyreFixture {};

TEST_F(SolveAMission, HasThePlansValues) {
  make_gyre("g.h5");
  write_mission("g.h5", "planned", 2);
  run({"plan", "m.toml", "-q", "--backend", "cpu"});
  run({"research", "build", "m.toml", "--format", "process", "--out", "process.h5", "--backend",
       "cpu", "-q"});
  run({"research", "solve", "process.h5", "--out", "s.h5", "--backend", "cpu", "-q"});
  const auto planned = Hdf5File::open(folder_ / "planned/policy.h5").read_all<double>("value");
  const auto solved = Hdf5File::open(folder_ / "s.h5").read_all<double>("value");
  ASSERT_EQ(solved.size(), planned.size() + 3);
  for (std::size_t s = 0; s < planned.size(); ++s) {
    if (planned[s] == 0) continue;  // in the target
    ASSERT_NEAR(solved[s], planned[s], 2e-4 + 1e-6 * std::abs(planned[s])) << "state " << s;
  }
  run({"research", "build", "m.toml", "--out", "model.h5", "--backend", "cpu", "-q"});
  EXPECT_THAT(refused({"research", "solve", "model.h5", "--out", "s2.h5"}),
              test::has_code("counts_without_rewards"));
  EXPECT_THAT(refused({"research", "build", "m.toml", "--format", "process", "--out", "p2.h5",
                       "--set", "mission.via=[{point = [10.5, 10.5]}]"}),
              test::has_code("process_with_via"));
}

TEST_F(SolveCommand, FailsWhereItDoesNotConverge) {
  write("m.json", three_states);
  const auto result = run_tidewise({"research", "solve", "m.json", "--out", "s.txt", "--method",
                                    "value-iteration", "--max-sweeps", "2", "--backend", "cpu"},
                                   folder_.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.errors, HasSubstr("after 2 sweeps"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s.txt"));
}

TEST_F(SolveCommand, ReportsUnboundedRewards) {
  // State 0 leads to state 1, which stays with reward 1 or ends in state 2.
  write("m.json", R"({"S":3,"A":2,"gamma":1,"format":"CSR",
"P":{"indptr":[0,1,1,2,3,3,3],"indices":[1,1,2],"data":[1,1,1]},
"R":{"indptr":[0,1,1,2,3,3,3],"indices":[1,1,2],"data":[0,1,5]}})");
  for (const char* method : {"fused", "value-iteration", "gauss-seidel", "block-divided",
                             "result-divided", "policy-iteration"}) {
    SCOPED_TRACE(method);
    const auto result = run_tidewise({"research", "solve", "m.json", "--out", "s.txt", "--method",
                                      method, "--backend", "cpu", "-q"},
                                     folder_.path());
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("from state 1 rewards are gained without end"));
    EXPECT_THAT(result.errors, HasSubstr("--gamma below 1"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "s.txt"));
  }
}

TEST_F(SolveCommand, ChoosesAMethodAndReportsTheReason) {
  const auto method_lines = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"research", "solve"});
    for (const char* word : {"--out", "s.h5", "--backend", "cpu"}) words.emplace_back(word);
    const std::string report = run(words).output;
    return line_of(report, "method") + "; " + line_of(report, "auto");
  };
  run({"research", "mdp", "sample", "--world", "random", "--scale", "0.005", "--out", "r.h5",
       "-q"});
  run({"research", "mdp", "gridworld", "--nx", "64", "--out", "g.h5", "-q"});
  const std::string random_lines = method_lines({"r.h5"});
  EXPECT_THAT(random_lines, HasSubstr("inexact-policy-iteration, double"));
  EXPECT_THAT(random_lines, HasSubstr("chose inexact-policy-iteration, since rows are unlike"));
  EXPECT_THAT(method_lines({"g.h5"}), HasSubstr("chose fused, since the same rows recur"));
  // No choice is reported if only one method is possible.
  for (const auto& words : {std::vector<std::string>{"r.h5", "--layout", "rows"},
                            std::vector<std::string>{"r.h5", "--method", "fused"}}) {
    EXPECT_THAT(method_lines(words), HasSubstr("fused, double precision; "));
    EXPECT_THAT(method_lines(words), testing::Not(HasSubstr("chose")));
  }
}

TEST_F(SolveCommand, StepsAreExactButForRounding) {
  write("m.json", three_states);
  const std::string report = run({"research", "solve", "m.json", "--out", "s.h5", "--method",
                                  "backward", "--horizon", "30", "--backend", "cpu"})
                                 .output;
  EXPECT_THAT(report, HasSubstr("exact but for rounding"));
  EXPECT_THAT(report, testing::Not(HasSubstr("residual")));
  const Hdf5File file = Hdf5File::open(folder_ / "s.h5");
  EXPECT_FALSE(file.number_attribute("/", "residual"));
  EXPECT_FALSE(file.number_attribute("/", "error_upper"));
  EXPECT_TRUE(file.number_attribute("/", "rounding"));
}

TEST_F(SolveCommand, MakesWorldsAndSolvesThem) {
  run({"research", "mdp", "gridworld", "--out", "w.h5", "--nx", "20", "--ny", "20", "-q"});
  const TextSolution fused = solve({"w.h5"});
  const TextSolution other = solve({"w.h5", "--method", "gauss-seidel", "--precision", "float"});
  ASSERT_EQ(fused.value.size(), 400u);
  for (std::size_t s = 0; s < 400; ++s) EXPECT_NEAR(fused.value[s], other.value[s], 3e-4);
}

}  // namespace
}  // namespace tidewise::test
