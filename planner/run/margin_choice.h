#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "output/run/summary.h"
#include "planner/backend/planning_context.h"
#include "planner/mission/request.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// Whether flights are to choose the margin of a request (planner.margin = "auto").
bool margin_by_flights(const RunRequest& request);

/// Has the request plan by what that line of the table says.
void keep(const MarginOutcome& outcome, RunRequest& request);

/// Refuses a request whose margin has not been chosen yet. Errors: InputError.
void require_margin(const RunRequest& request);

/// What plans with several margins, and prices of failing, flew to: at the mission's own prices the
/// margins in their order, then at ten times those.
struct MarginsFlown {
  std::vector<MarginOutcome> outcome;
  bool asked = false;  ///< whether flights were to choose
  double seconds = 0;  ///< that choosing took; an equal part of what missions took together
};

/// Has the request keep a margin, where flights are to choose it, and a price of failing, unless it
/// has one. Plans the mission without a margin and with some of one to four cells' width, failing
/// at its own price and at ten times that, by the counts of one half of the realizations (of 2000,
/// where there are more), and flies each plan through the other half, and the reverse, so that no
/// plan flies in what it was made of (docs/trust/persistence.md). Keeps the one whose flights come
/// to the greatest mean total reward, the plainest of equals. Where, of 300 flights or more, none
/// of the plainest plan fails, that is kept, by the first half alone.
/// `context` is of the request. Without a choice, and no outcome: a forecast in which fewer than
/// two realizations count. Errors: those of planning.
MarginsFlown settle_margin(RunRequest& request, PlanningContext& context, Progress& progress);
/// The same for missions that can share their counts, all of which flights are to choose for: as
/// many plans by one pass as memory holds. On an error none has a margin.
std::vector<MarginsFlown> settle_margins(const std::vector<RunRequest*>& requests,
                                         PlanningContext& context, Progress& progress);
/// Tells the summary of it.
void note(const MarginsFlown& margins, RunSummary& summary);

/// What choosing the margins of so many missions that share their counts comes to, at most.
struct ChoiceWork {
  std::int64_t passes = 0;  ///< over all realizations at most, each half counted once for each leg
  std::int64_t plans = 0;   ///< of all legs, by each half
  double memory = 0;        ///< of the host, for policies and flights [B]
};
/// What is greatest of each among missions.
struct MissionSize {
  TimeLevel last = TimeLevel(0);
  std::int64_t legs = 1;
};
ChoiceWork work_of_choice(const EnvironmentInfo& info, const MissionSize& size,
                          std::int64_t missions);

}  // namespace tidewise
