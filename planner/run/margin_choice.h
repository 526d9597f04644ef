#pragma once

#include <vector>

#include "base/progress.h"
#include "output/run/summary.h"
#include "planner/backend/planning_context.h"
#include "planner/mission/request.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// Whether flights are to choose the margin of a request (planner.margin = "auto").
bool margin_by_flights(const RunRequest& request);

/// Refuses a request whose margin flights are to choose and cannot. Errors: InputError for a
/// mission that passes places.
void require_choice(const RunRequest& request);

/// Refuses a request whose margin has not been chosen yet. Errors: InputError.
void require_margin(const RunRequest& request);

/// What plans with several margins flew to, in the order of their margins, and which is kept.
struct MarginsFlown {
  std::vector<MarginOutcome> outcome;
  bool asked = false;  ///< whether flights were to choose
  double kept = 0;     ///< [m or 1]
  double seconds = 0;  ///< that choosing took
};

/// Plans the mission without a margin and with some of one to four cells' width, by the counts of
/// one half of the realizations, and flies each plan through the other half, and the reverse, so
/// that no plan flies in what it was made of (docs/trust/persistence.md). Keeps the one whose
/// flights come to the greatest mean total reward, the least of equals. `context` is of the
/// request. Without a choice, and no outcome: a forecast in which fewer than two realizations
/// count. Errors: those of planning; InputError for a mission that passes places.
MarginsFlown choose_margin(const RunRequest& request, PlanningContext& context, Progress& progress);

/// Has the request keep the margin that flights choose, where they are to. Errors: those of
/// choose_margin().
MarginsFlown settle_margin(RunRequest& request, PlanningContext& context, Progress& progress);
/// Tells the summary of it.
void note(const MarginsFlown& margins, RunSummary& summary);

}  // namespace tidewise
