// Transfer of a policy to another's cells and levels, and differences between policies.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "base/error.h"
#include "output/magnitude_quantile.h"
#include "output/run/difference_file.h"
#include "output/run/policy_description.h"
#include "output/run/policy_difference.h"
#include "support/backend.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/random_case.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::AllOf;
using testing::ElementsAre;

PolicyFrame frame(const std::string& name, std::int32_t nx, std::int32_t ny, std::int32_t levels) {
  PolicyFrame frame;
  frame.name = name;
  frame.grid = {nx, ny, 0.5, 0.5, 1, 1};
  frame.time = {levels, 0, 1};
  frame.actions = make_actions({1}, 4, frame.grid, frame.time);
  return frame;
}

std::string error_of(const PolicyFrame& a, const PolicyFrame& b) {
  try {
    align_policies(a, b);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(PolicyAlignment, FindsWholeCellsAndSteps) {
  const PolicyFrame a = frame("a", 8, 6, 10);
  PolicyFrame b = frame("b", 4, 3, 12);
  b.grid.x_first = 2.5;  // columns 2 … 5 of a
  b.grid.y_first = 1.5;  // rows 1 … 3
  b.time.first = 6;      // level 0 of b is level 6 of a
  const PolicyAlignment found = align_policies(a, b);
  EXPECT_EQ(found.columns, 2);
  EXPECT_EQ(found.rows, 1);
  EXPECT_EQ(found.levels, 6);
  EXPECT_EQ(found.common_columns, (IndexRange{0, 3}));
  EXPECT_EQ(found.common_rows, (IndexRange{0, 2}));
  EXPECT_EQ(found.common_levels, (IndexRange{0, 2}));  // a decides at levels 0 … 8
  const PolicyAlignment back = align_policies(b, a);
  EXPECT_EQ(back.columns, -2);
  EXPECT_EQ(back.common_columns, (IndexRange{2, 5}));
  EXPECT_EQ(back.common_levels, (IndexRange{6, 8}));
}

TEST(PolicyAlignment, CountsTimesFromTheirOwnDates) {
  PolicyFrame a = frame("a", 4, 4, 10);
  PolicyFrame b = frame("b", 4, 4, 10);
  a.origin = 1000;
  b.origin = 1003;
  b.time.first = -1;  // 1002: level 2 of a
  EXPECT_EQ(align_policies(a, b).levels, 2);
}

TEST(PolicyAlignment, MapsActionsBySpeedAndHeading) {
  const PolicyFrame a = frame("a", 4, 4, 3);
  PolicyFrame b = frame("b", 4, 4, 3);
  b.actions = make_actions({0, 2, 1}, 8, b.grid, b.time);  // drift, then 8 at 2, then 8 at 1
  EXPECT_THAT(align_policies(a, b).action, ElementsAre(9, 11, 13, 15));
  EXPECT_THAT(error_of(b, a), AllOf(test::has_code("actions_differ", "b and a")));
}

/// Profiles correspond by name, in any order.
TEST(PolicyAlignment, MapsProfilesByName) {
  const auto diving = [](const char* name, const std::vector<std::string>& profiles) {
    PolicyFrame result = frame(name, 4, 4, 3);
    result.profiles = profiles;
    result.actions = make_profile_actions(std::vector(profiles.size(), std::vector<double>{1}), 2,
                                          result.grid, result.time);
    return result;
  };
  const PolicyFrame a = diving("a", {"up", "down"});
  EXPECT_THAT(align_policies(a, a).action, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(align_policies(a, diving("b", {"down", "up"})).action, ElementsAre(2, 3, 0, 1));
  const PolicyFrame down = diving("b", {"down"});
  EXPECT_THAT(align_policies(down, a).action, ElementsAre(2, 3));
  EXPECT_THAT(error_of(a, down), test::has_code("profiles_differ", "a and b: profiles"));
  const PolicyFrame unnamed = frame("c", 4, 4, 3);
  EXPECT_THAT(error_of(unnamed, a), test::has_code("profiles_differ", "none of them"));
  EXPECT_THAT(error_of(a, unnamed), test::has_code("profiles_differ", "none"));
  // Both have one velocity, whatever its name.
  EXPECT_THAT(align_policies(down, diving("d", {"up"})).action, ElementsAre(0, 1));
}

TEST(PolicyAlignment, RejectsDisjointPolicies) {
  const PolicyFrame a = frame("a", 4, 4, 5);
  const auto message = [&](const auto& change) {
    PolicyFrame b = frame("b", 4, 4, 5);
    change(b);
    return error_of(a, b);
  };
  using Frame = PolicyFrame;
  EXPECT_THAT(message([](Frame& p) { p.grid.x_first = 0.9; }),
              test::has_code("axes_offset", "a and b: x"));
  EXPECT_THAT(message([](Frame& p) { p.grid.dy = 1.1; }),
              test::has_code("axis_steps_differ", "y: cells"));
  EXPECT_THAT(message([](Frame& p) { p.time.step = 2; }),
              test::has_code("axis_steps_differ", "time: steps"));
  EXPECT_THAT(message([](Frame& p) { p.time.first = 0.5; }), test::has_code("axes_offset"));
  EXPECT_THAT(message([](Frame& p) { p.grid.x_first = 4.5; }), test::has_code("cells_disjoint"));
  EXPECT_THAT(message([](Frame& p) { p.projection = std::string("+proj=stere"); }),
              test::has_code("projections_differ", "projection"));
}

/// Two small policies. A has 3 × 2 cells and 3 levels with decisions; B is a column further east
/// and a level later.
class TwoPolicies : public testing::Test {
 protected:
  TwoPolicies()
      : frame_a_(frame("a", 3, 2, 4)),
        frame_b_(frame("b", 3, 2, 4)),
        a_(frame_a_.grid, TimeLevel(3)),
        b_(frame_b_.grid, TimeLevel(3)) {
    frame_b_.grid.x_first = 1.5;
    frame_b_.time.first = 1;
    std::fill(a_.action.begin(), a_.action.begin() + 18, std::int16_t{0});
    std::fill(b_.action.begin(), b_.action.begin() + 18, std::int16_t{0});
    // At time 1: level 1 of a, level 0 of b. Columns 1, 2 of a are columns 0, 1 of b.
    a_.action[6 + 1] = 0;          // row 0, x = 1.5: east …
    b_.action[0] = 3;              // … becomes south: a turn of −90 degrees
    a_.action[6 + 2] = no_action;  // row 0, x = 2.5: opens
    b_.action[3] = no_action;      // row 1, x = 1.5: closes
    a_.value[6 + 1] = 5;
    b_.value[0] = 3;
    b_.value[4] = 0.5;
    // At time 2: level 2 of a, level 1 of b.
    b_.action[6 + 1] = 2;  // row 0, x = 2.5: about turn
    b_.value[6 + 1] = 0.25;
  }

  PolicyFrame frame_a_;
  PolicyFrame frame_b_;
  PolicyTable a_;
  PolicyTable b_;
};

/// Records the differences that it receives.
struct RecordedDifferences final : DifferenceSink {
  void accept(std::int32_t n, View<const std::uint8_t> s, View<const float> h,
              View<const float> v) override {
    number.push_back(n);
    state.insert(state.end(), s.begin(), s.end());
    heading.insert(heading.end(), h.begin(), h.end());
    value.insert(value.end(), v.begin(), v.end());
  }
  std::vector<int> number;
  std::vector<int> state;
  std::vector<float> heading, value;
};

TEST_F(TwoPolicies, TransferCoversTheOtherPolicysCells) {
  const PolicyAlignment alignment = align_policies(frame_a_, frame_b_);
  const TransferredPolicy transferred(a_, frame_a_.grid, 3, alignment, frame_b_.grid);
  std::vector<std::int16_t> action(6);
  std::vector<float> value(6);
  transferred.read_action(TimeLevel(0), {action.data(), 6});
  EXPECT_THAT(action, ElementsAre(0, -1, -1, 0, 0, -1));  // the last column is outside
  transferred.read_value(TimeLevel(0), {value.data(), 6});
  EXPECT_EQ(value[0], 5);
  EXPECT_TRUE(std::isnan(value[2]));
  EXPECT_TRUE(transferred.holds(TimeLevel(1)));
  EXPECT_FALSE(transferred.holds(TimeLevel(2)));  // level 3 of a, its last
  transferred.read_action(TimeLevel(2), {action.data(), 6});
  EXPECT_THAT(action, testing::Each(no_action));
}

TEST_F(TwoPolicies, MatchAHandCalculation) {
  const PolicyAlignment alignment = align_policies(frame_a_, frame_b_);
  const TransferredPolicy transferred(a_, frame_a_.grid, 3, alignment, frame_b_.grid);
  const PolicyPair pair{transferred, b_, alignment, frame_b_.actions, frame_b_.grid};
  RecordedDifferences recorded;
  SilentProgress progress;
  const PolicyDifference found = compare_policies(pair, &recorded, progress);
  // Four common cells at two common levels, one of which opens and one closes.
  EXPECT_EQ(found.all.states, 6);
  EXPECT_EQ(found.all.changed, 2);
  EXPECT_EQ(found.all.only_first, 1);
  EXPECT_EQ(found.all.only_second, 1);
  EXPECT_NEAR(found.all.mean_heading(), 0.75 * std::numbers::pi, 1e-6);
  EXPECT_NEAR(found.all.heading_greatest, std::numbers::pi, 1e-6);
  EXPECT_NEAR(found.all.mean_value(), (-2 + 0.5 + 0.25) / 6, 1e-6);
  EXPECT_NEAR(found.all.mean_value_magnitude(), 2.75 / 6, 1e-6);
  EXPECT_EQ(found.all.value_greatest, -2);
  EXPECT_EQ(found.all.level, TimeLevel(0));
  EXPECT_EQ(found.all.cell, CellIndex(0));
  EXPECT_EQ(found.value_p95, 2);  // the sixth of six
  ASSERT_EQ(found.levels.size(), 2u);
  EXPECT_EQ(found.levels[0].states, 2);
  EXPECT_EQ(found.levels[0].changed, 1);
  EXPECT_EQ(found.levels[1].states, 4);
  EXPECT_EQ(found.levels[1].value_greatest, 0.25F);
  EXPECT_EQ(found.levels[1].cell, CellIndex(1));
  EXPECT_THAT(recorded.number, ElementsAre(0, 1));
  EXPECT_THAT(recorded.state, ElementsAre(1, 3, 2, 0, 0, 1, 0, 0));
  EXPECT_NEAR(recorded.heading[0], -std::numbers::pi / 2, 1e-6);
  EXPECT_TRUE(std::isnan(recorded.heading[1]));
  EXPECT_EQ(recorded.heading[3], 0);
  EXPECT_THAT(recorded.value[0], -2);
  EXPECT_TRUE(std::isnan(recorded.value[2]));

  const PolicyCoverage coverage = measure_coverage(pair, TimeLevel(0), TimeLevel(3));
  EXPECT_EQ(coverage.states, 17);
  EXPECT_EQ(coverage.out_of_time, 6);
  EXPECT_EQ(coverage.outside, 4);
  EXPECT_EQ(coverage.closed, 1);
  EXPECT_EQ(coverage.missing(), 11);
}

TEST_F(TwoPolicies, RejectsDisjointLevels) {
  frame_b_.time.first = 50;
  const PolicyAlignment alignment = align_policies(frame_a_, frame_b_);
  EXPECT_LT(alignment.common_levels.count(), 1);
  const TransferredPolicy transferred(a_, frame_a_.grid, 3, alignment, frame_b_.grid);
  const PolicyPair pair{transferred, b_, alignment, frame_b_.actions, frame_b_.grid};
  SilentProgress progress;
  const PolicyDifference found = compare_policies(pair, nullptr, progress);
  EXPECT_EQ(found.all.states, 0);
  EXPECT_TRUE(found.levels.empty());
  EXPECT_EQ(measure_coverage(pair, TimeLevel(0), TimeLevel(3)).out_of_time, 17);
}

TEST_F(TwoPolicies, FileHasTheFields) {
  const test::TemporaryFolder folder;
  EnvironmentInfo info = test::plain_info(3, 2, 4);
  info.grid = frame_b_.grid;
  info.time = frame_b_.time;
  info.title = "a gyre";
  {
    PolicyWriter writer(folder / "b.h5", info, frame_b_.actions, "", TimeLevel(3));
    std::vector<std::int16_t> action(6);
    std::vector<float> value(6);
    for (TimeLevel k(0); k.value <= 3; ++k.value) {
      b_.read_action(k, {action.data(), 6});
      b_.read_value(k, {value.data(), 6});
      writer.accept(0, k, {action.data(), 6}, {value.data(), 6});
    }
    writer.finish();
  }
  const PolicyFile b(folder / "b.h5");
  EXPECT_EQ(describe_environment_of(b).title, "a gyre");
  const PolicyAlignment alignment = align_policies(frame_a_, place_of(b, "b"));
  const TransferredPolicy transferred(a_, frame_a_.grid, 3, alignment, b.grid());
  const PolicyPair pair{transferred, b, alignment, b.actions(), b.grid()};
  AtomicFile output(folder / "d.nc");
  DifferenceWriter writer(output, b, alignment, "b less a");
  SilentProgress progress;
  compare_policies(pair, &writer, progress);
  writer.finish();
  EXPECT_FALSE(std::filesystem::exists(folder / "d.nc"));
  output.commit();
  const Hdf5File file = Hdf5File::open(folder / "d.nc");
  EXPECT_THAT(file.read_all<double>("x"), ElementsAre(1.5, 2.5));
  EXPECT_THAT(file.read_all<double>("time"), ElementsAre(1, 2));
  EXPECT_THAT(file.read_all<std::int32_t>("action_changed"), ElementsAre(1, 3, 2, 0, 0, 1, 0, 0));
  const auto value = file.read_all<float>("value_change");
  EXPECT_EQ(value[0], -2);
  EXPECT_TRUE(std::isnan(value[1]));
  EXPECT_EQ(file.text_attribute("heading_change", "units"), "radian");
  EXPECT_EQ(file.text_attribute("/", "Conventions"), "CF-1.9");
}

/// Evaluates a policy on a later, smaller environment.
class Transfer : public testing::TestWithParam<test::Backend> {};

TEST_P(Transfer, IsEvaluatedToTheSameBits) {
  TIDEWISE_REQUIRE_BACKEND(GetParam());
  const test::TemporaryFolder folder;
  EnvironmentInfo info = test::plain_info(16, 14, 9, 2, 40);
  test::write_random_environment(folder / "later.h5", info, 1.2F);
  const EnvironmentReader later(folder / "later.h5");
  PolicyFrame to = frame("later", 16, 14, 9);
  PolicyFrame from = frame("earlier", 20, 16, 10);
  from.grid.x_first = -1.5;  // column 0 of `to` is column 2 of `from`
  from.time.first = -3;      // the nine decisions of `from` end at level 5 of `to`
  to.actions = from.actions = make_actions({0.7, 1.4}, 6, to.grid, to.time);
  const PolicyAlignment alignment = align_policies(from, to);
  EXPECT_EQ(alignment.common_levels, (IndexRange{0, 5}));
  const test::RandomPolicy policy(from.actions.size(), 3);
  const TransferredPolicy transferred(policy, from.grid, 9, alignment, to.grid);
  const Mission mission = test::random_mission(info);
  const ExpectedOutcome found =
      test::evaluate_on(GetParam(), later, {to.actions, mission, test::by_area}, transferred);
  EXPECT_TRUE(
      test::same_bits(found, test::evaluate_on(test::Backend::cpu, later,
                                               {to.actions, mission, test::by_area}, transferred)));
  EXPECT_NEAR(found.arrival_probability + found.obstacle_probability +
                  found.out_of_domain_probability + found.out_of_time_probability +
                  found.without_action_probability + found.out_of_forecast_probability,
              1, 1e-9);
  // Flights that are under way when the old plan ends count as failed, not as out of time.
  EXPECT_EQ(found.out_of_time_probability, 0);
  EXPECT_GT(found.obstacle_probability, 0);
  EXPECT_GT(found.without_action_probability, 0);
}

TEST_P(Transfer, OntoTheSameGridChangesNothing) {
  TIDEWISE_REQUIRE_BACKEND(GetParam());
  const test::TemporaryFolder folder;
  EnvironmentInfo info = test::plain_info(16, 14, 9, 2, 40);
  test::write_random_environment(folder / "e.h5", info, 1.2F);
  const EnvironmentReader environment(folder / "e.h5");
  const PolicyFrame base = frame("own", 16, 14, 9);
  const test::RandomPolicy policy(base.actions.size(), 3);
  const TransferredPolicy transferred(policy, base.grid, 8, align_policies(base, base), base.grid);
  const Mission mission = test::random_mission(info);
  EXPECT_TRUE(test::same_bits(
      test::evaluate_on(GetParam(), environment, {base.actions, mission, test::by_area},
                        transferred),
      test::evaluate_on(GetParam(), environment, {base.actions, mission, test::by_area}, policy)));
}

INSTANTIATE_TEST_SUITE_P(OnBackends, Transfer, testing::ValuesIn(test::all_backends),
                         test::name_of_backend);

TEST(MagnitudeQuantile, MatchesSortedNumbers) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> numbers(2001);
  for (float& value : numbers) value = normal(random);
  numbers[7] = 0;
  numbers[8] = -1e30F;
  for (const double share : {0.0, 0.5, 0.95, 1.0}) {
    MagnitudeQuantile quantile;
    for (const float value : numbers) quantile.count(value);
    quantile.begin_second_pass(share);
    for (const float value : numbers) quantile.refine(value);
    std::vector<float> sorted(numbers.begin(), numbers.end());
    for (float& value : sorted) value = std::abs(value);
    std::sort(sorted.begin(), sorted.end());
    const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(share * 2001)));
    EXPECT_EQ(quantile.result(), sorted[rank - 1]) << share;
  }
  MagnitudeQuantile empty;
  empty.begin_second_pass(0.95);
  EXPECT_EQ(empty.result(), 0);
}

}  // namespace
}  // namespace tidewise
