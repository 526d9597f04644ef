#include "mdp/process/decision_process.h"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <vector>

#include "base/error.h"
#include "mdp/backup/bellman.h"
#include "mdp/process/row_writer.h"
#include "mdp/process/value_bounds.h"
#include "support/error_code.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_message(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(DecisionProcess, AcceptsAValidProcess) {
  EXPECT_NO_THROW(require_sound(test::three_state_process<double>(), "m"));
  EXPECT_NO_THROW(require_sound(test::four_cell_world<float>(), "m"));
  EXPECT_NO_THROW(require_sound(test::make_process<float>({}), "m"));
}

struct Fault {
  const char* name;
  std::function<void(DecisionProcess<double>&)> break_it;
  const char* words;
};

class BrokenProcess : public testing::TestWithParam<Fault> {};

TEST_P(BrokenProcess, IsRefusedWithStateAndAction) {
  auto process = test::three_state_process<double>();
  GetParam().break_it(process);
  const std::string message = error_message([&] { require_sound(process, "m.json"); });
  EXPECT_THAT(message, HasSubstr("m.json: "));
  EXPECT_THAT(message, test::has_code_of(GetParam().words));
}

using Process = DecisionProcess<double>;
INSTANTIATE_TEST_SUITE_P(
    All, BrokenProcess,
    testing::Values(
        Fault{"sum", [](Process& p) { p.probability[4] = .2; },
              "its probabilities sum to 0.9 [row_invalid]"},
        Fault{"negative", [](Process& p) { p.probability[0] = -.5; },
              "state 0 has the probability [row_invalid]"},
        Fault{"nan", [](Process& p) { p.probability[0] = NAN; },
              "state 0 has the probability nan [row_invalid]"},
        Fault{"beyond", [](Process& p) { p.successor[3] = 3; },
              "leads to state 3, but there are 3 [row_invalid]"},
        Fault{"below", [](Process& p) { p.successor[3] = -1; }, "leads to state -1 [row_invalid]"},
        Fault{"twice", [](Process& p) { p.successor[1] = 0; },
              "state 0 comes after state 0 [row_invalid]"},
        Fault{"reward", [](Process& p) { p.reward[2] = INFINITY; },
              "its reward is inf [row_invalid]"},
        Fault{"descending", [](Process& p) { p.row_begin[2] = 9; },
              "its entries lead from [row_invalid]"},
        Fault{"short", [](Process& p) { p.row_begin.own().pop_back(); },
              "6 [process_row_starts_length]"},
        Fault{"discount", [](Process& p) { p.discount = 1.1; }, "1.1 [discount_invalid]"},
        Fault{"initial", [](Process& p) { p.initial_state = 3; },
              "3 [process_initial_state_outside]"},
        Fault{"empty", [](Process& p) { p.state_count = 0; }, "[process_without_state]"}),
    [](const auto& fault) { return fault.param.name; });

TEST(RowWriter, MergesTransitionsToOneState) {
  RowWriter<double> writer(3, 2, true);
  std::vector<Transition> row{{2, .25, 4}, {0, .5, 2}, {2, .25, 8}, {1, 0, 100}};
  EXPECT_EQ(writer.add_row(row, 1), "");
  const auto process = writer.finish();
  EXPECT_THAT(process.successor, ElementsAre(0, 2));
  EXPECT_THAT(process.probability, ElementsAre(.5, .5));
  EXPECT_THAT(process.entry_reward, ElementsAre(2, 6));
  EXPECT_EQ(process.reward[0], 1 + .5 * 2 + .5 * 6);
  EXPECT_THAT(process.row_begin, ElementsAre(0, 2, 2, 2, 2, 2, 2));
  EXPECT_TRUE(process.is_terminal(1));
  EXPECT_FALSE(process.is_terminal(0));
  EXPECT_NO_THROW(require_sound(process, "m"));
}

