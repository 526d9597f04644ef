#include "mdp/file/solution.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "base/error.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;

ProcessSolution<double> sample_solution() {
  ProcessSolution<double> solution;
  solution.value = {1.0 / 3, -2, 0, 1e300};
  solution.action = {0, 12, -1, 1};
  solution.outcome = Outcome::limited_by_rounding;
  solution.converged = true;
  solution.sweeps = 17;
  solution.improvements = 3;
  solution.residual = 1e-7;
  solution.bounds = {-1e-6, 2e-6};
  solution.lower = {.3, -2.5, 0, 1e300};
  solution.upper = {.4, -1, 0, 2e300};
  solution.rounding = 1e-15;
  solution.seconds = .5;
  solution.sweep_seconds = .25;
  return solution;
}

StoredSolution from_text(const std::string& text) {
  ByteStream bytes(text, "s.txt");
  return read_solution_text(bytes);
}

TEST(SolutionFile, WritesTwoLinesOfText) {
  const test::TemporaryFolder folder;
  ProcessSolution<float> small;
  small.value = {8, 10.5f, .1f};
  small.action = {0, 1, -1};
  write_solution(folder / "s.txt", small, {});
  std::stringstream text;
  text << std::ifstream(folder / "s.txt").rdbuf();
  EXPECT_EQ(text.str(), "Optimal policy: 0 1 -1\nOptimal value: 8 10.5 0.1\n");
  write_solution(folder / "s.txt", sample_solution(), {});
  const StoredSolution read = read_solution(folder / "s.txt");
  EXPECT_EQ(read.solution.value, sample_solution().value);
  EXPECT_EQ(read.solution.action, sample_solution().action);
}

TEST(SolutionFile, WritesAllFiguresToHdf5) {
  const test::TemporaryFolder folder;
  write_solution(folder / "s.h5", sample_solution(),
                 {"m.json", "fused", "cpu", .9, 1e-4, "a test", "sure"});
  const StoredSolution read = read_solution(folder / "s.h5");
  EXPECT_EQ(read.solution.lower, sample_solution().lower);
  EXPECT_EQ(read.solution.upper, sample_solution().upper);
  EXPECT_EQ(read.origin.policies, "sure");
  EXPECT_EQ(read.solution.value, sample_solution().value);
  EXPECT_EQ(read.solution.action, sample_solution().action);
  EXPECT_TRUE(read.solution.converged);
  EXPECT_EQ(read.solution.outcome, Outcome::limited_by_rounding);
  EXPECT_EQ(read.solution.sweeps, 17);
  EXPECT_EQ(read.solution.improvements, 3);
  EXPECT_EQ(read.solution.residual, 1e-7);
  EXPECT_EQ(read.solution.bounds.lower, -1e-6);
  EXPECT_EQ(read.solution.bounds.upper, 2e-6);
  EXPECT_EQ(read.solution.seconds, .5);
  EXPECT_EQ(read.solution.seconds_per_sweep(), .25 / 17);
  EXPECT_EQ(read.origin.model, "m.json");
  EXPECT_EQ(read.origin.method, "fused");
  EXPECT_EQ(read.origin.backend, "cpu");
  EXPECT_EQ(read.origin.discount, .9);
  EXPECT_EQ(read.origin.tolerance, 1e-4);
  EXPECT_EQ(read.precision, "double");
}

TEST(SolutionFile, OmitsMissingBounds) {
  const test::TemporaryFolder folder;
  auto unbounded = sample_solution();
  unbounded.bounds = {};
  write_solution(folder / "s.h5", unbounded, {});
  EXPECT_EQ(read_solution(folder / "s.h5").solution.bounds.error(),
            std::numeric_limits<double>::infinity());
  EXPECT_THROW(write_solution(folder / "s.csv", unbounded, {}), InputError);
}

TEST(SolutionFile, ReadsUntidyText) {
  const auto read =
      from_text("\xEF\xBB\xBF\r\nOptimal policy:\t1  -1\r\n\r\nOptimal value:2 +3\r\n\n");
  EXPECT_THAT(read.solution.action, ElementsAre(1, -1));
  EXPECT_THAT(read.solution.value, ElementsAre(2, 3));
}

struct BadText {
  const char* name;
  const char* text;
  const char* words;
};
class BadSolutionText : public testing::TestWithParam<BadText> {};
TEST_P(BadSolutionText, IsRefusedWithItsLine) {
  try {
    from_text(GetParam().text);
    FAIL() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code_of(GetParam().words));
  }
}
INSTANTIATE_TEST_SUITE_P(
    All, BadSolutionText,
    testing::Values(
        BadText{"empty", "", "Optimal policy [solution_first_line_differs]"},
        BadText{"other", "S:0:0:0\n", "[solution_first_line_differs]"},
        BadText{"no_value", "Optimal policy: 1\n", "Optimal value [solution_first_line_differs]"},
        BadText{"uneven", "Optimal policy: 1 2\nOptimal value: 1\n", "[solution_lines_differ]"},
        BadText{"half", "Optimal policy: 1.5\nOptimal value: 1\n",
                "line 1: '1.5' [solution_action_invalid]"},
        BadText{"below", "Optimal policy: -2\nOptimal value: 1\n",
                "line 1: '-2' [solution_action_invalid]"},
        BadText{"nan", "Optimal policy: 1\nOptimal value: nan\n",
                "line 2: 'nan' [solution_number_invalid]"},
        BadText{"more", "Optimal policy: 1\nOptimal value: 1\nmore", "[solution_too_long]"},
        BadText{"none", "Optimal policy:\nOptimal value:\n", "[solution_empty]"}),
    [](const auto& bad) { return bad.param.name; });

}  // namespace
}  // namespace tidewise::mdp
