// The interface for C (include/tidewise/mdp.h).
#include <gmock/gmock.h>

#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "mdp/api/named_options.h"
#include "support/temporary_folder.h"
#include "tidewise/mdp.h"

namespace tidewise::mdp {
namespace {

using testing::DoubleNear;
using testing::EndsWith;
using testing::HasSubstr;

using Options = std::unique_ptr<tw_mdp_options, decltype(&tw_mdp_free_options)>;
using Model = std::unique_ptr<tw_mdp_model, decltype(&tw_mdp_free_model)>;
using SolutionHandle = std::unique_ptr<tw_mdp_solution, decltype(&tw_mdp_free_solution)>;

/// State 0 stays with reward 1 or moves to state 1 with reward 4. State 1 stays with reward 2.
class CInterface : public testing::Test {
 protected:
  CInterface() {
    std::ofstream(path_) << R"({"S": 2, "A": 2, "gamma": 0.5, "format": "CSR",
      "P": {"indptr": [0, 1, 2, 3, 3], "indices": [0, 1, 1], "data": [1, 1, 1]},
      "R": {"indptr": [0, 1, 2, 3, 3], "indices": [0, 1, 1], "data": [1, 4, 2]}})";
  }
  void set(const char* name, const char* value) {
    EXPECT_EQ(tw_mdp_set(options_.get(), name, value), TW_MDP_OK) << tw_mdp_error();
  }
  Model read() {
    tw_mdp_model* model = nullptr;
    EXPECT_EQ(tw_mdp_read(path_.c_str(), options_.get(), &model), TW_MDP_OK) << tw_mdp_error();
    return {model, tw_mdp_free_model};
  }
  SolutionHandle solve(const Model& model) {
    tw_mdp_solution* solution = nullptr;
    EXPECT_EQ(tw_mdp_solve(model.get(), options_.get(), &solution), TW_MDP_OK) << tw_mdp_error();
    return {solution, tw_mdp_free_solution};
  }

  const test::TemporaryFolder folder_;
  const std::string path_ = (folder_.path() / "m.json").string();
  const Options options_{tw_mdp_new_options(), tw_mdp_free_options};
};

TEST_F(CInterface, SolvesAFile) {
  set("backend", "cpu");
  set("tolerance", "1e-9");
  const Model model = read();
  EXPECT_EQ(tw_mdp_state_count(model.get()), 2);
  EXPECT_EQ(tw_mdp_action_count(model.get()), 2);
  EXPECT_EQ(tw_mdp_discount(model.get()), 0.5);
  for (const char* method : {"auto", "gauss-seidel", "block-divided", "policy-iteration"}) {
    set("method", method);
    const SolutionHandle solution = solve(model);
    EXPECT_EQ(tw_mdp_outcome_of(solution.get()), TW_MDP_WITHIN_TOLERANCE) << method;
    EXPECT_STREQ(tw_mdp_shortfall(solution.get()), "");
    EXPECT_THAT(tw_mdp_value(solution.get())[0], DoubleNear(6, 1e-9));  // 4 + 2 / (1 - 0.5) / 2
    EXPECT_THAT(tw_mdp_value(solution.get())[1], DoubleNear(4, 1e-9));
    EXPECT_EQ(tw_mdp_policy(solution.get())[0], 1);
    EXPECT_EQ(tw_mdp_policy(solution.get())[1], 0);
    EXPECT_LE(tw_mdp_lower(solution.get())[0], 6);
    EXPECT_GE(tw_mdp_upper(solution.get())[0], 6);
  }
}

TEST_F(CInterface, AppliesReadingOptions) {
  set("backend", "cpu");
  set("gamma", "0");
  set("minimize", "true");
  const SolutionHandle solution = solve(read());
  EXPECT_EQ(tw_mdp_value(solution.get())[0], 1);
  EXPECT_EQ(tw_mdp_policy(solution.get())[0], 0);
}

