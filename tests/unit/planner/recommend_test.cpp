// Recommendations and their basis.

#include "planner/run/recommend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace tidewise {
namespace {

constexpr double hour = 3600;

PlanCost cost_of(double old_arrival, double old_time, double new_arrival, double new_time) {
  PlanCost cost;
  cost.old.expected.arrival_probability = old_arrival;
  cost.old.expected.time = old_time;
  cost.own.expected.arrival_probability = new_arrival;
  cost.own.expected.time = new_time;
  return cost;
}

/// The cost with ten flights of each plan.
PlanCost flown_cost(std::int64_t old_arrived, std::int64_t new_arrived, bool has_probability) {
  PlanCost cost = cost_of(1, 90 * hour, 1, 90 * hour);
  for (const auto& [plan, arrived] :
       {std::pair(&cost.old, old_arrived), std::pair(&cost.own, new_arrived)}) {
    RolloutStatistics& flown = plan->rollout.emplace();
    flown.trajectories = 10;
    flown.arrival_rate = static_cast<double>(arrived) / 10;
    flown.failures.obstacle = 10 - arrived;
    flown.has_probability = has_probability;
  }
  return cost;
}

TEST(Advice, StaysIfNewPlanGainsNothing) {
  const RunRequest::Goal goal;
  const Advice same = advise(cost_of(1, 100 * hour, 1, 100 * hour), goal, Units::metric);
  EXPECT_EQ(same.plan, Advice::Plan::stay);
  EXPECT_EQ(same.gain, "gains nothing");
  const Advice sooner = advise(cost_of(1, 100 * hour, 1, 96 * hour), goal, Units::metric);
  EXPECT_EQ(sooner.plan, Advice::Plan::change);
  EXPECT_EQ(sooner.gain, "gains 4.0 h");
  const Advice later = advise(cost_of(1, 96 * hour, 1, 100 * hour), goal, Units::metric);
  EXPECT_EQ(later.plan, Advice::Plan::stay);
  EXPECT_EQ(later.gain, "loses 4.0 h");
  const Advice likelier = advise(cost_of(0.8, 90 * hour, 1, 96 * hour), goal, Units::metric);
  EXPECT_EQ(likelier.plan, Advice::Plan::change);
  EXPECT_EQ(likelier.gain, "arrives more often by the model");
  EXPECT_EQ(advise(cost_of(0, 0, 1, 96 * hour), goal, Units::metric).plan, Advice::Plan::change);
  const Advice flown = advise(flown_cost(1, 10, true), goal, Units::metric);
  EXPECT_EQ(flown.plan, Advice::Plan::change);
  EXPECT_EQ(flown.gain, "arrives with 100 % in place of 10 %");
  EXPECT_EQ(advise(flown_cost(1, 10, false), goal, Units::metric).gain,
            "arrives in 10 of 10 simulated missions in place of 1");
  // One flight of ten is noise; the times are equal.
  EXPECT_EQ(advise(flown_cost(9, 10, true), goal, Units::metric).gain, "gains nothing");
  EXPECT_EQ(advise(flown_cost(9, 10, false), goal, Units::metric).plan, Advice::Plan::change);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Advice neither = advise(cost_of(0, nan, 0, nan), goal, Units::metric);
  EXPECT_EQ(neither.plan, Advice::Plan::stay);
  EXPECT_EQ(neither.gain, "never arrives either");
}

TEST(Advice, ComparesEnergyForThatObjective) {
  RunRequest::Goal goal;
  goal.objective = Objective::energy;
  goal.energy.c_t = 2;
  PlanCost cost = cost_of(1, 100, 1, 120);
  cost.old.expected.energy = 9000;
  cost.own.expected.energy = 8000;
  const Advice advice = advise(cost, goal, Units::metric);
  EXPECT_EQ(advice.plan, Advice::Plan::change);
  EXPECT_EQ(advice.gain, "saves 1 kJ of energy");
  std::swap(cost.old.expected.energy, cost.own.expected.energy);
  EXPECT_EQ(advise(cost, goal, Units::metric).gain, "costs 1 kJ of energy");
}

RunSummary summary_of(double expected, std::optional<double> flown) {
  RunSummary summary;
  summary.expected = ExpectedOutcome{.arrival_probability = expected, .time = 90 * hour};
  summary.first_action = FirstAction{0.1, 0.5, 45, {}};
  if (flown) {
    RolloutStatistics& rollout = summary.rollout.emplace();
    rollout.trajectories = 10;
    rollout.arrival_rate = *flown;
    rollout.time.p05 = 80 * hour;
    rollout.time.p50 = 100 * hour;
    rollout.time.p95 = 130 * hour;
    rollout.arrived_by = {{0.5, 110 * hour}, {0.8, 120 * hour}};
  }
  return summary;
}

using enum Recommendation::Action;

TEST(Recommendation, PrefersFlightsToTheModel) {
  const Recommendation found = recommend(summary_of(0.7, 0.9));
  EXPECT_EQ(found.action, go);
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.outlook.basis, Outlook::Basis::flights);
  EXPECT_EQ(found.outlook.chance, 0.9);
  EXPECT_EQ(found.outlook.time, 100 * hour);
  EXPECT_EQ(found.outlook.earlier, 20 * hour);
  EXPECT_EQ(found.outlook.later, 30 * hour);
  EXPECT_EQ(found.outlook.half, 110 * hour);
  const Recommendation by_model = recommend(summary_of(0.7, {}));
  EXPECT_EQ(by_model.outlook.basis, Outlook::Basis::model);
  EXPECT_EQ(by_model.outlook.chance, 0.7);
}

