#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "output/run/recommendation.h"
#include "output/run/summary.h"
#include "planner/mission/request.h"
#include "planner/run/comparison.h"

namespace tidewise {

/// Returns flights whose 90 % window of arrival times is stretched about the median by the
/// calibration, but not before the departure.
RolloutStatistics with_window(RolloutStatistics flown, const WindowCalibration& calibration);

/// Returns the outlook of flights. `calibration`: that of the 90 % window.
Outlook outlook_of(const RolloutStatistics& flown,
                   const std::optional<WindowCalibration>& calibration = {});
/// Returns the outlook of a model estimate: the mean time, without a window.
Outlook outlook_of(const ExpectedOutcome& expected);
/// Returns the outlook of `flights` flights through the forecast's own files. `times`: durations of
/// those that arrive [s].
Outlook rehearsed_outlook(std::vector<double> times, std::int64_t flights);

/// The choice between an old plan and a plan made for the second run's forecast.
struct Advice {
  enum class Plan { stay, change } plan = Plan::stay;
  std::string gain;  ///< "gains 4.0 h", "arrives with 92 % in place of 80 %"
};
/// Compares both plans in that forecast: by their flights if both have flights, else by the model.
Advice advise(const PlanCost& cost, const RunRequest::Goal& goal, Units units);

/// The comparability of two runs and, if they are comparable, the plan to follow.
struct PlanChoice {
  enum class Kind { no_cost, two_targets, begins_later, two_objectives, advised } kind;
  Advice advice = {};  ///< set if `advised`
};
/// Chooses between the plans of two compared runs.
PlanChoice choose_plan(const RunComparison& comparison, const ComparedRun& first,
                       const ComparedRun& second);

/// Returns the recommendation of a run by its summary. If a vehicle follows an old plan already,
/// `cost` compares the new plan with it, and the outlook is that of the recommended plan.
Recommendation recommend(const RunSummary& summary);
Recommendation recommend(const RunSummary& summary, const PlanCost& cost,
                         const RunRequest::Goal& goal, Units units);

}  // namespace tidewise