TEST(RowWriter, ReportsTheFaultOfARow) {
  RowWriter<float> writer(3, 2);
  std::vector<Transition> short_row{{0, .5, 0}, {1, .4, 0}};
  EXPECT_EQ(writer.add_row(short_row), "its probabilities sum to 0.9; they must sum to 1");
  std::vector<Transition> beyond{{7, 1, 0}};
  EXPECT_EQ(writer.add_row(beyond), "it leads to state 7, but there are 3");
}

TEST(Bellman, MatchesAHandCalculation) {
  const auto process = test::three_state_process<double>();
  const double value[] = {1, 2, 4};
  const ProcessView<double> view = view_of(process);
  EXPECT_DOUBLE_EQ(row_value(view, value, 0), .5 + .9 * 1.5);
  const BestAction<double> best = best_action(view, value, 1);
  EXPECT_EQ(best.action, 0);
  EXPECT_DOUBLE_EQ(best.value, 2 + .9 * 4);
}

TEST(Bellman, PrefersTheLowestActionInATie) {
  const auto process = test::four_cell_world<float>();
  const float value[] = {8, 10, 10, 0};
  const BestAction<float> best = best_action(view_of(process), value, 0);
  EXPECT_EQ(best.action, 0);
  EXPECT_EQ(best.value, 8);
  EXPECT_EQ(best_action(view_of(process), value, 3).action, -1);
}

TEST(ValueBounds, ContainTheOptimum) {
  const auto process = test::make_process<double>({.seed = 4});
  const auto optimum = test::reference_values(process);
  std::vector<double> value(optimum.size(), 0);
  for (int sweep = 0; sweep < 30; ++sweep) {
    ValueChange change;
    std::vector<double> next(value.size());
    for (std::int32_t s = 0; s < process.state_count; ++s) {
      next[std::size_t(s)] = best_action(view_of(process), value.data(), s).value;
      change.include(next[std::size_t(s)] - value[std::size_t(s)]);
    }
    value = next;
    const ErrorBounds bounds = bounds_after(change, process.discount);
    for (std::size_t s = 0; s < value.size(); ++s) {
      EXPECT_GE(optimum[s] - value[s], bounds.lower - 1e-12);
      EXPECT_LE(optimum[s] - value[s], bounds.upper + 1e-12);
    }
  }
}

TEST(Reference, MatchesAHandCalculation) {
  EXPECT_THAT(test::reference_values(test::four_cell_world<double>()),
              ElementsAre(testing::DoubleNear(8, 1e-12), testing::DoubleNear(10, 1e-12),
                          testing::DoubleNear(10, 1e-12), 0));
}

TEST(ScaleRows, DividesRowsThatDoNotSumToOne) {
  const auto owner = std::make_shared<int>();
  const auto borrowed = [&](const std::vector<double>& probability) {
    DecisionProcess<double> process;
    process.state_count = 2;
    process.action_count = 1;
    process.row_begin = {0, 2, 3};
    process.successor = {0, 1, 1};
    process.probability = BorrowableArray<double>(View<const double>(probability), owner);
    process.reward = {0, 0};
    return process;
  };
  // The first sum differs from 1 only by rounding, so nothing is copied.
  const std::vector<double> rounded{.1 + .2, .7, 1};
  auto process = borrowed(rounded);
  scale_rows(process);
  EXPECT_TRUE(process.probability.is_borrowed());
  EXPECT_EQ(process.scaled.count, 0);
  const std::vector<double> digits{.333333, .666666, 1};
  process = borrowed(digits);
  scale_rows(process);
  EXPECT_FALSE(process.probability.is_borrowed());
  EXPECT_EQ(process.scaled.count, 1);
  EXPECT_NEAR(process.scaled.max, 1e-6, 1e-15);
  EXPECT_DOUBLE_EQ(process.probability[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(process.probability[1], 2.0 / 3);
  EXPECT_EQ(process.probability[2], 1);
  EXPECT_EQ(digits[0], .333333);
  // Rounding to single precision is not a lack of digits.
  auto single = convert<float>(borrowed({1 - 1e-9, 1e-9, 1}));
  scale_rows(single);
  EXPECT_EQ(single.scaled.count, 0);
}

}  // namespace
}  // namespace tidewise::mdp