TEST(Recommendation, HasNoProbabilityWithoutForecastError) {
  RunSummary summary = summary_of(0.7, 0.9);
  summary.rollout->failures.obstacle = 1;
  for (const auto uncertainty : {ForecastUncertainty::none, ForecastUncertainty::lagged}) {
    summary.uncertainty = uncertainty;
    const Recommendation found = recommend(summary);
    EXPECT_FALSE(found.outlook.has_probability);
    EXPECT_EQ(found.outlook.arrived, 9);
    EXPECT_EQ(found.note, uncertainty_note(uncertainty));
    EXPECT_FALSE(found.note.empty());
    const nlohmann::ordered_json json = to_json(found)["outlook"];
    EXPECT_EQ(json["arrived"], 9);
    EXPECT_EQ(json["time"], 100 * hour);
    for (const char* key : {"arrival_probability", "earlier", "later", "half"}) {
      EXPECT_FALSE(json.contains(key)) << key;
    }
  }
  summary.uncertainty = ForecastUncertainty::guess;
  EXPECT_TRUE(recommend(summary).outlook.has_probability);
  EXPECT_FALSE(recommend(summary).note.empty());
  for (const auto uncertainty : {ForecastUncertainty::ensemble, ForecastUncertainty::error_model}) {
    summary.uncertainty = uncertainty;
    EXPECT_TRUE(recommend(summary).note.empty());
    EXPECT_EQ(to_json(recommend(summary))["outlook"]["arrival_probability"], 0.9);
  }
}

TEST(Recommendation, AdvisesAgainstDepartureIfNoFlightArrives) {
  const Recommendation found = recommend(summary_of(0.7, 0));
  EXPECT_EQ(found.action, do_not_go);
  EXPECT_FALSE(found.first);
  EXPECT_EQ(recommend(summary_of(0, {})).action, do_not_go);
  EXPECT_EQ(recommend(RunSummary()).action, none);
}

TEST(Recommendation, ReportsThatTheVehicleIsAtItsTarget) {
  RunSummary summary = summary_of(1, 1);
  summary.first_action.reset();
  EXPECT_EQ(recommend(summary).action, at_target);
}

TEST(Recommendation, HasTheOutlookOfTheOldPlanIfThatIsBetter) {
  const RunSummary summary = summary_of(1, {});
  PlanCost worse = cost_of(1, 90 * hour, 1, 100 * hour);
  worse.old.first = FirstAction{2, 0.5, {}, {}};
  const Recommendation stays = recommend(summary, worse, {}, Units::metric);
  EXPECT_EQ(stays.action, stay);
  ASSERT_TRUE(stays.first);
  EXPECT_EQ(stays.first->heading, 2);
  EXPECT_EQ(stays.outlook.time, 90 * hour);
  EXPECT_EQ(stays.gain, "loses 10.0 h");
  const PlanCost better = cost_of(1, 200 * hour, 1, 90 * hour);
  const Recommendation changes = recommend(summary, better, {}, Units::metric);
  EXPECT_EQ(changes.action, change);
  EXPECT_TRUE(changes.first);
  // A vehicle under way is never advised not to go.
  const PlanCost hopeless = cost_of(0, 0, 0, 0);
  EXPECT_EQ(recommend(summary_of(0, {}), hopeless, {}, Units::metric).action, stay);
}

TEST(Recommendation, HasTheMedianOfARehearsal) {
  const Outlook two = rehearsed_outlook({20 * hour, 12 * hour}, 4);
  EXPECT_EQ(two.chance, 0.5);
  EXPECT_EQ(two.time, 12 * hour);
  EXPECT_EQ(two.later, 8 * hour);
  EXPECT_EQ(two.half, 20 * hour);
  EXPECT_TRUE(std::isnan(rehearsed_outlook({20 * hour}, 4).half));
  EXPECT_EQ(rehearsed_outlook({}, 4).chance, 0);
}

}  // namespace
}  // namespace tidewise
