#include "planner/run/margin_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/stopwatch.h"
#include "planner/backend/device_budget.h"
#include "planner/backend/problem_estimate.h"
#include "planner/mission/resolve/resolution.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/policy/memory.h"

namespace tidewise {
namespace {

/// Cells' widths. Beyond them nothing was gained, on no ocean that was tried.
constexpr std::array<double, 5> widths{0, 1, 2, 3, 4};
/// Times the price of failing.
constexpr std::array<double, 2> factors{1, 10};
/// Realizations that choose, both halves together. A half of a thousand has the bins of a whole
/// plan (position_rule()), and tells a loss of one flight in a hundred from none.
constexpr std::size_t most_choosing = 2000;
/// Of the policies and their flights that are in memory at once [B].
constexpr double most_memory = 2.0 * (1u << 30);

/// A mission by its number, and what its plan is tried with.
struct Candidate {
  std::size_t mission = 0;
  double margin = 0;  ///< [m or 1]
  double failure_factor = 1;
};
using Candidates = std::vector<Candidate>;
using Requests = std::vector<RunRequest*>;

/// A share of the realizations, as an environment of its own.
class Half {
 public:
  /// `requests`: that can share their counts.
  Half(const Requests& requests, std::vector<std::int32_t> realizations)
      : realizations_(std::move(realizations)), context_(*requests.front(), realizations_) {
    missions_.reserve(requests.size());
    for (const RunRequest* request : requests) {
      missions_.push_back(resolve_mission(*request, context_.environment()));
    }
  }

  /// A plan for each.
  std::vector<PolicyMemory> plan(const Candidates& candidates, Progress& progress) {
    std::vector<Mission> missions;
    std::vector<PolicyMemory> policies;
    missions.reserve(candidates.size());
    policies.reserve(candidates.size());
    std::vector<GroupMember> members;
    for (const Candidate& candidate : candidates) {
      missions.push_back(missions_[candidate.mission].mission);
      missions.back().margin = candidate.margin;
      missions.back().failure_factor = candidate.failure_factor;
      policies.emplace_back(context_.environment().info().grid, missions.back().last,
                            std::vector{missions.back().departure}, missions.back().via.size() + 1);
      members.push_back({&missions.back(), &policies.back()});
    }
    for (const auto& failure : context_.planner().solve_group(members, progress).failure) {
      if (failure) std::rethrow_exception(failure);
    }
    return policies;
  }

  /// How flights by each of the policies end, in the numbers of the whole's realizations.
  std::vector<std::vector<FlightEnd>> fly(const std::vector<PolicyMemory>& policies,
                                          const Candidates& candidates, Progress& progress) {
    const EnvironmentInfo& info = context_.environment().info();
    RolloutOptions options;
    options.threads = context_.backend().threads;
    options.realizations.resize(realizations_.size());
    std::iota(options.realizations.begin(), options.realizations.end(), 0);
    std::vector<ResolvedMission> missions;  // each from where its policy would start
    std::vector<FlightMember> members;
    missions.reserve(policies.size());
    members.reserve(policies.size());
    for (std::size_t n = 0; n < policies.size(); ++n) {
      missions.push_back(missions_[candidates[n].mission]);
      missions.back().start_best(info.grid, policies[n]);
      members.push_back({&missions.back().mission, &policies[n], options});
    }
    std::vector<std::vector<FlightEnd>> ends;
    ends.reserve(policies.size());
    for (const MemberFlights& flown : context_.planner().fly_group(members, progress)) {
      if (flown.failure) std::rethrow_exception(flown.failure);
      ends.push_back(flight_ends(flown.rollout, info.time));
      for (FlightEnd& end : ends.back()) {
        end.realization = realizations_[static_cast<std::size_t>(end.realization)];
      }
    }
    return ends;
  }