TEST_F(CInterface, BeginsWithASolution) {
  set("backend", "cpu");
  set("method", "gauss-seidel");
  const Model model = read();
  const SolutionHandle first = solve(model);
  const std::string file = (folder_.path() / "s.h5").string();
  ASSERT_EQ(tw_mdp_write(model.get(), first.get(), file.c_str()), TW_MDP_OK) << tw_mdp_error();
  set("initial", file.c_str());
  EXPECT_LT(tw_mdp_sweeps(solve(model).get()), tw_mdp_sweeps(first.get()));
}

TEST_F(CInterface, ReportsErrorsByThread) {
  tw_mdp_model* model = nullptr;
  EXPECT_EQ(tw_mdp_read("nowhere.json", nullptr, &model), TW_MDP_INPUT_ERROR);
  EXPECT_EQ(model, nullptr);
  EXPECT_THAT(tw_mdp_error(), EndsWith("[file_missing]"));
  std::string other_thread_error = "none";
  std::thread([&] { other_thread_error = tw_mdp_error(); }).join();
  EXPECT_EQ(other_thread_error, "");

  EXPECT_EQ(tw_mdp_set(options_.get(), "methd", "fused"), TW_MDP_INPUT_ERROR);
  EXPECT_THAT(tw_mdp_error(), EndsWith("[solve_option_unknown]"));
  EXPECT_EQ(tw_mdp_set(options_.get(), "max-sweeps", "many"), TW_MDP_INPUT_ERROR);
  EXPECT_THAT(tw_mdp_error(), EndsWith("[solve_option_invalid]"));
  EXPECT_EQ(tw_mdp_set(nullptr, "method", "fused"), TW_MDP_INPUT_ERROR);
  EXPECT_THAT(tw_mdp_error(), EndsWith("[null_pointer]"));
  EXPECT_EQ(tw_mdp_read(nullptr, nullptr, &model), TW_MDP_INPUT_ERROR);
  EXPECT_EQ(tw_mdp_read(path_.c_str(), nullptr, nullptr), TW_MDP_INPUT_ERROR);
}

TEST_F(CInterface, RefusesOptionsOfAnotherMethod) {
  const Model model = read();
  set("method", "gauss-seidel");
  set("block-divided.variant", "both");
  tw_mdp_solution* solution = nullptr;
  EXPECT_EQ(tw_mdp_solve(model.get(), options_.get(), &solution), TW_MDP_INPUT_ERROR);
  EXPECT_EQ(solution, nullptr);
  EXPECT_THAT(tw_mdp_error(),
              AllOf(HasSubstr("block-divided.variant"), EndsWith("[option_of_other_method]")));
}

TEST(NamedOptions, HaveWordsAndDefaults) {
  for (const NamedOption& option : named_options()) {
    NamedRequest request;
    for (const std::string_view word : option.words) {
      EXPECT_EQ(option.take(word, request), "") << option.name << " " << word;
    }
    if (!option.words.empty()) {
      EXPECT_THAT(option.take("no such word", request), HasSubstr("is not one of")) << option.name;
    }
    if (!option.default_value.empty()) {
      EXPECT_EQ(option.take(option.default_value, request), "") << option.name;
    }
  }
}

TEST(NamedOptions, SetTheirMembers) {
  NamedRequest request;
  set_option(request, "stop", "relative");
  set_option(request, "evaluator", "krylov");
  set_option(request, "block-divided.states-per-thread", "9");
  set_option(request, "q-learning.exploration", "0.25");
  set_option(request, "seed", "18446744073709551615");
  EXPECT_EQ(request.solver.stop, StoppingRule::error);
  EXPECT_EQ(request.solver.error_measure, ErrorMeasure::relative);
  EXPECT_EQ(request.solver.evaluator, Evaluator::krylov);
  EXPECT_EQ(request.solver.blocks.states_per_thread, 9);
  EXPECT_EQ(request.solver.q_learning.exploration, 0.25);
  EXPECT_EQ(request.solver.q_learning.seed, 18446744073709551615ULL);
  EXPECT_THROW(set_option(request, "gamma", "0.5", OptionUse::setting), InputError);
}

}  // namespace
}  // namespace tidewise::mdp
