#include "mdp/process/fingerprint.h"

#include <gtest/gtest.h>

#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

TEST(Fingerprint, IsEqualInBothPrecisions) {
  const auto process = test::three_state_process<double>();
  EXPECT_EQ(fingerprint(process).size(), 16u);
  EXPECT_EQ(fingerprint(process), fingerprint(convert<float>(process)));
  auto same = process;
  same.discount = 0.5;
  same.state_names = {"a", "b", "c"};
  same.initial_value = {1, 2, 3};  // ignored, because no state is terminal
  EXPECT_EQ(fingerprint(process), fingerprint(same));
}

TEST(Fingerprint, DiffersForDifferentModels) {
  const auto process = test::three_state_process<double>();
  auto other = process;
  other.reward[0] += 1;
  EXPECT_NE(fingerprint(process), fingerprint(other));
  other = process;
  other.successor[0] = 2;
  EXPECT_NE(fingerprint(process), fingerprint(other));
  other = process;
  other.probability[0] = 0.25;
  EXPECT_NE(fingerprint(process), fingerprint(other));
  // Values of terminal states are included.
  DecisionProcess<double> without_values;
  without_values.state_count = 2;
  without_values.action_count = 1;
  without_values.row_begin = {0, 1, 1};
  without_values.successor = {1};
  without_values.probability = {1};
  without_values.reward = {0, 0};
  auto with_values = without_values;
  with_values.initial_value = {0, 4};
  EXPECT_NE(fingerprint(without_values), fingerprint(with_values));
  with_values.initial_value = {4, 0};
  EXPECT_EQ(fingerprint(without_values), fingerprint(with_values));
}

}  // namespace
}  // namespace tidewise::mdp