 private:
  std::vector<std::int32_t> realizations_;
  PlanningContext context_;
  std::vector<ResolvedMission> missions_;
};

/// Of those that have a weight, as many as choose, evenly over all.
std::vector<std::int32_t> realizations_that_choose(const EnvironmentInfo& info) {
  std::vector<std::int32_t> counting;
  counting.reserve(static_cast<std::size_t>(info.realization_count));
  for (std::int32_t r = 0; r < info.realization_count; ++r) {
    const auto at = static_cast<std::size_t>(r);
    if (info.realization_weight.empty() || info.realization_weight[at] > 0) counting.push_back(r);
  }
  const std::size_t count = std::min(counting.size(), most_choosing);
  for (std::size_t n = 0; n < count; ++n) counting[n] = counting[n * counting.size() / count];
  counting.resize(count);
  return counting;
}

/// Every second one, from `first` on.
std::vector<std::int32_t> every_second(const std::vector<std::int32_t>& all, std::size_t first) {
  std::vector<std::int32_t> chosen;
  chosen.reserve(all.size() / 2 + 1);
  for (std::size_t n = first; n < all.size(); n += 2) chosen.push_back(all[n]);
  return chosen;
}

/// Whether a GPU's memory holds both halves, all their levels included.
bool hold_both(const RunRequest& request, PlanningContext& context) {
  const Backend& backend = context.backend();
  if (backend.kind == BackendKind::cpu) return true;
  if (request.planner.device_memory) return false;  // which each would take for itself
  const EnvironmentInfo& info = context.environment().info();
  const std::size_t levels =
      static_cast<std::size_t>(info.time.level_count) * device_level_bytes(info);
  return 2 * (levels + least_device_memory(info)) <= backend.device_memory;
}

/// The even and the odd ones of the realizations that choose.
class Halves {
 public:
  /// `both`: whether they may be open at once.
  Halves(const Requests& requests, const std::vector<std::int32_t>& realizations, bool both)
      : requests_(requests), realizations_(realizations), both_(both) {}

  Half& open(std::size_t number) {
    if (!both_) halves_[1 - number].reset();
    std::optional<Half>& half = halves_[number];
    if (!half) half.emplace(requests_, every_second(realizations_, number));
    return *half;
  }

 private:
  const Requests& requests_;
  const std::vector<std::int32_t>& realizations_;
  bool both_;
  std::array<std::optional<Half>, 2> halves_;
};

/// Says of all work that it is part of the choice.
class ChoosingProgress final : public Progress {
 public:
  explicit ChoosingProgress(Progress& progress) : progress_(progress) {}
  void begin_half(std::size_t number) { number_ = number; }
  void begin(std::string_view work, std::int64_t total, std::string_view unit) override {
    progress_.begin(fmt::format("choosing a margin, half {} of 2: {}", number_ + 1, work), total,
                    unit);
  }
  void advance_to(std::int64_t done) override { progress_.advance_to(done); }
  void end() override { progress_.end(); }

