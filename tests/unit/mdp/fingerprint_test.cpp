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
  // The value of an end.
  DecisionProcess<double> end;
  end.state_count = 2;
  end.action_count = 1;
  end.row_begin = {0, 1, 1};
  end.successor = {1};
  end.probability = {1};
  end.reward = {0, 0};
  auto rich = end;
  rich.initial_value = {0, 4};
  EXPECT_NE(fingerprint(end), fingerprint(rich));
  rich.initial_value = {4, 0};
  EXPECT_EQ(fingerprint(end), fingerprint(rich));
}

}  // namespace
}  // namespace tidewise::mdp