 private:
  Progress& progress_;
  std::size_t number_ = 0;
};

/// What a mission's failures cost in its plans. Where arriving is all that counts, no price of
/// failing changes what is best.
std::vector<double> candidate_factors(const RunRequest& request) {
  if (request.planner.failure_factor) return {*request.planner.failure_factor};
  if (request.goal.objective == Objective::arrival) return {factors.front()};
  return {factors.begin(), factors.end()};
}

/// What each mission's plans are tried with, the plainest first. No margin is wider than half of
/// what keeps clear of the border.
Candidates candidates_of(const Requests& requests, const Grid& grid) {
  const double cell = std::max(grid.dx, grid.dy);
  const double most = std::min(grid.nx * grid.dx, grid.ny * grid.dy) / 4;
  Candidates candidates;
  for (std::size_t mission = 0; mission < requests.size(); ++mission) {
    for (const double factor : candidate_factors(*requests[mission])) {
      for (const double width : widths) {
        if (width * cell <= most) candidates.push_back({mission, width * cell, factor});
      }
    }
  }
  return candidates;
}

/// How many realizations choose, at most.
std::int64_t choosing_count(const EnvironmentInfo& info) {
  return std::min<std::int64_t>(info.realization_count, most_choosing);
}

/// What a plan and its flights through one half take [B].
double memory_of_plan(const EnvironmentInfo& info, const MissionSize& size) {
  return static_cast<double>(size.legs) *
             static_cast<double>(PolicyMemory::size(info.grid, size.last)) +
         estimate_flight_memory((choosing_count(info) + 1) / 2, size.last.value);
}

/// The longest and that of the most legs.
MissionSize greatest_of(const Requests& requests, const PlanningContext& context) {
  MissionSize size;
  for (const RunRequest* request : requests) {
    const TimeLevel last = resolve_mission(*request, context.environment()).mission.last;
    size.last = std::max(size.last, last);
    size.legs = std::max(size.legs, static_cast<std::int64_t>(request->goal.via.size()) + 1);
  }
  return size;
}

/// Plans that are in memory at once.
std::size_t plans_at_once(const EnvironmentInfo& info, const MissionSize& size) {
  return static_cast<std::size_t>(std::max(1.0, most_memory / memory_of_plan(info, size)));
}

/// The first of a mission's candidates.
std::size_t first_of(std::size_t mission, const Candidates& candidates) {
  const auto first = std::find_if(candidates.begin(), candidates.end(), [&](const auto& candidate) {
    return candidate.mission == mission;
  });
  return static_cast<std::size_t>(first - candidates.begin());
}

/// Plans for the candidates in one half, so many at a time, and flies in the other. `ends`: those
/// of their flights, after those that are there. (candidate)
void plan_and_fly(Halves& halves, std::size_t half, const std::vector<std::size_t>& chosen,
                  const Candidates& candidates, std::size_t at_once, Progress& progress,
                  std::vector<std::vector<FlightEnd>>& ends) {
  for (std::size_t begin = 0; begin < chosen.size(); begin += at_once) {
    const std::size_t count = std::min(at_once, chosen.size() - begin);
    Candidates some;
    for (std::size_t n = 0; n < count; ++n) some.push_back(candidates[chosen[begin + n]]);
    const auto policies = halves.open(half).plan(some, progress);
    const auto found = halves.open(1 - half).fly(policies, some, progress);
    for (std::size_t n = 0; n < count; ++n) {
      std::vector<FlightEnd>& all = ends[chosen[begin + n]];
      all.insert(all.end(), found[n].begin(), found[n].end());
    }
  }
}

/// Whether there is something to win back: some of these flights fail.
bool any_fails(const std::vector<FlightEnd>& flights, bool arrives) {
  return std::any_of(flights.begin(), flights.end(), [&](const FlightEnd& end) {
    return end.outcome == TrajectoryOutcome::obstacle ||
           end.outcome == TrajectoryOutcome::out_of_domain ||
           end.outcome == TrajectoryOutcome::out_of_forecast ||
           (arrives && end.outcome == TrajectoryOutcome::out_of_time);
  });
}

/// By the first half for all, and the reverse for missions in which there may be something to win
/// back: if none of 300 flights fails, fewer than one in a hundred do (as sure as 95 %).
/// (candidate)
std::vector<std::vector<FlightEnd>> plan_and_fly(Halves& halves, const Requests& requests,
                                                 const Candidates& candidates, std::size_t at_once,
                                                 Progress& progress) {
  ChoosingProgress told(progress);
  std::vector<std::vector<FlightEnd>> ends(candidates.size());
  std::vector<std::size_t> chosen(candidates.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  told.begin_half(0);
  plan_and_fly(halves, 0, chosen, candidates, at_once, told, ends);
  std::erase_if(chosen, [&](std::size_t n) {
    const std::size_t mission = candidates[n].mission;
    const std::vector<FlightEnd>& plainest = ends[first_of(mission, candidates)];
    return plainest.size() >= 300 &&
           !any_fails(plainest, !keeps(requests[mission]->goal.objective));
  });
  told.begin_half(1);
  plan_and_fly(halves, 1, chosen, candidates, at_once, told, ends);
  return ends;
}

/// What the flights of a mission's candidates came to, and which is kept.
std::vector<MarginOutcome> compare(std::size_t number, const Mission& mission,
                                   const Candidates& candidates,
                                   const std::vector<std::vector<FlightEnd>>& ends,
                                   const EnvironmentInfo& info) {
  const std::size_t first = first_of(number, candidates);
  std::vector<MarginOutcome> outcomes;
  std::size_t best = 0;
  for (std::size_t n = first; n < candidates.size() && candidates[n].mission == number; ++n) {
    MarginOutcome outcome{candidates[n].margin, candidates[n].failure_factor,
                          summarize(ends[n], RolloutMode::continuous, info),
                          gain_over(ends[n], ends[first], info)};
    note_keeping(ends[n], RolloutMode::continuous, mission, info, outcome.rollout);
    outcomes.push_back(std::move(outcome));
    if (outcomes.back().gain.total_reward > outcomes[best].gain.total_reward) best = n - first;
  }
  // Otherwise what the others gain is noise: means of few flights that differ in minutes.
  if (!any_fails(ends[first], !mission.kept)) best = 0;
  outcomes[best].kept = true;
  return outcomes;
}

}  // namespace

bool margin_by_flights(const RunRequest& request) {
  return std::holds_alternative<MarginByFlights>(request.planner.margin);
}

void keep(const MarginOutcome& outcome, RunRequest& request) {
  request.planner.margin = outcome.margin;
  request.planner.failure_factor = outcome.failure_factor;
}

void require_margin(const RunRequest& request) {
  if (!margin_by_flights(request)) return;
  throw InputError(
      fmt::format("{}: planner.margin is \"auto\", which 'tidewise plan' chooses; give a length, "
                  "such as the one that it keeps",
                  request.place("planner.margin")));
}

MarginsFlown settle_margin(RunRequest& request, PlanningContext& context, Progress& progress) {
  if (!margin_by_flights(request)) return {};
  return std::move(settle_margins({&request}, context, progress).front());
}

std::vector<MarginsFlown> settle_margins(const Requests& requests, PlanningContext& context,
                                         Progress& progress) {
  const EnvironmentInfo& info = context.environment().info();
  const Stopwatch choosing;
  const std::vector<std::int32_t> choosing_by = realizations_that_choose(info);
  std::vector<MarginsFlown> found(requests.size());
  if (choosing_by.size() >= 2) {
    const Candidates candidates = candidates_of(requests, info.grid);
    Halves halves(requests, choosing_by, hold_both(*requests.front(), context));
    const std::size_t at_once = plans_at_once(info, greatest_of(requests, context));
    const auto ends = plan_and_fly(halves, requests, candidates, at_once, progress);
    for (std::size_t mission = 0; mission < requests.size(); ++mission) {
      const Mission flown = resolve_mission(*requests[mission], context.environment()).mission;
      found[mission].outcome = compare(mission, flown, candidates, ends, info);
    }
  }
  for (std::size_t mission = 0; mission < requests.size(); ++mission) {
    requests[mission]->planner.margin = 0.0;
    for (const MarginOutcome& outcome : found[mission].outcome) {
      if (outcome.kept) keep(outcome, *requests[mission]);
    }
    found[mission].asked = true;
    found[mission].seconds = choosing.seconds() / static_cast<double>(requests.size());
  }
  return found;
}

ChoiceWork work_of_choice(const EnvironmentInfo& info, const MissionSize& size,
                          std::int64_t missions) {
  const auto plans = missions * static_cast<std::int64_t>(widths.size() * factors.size());
  const auto fitting = static_cast<std::int64_t>(plans_at_once(info, size));
  const std::int64_t at_once = std::clamp<std::int64_t>(plans, 1, fitting);
  return {(plans + at_once - 1) / at_once * size.legs, plans * size.legs,
          static_cast<double>(at_once) * memory_of_plan(info, size)};
}

void note(const MarginsFlown& margins, RunSummary& summary) {
  summary.margins = margins.outcome;
  summary.seconds.choose = margins.seconds;
  if (margins.asked && margins.outcome.empty()) {
    summary.notes.emplace_back(
        "planner.margin = \"auto\" has one realization to choose by, so that there is no choice: "
        "planned without a margin");
  }
}

}  // namespace tidewise
