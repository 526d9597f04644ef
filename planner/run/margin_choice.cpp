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
/// Of the policies and their flights that are in memory at once [B].
constexpr double most_memory = 2.0 * (1u << 30);

/// A mission by its number, and a margin that it is tried with.
struct Candidate {
  std::size_t mission = 0;
  double margin = 0;  ///< [m or 1]
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
      missions_.push_back(resolve_mission(*request, context_.environment()).mission);
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
      missions.push_back(missions_[candidate.mission]);
      missions.back().margin = candidate.margin;
      policies.emplace_back(context_.environment().info().grid, missions.back().last,
                            std::vector<TimeLevel>{});
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
    std::vector<FlightMember> members;
    members.reserve(policies.size());
    for (std::size_t n = 0; n < policies.size(); ++n) {
      members.push_back({&missions_[candidates[n].mission], &policies[n], options});
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
  std::vector<Mission> missions_;
};

/// Those that have a weight.
std::vector<std::int32_t> realizations_that_count(const EnvironmentInfo& info) {
  std::vector<std::int32_t> counting;
  counting.reserve(static_cast<std::size_t>(info.realization_count));
  for (std::int32_t r = 0; r < info.realization_count; ++r) {
    const auto at = static_cast<std::size_t>(r);
    if (info.realization_weight.empty() || info.realization_weight[at] > 0) counting.push_back(r);
  }
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

/// The even and the odd ones of the realizations that count.
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

/// No wider than half of what keeps clear of the border.
std::vector<double> candidate_margins(const Grid& grid) {
  const double cell = std::max(grid.dx, grid.dy);
  const double most = std::min(grid.nx * grid.dx, grid.ny * grid.dy) / 4;
  std::vector<double> margins;
  for (const double width : widths) {
    if (width * cell <= most) margins.push_back(width * cell);
  }
  return margins;
}

/// What a plan and its flights through half of the realizations take [B].
double memory_of_plan(const EnvironmentInfo& info, TimeLevel last) {
  return static_cast<double>(PolicyMemory::size(info.grid, last)) +
         estimate_flight_memory((info.realization_count + 1) / 2, last.value);
}

/// Of the longest mission.
TimeLevel last_level(const Requests& requests, const PlanningContext& context) {
  TimeLevel last(0);
  for (const RunRequest* request : requests) {
    last = std::max(last, resolve_mission(*request, context.environment()).mission.last);
  }
  return last;
}

/// Plans that are in memory at once.
std::size_t plans_at_once(const EnvironmentInfo& info, TimeLevel last) {
  return static_cast<std::size_t>(std::max(1.0, most_memory / memory_of_plan(info, last)));
}

/// Plans for each candidate in one half, so many at a time, and flies in the other, and the
/// reverse. (candidate)
std::vector<std::vector<FlightEnd>> plan_and_fly(Halves& halves, const Candidates& candidates,
                                                 std::size_t at_once, Progress& progress) {
  ChoosingProgress told(progress);
  std::vector<std::vector<FlightEnd>> ends(candidates.size());
  for (std::size_t begin = 0; begin < candidates.size(); begin += at_once) {
    const auto first = candidates.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::size_t count = std::min(at_once, candidates.size() - begin);
    const Candidates some(first, first + static_cast<std::ptrdiff_t>(count));
    for (const std::size_t half : {0u, 1u}) {
      told.begin_half(half);
      const auto policies = halves.open(half).plan(some, told);
      const auto found = halves.open(1 - half).fly(policies, some, told);
      for (std::size_t n = 0; n < count; ++n) {
        std::vector<FlightEnd>& all = ends[begin + n];
        all.insert(all.end(), found[n].begin(), found[n].end());
      }
    }
  }
  return ends;
}

/// What each margin's flights came to, and which is kept; `ends` begins with those of the first.
std::vector<MarginOutcome> compare(const std::vector<double>& margins,
                                   const std::vector<FlightEnd>* ends, const Mission& mission,
                                   const EnvironmentInfo& info) {
  std::vector<MarginOutcome> outcomes(margins.size());
  std::size_t best = 0;
  for (std::size_t n = 0; n < margins.size(); ++n) {
    outcomes[n].margin = margins[n];
    outcomes[n].rollout = summarize(ends[n], RolloutMode::continuous, info);
    note_keeping(ends[n], RolloutMode::continuous, mission, info, outcomes[n].rollout);
    outcomes[n].gain = gain_over(ends[n], ends[0], info);
    if (outcomes[n].gain.total_reward > outcomes[best].gain.total_reward) best = n;
  }
  outcomes[best].kept = true;
  return outcomes;
}

}  // namespace

bool margin_by_flights(const RunRequest& request) {
  return std::holds_alternative<MarginByFlights>(request.planner.margin);
}

void require_choice(const RunRequest& request) {
  if (!margin_by_flights(request) || request.goal.via.empty()) return;
  throw InputError(fmt::format(
      "{}: planner.margin is \"auto\", which is chosen for missions of one leg, and mission.via "
      "is given; give a length",
      request.place("planner.margin")));
}

void require_margin(const RunRequest& request) {
  if (!margin_by_flights(request)) return;
  throw InputError(
      fmt::format("{}: planner.margin is \"auto\", which 'tidewise plan' chooses in one process; "
                  "give a length, such as the one that it keeps",
                  request.place("planner.margin")));
}

MarginsFlown settle_margin(RunRequest& request, PlanningContext& context, Progress& progress) {
  if (!margin_by_flights(request)) return {};
  require_choice(request);
  return std::move(settle_margins({&request}, context, progress).front());
}

std::vector<MarginsFlown> settle_margins(const Requests& requests, PlanningContext& context,
                                         Progress& progress) {
  const EnvironmentInfo& info = context.environment().info();
  const Stopwatch choosing;
  const std::vector<std::int32_t> counting = realizations_that_count(info);
  const bool is_choice = counting.size() >= 2;
  const std::vector<double> margins = is_choice ? candidate_margins(info.grid) : std::vector{0.0};
  std::vector<MarginsFlown> found(requests.size());
  if (is_choice) {
    Candidates candidates;
    for (std::size_t mission = 0; mission < requests.size(); ++mission) {
      for (const double margin : margins) candidates.push_back({mission, margin});
    }
    Halves halves(requests, counting, hold_both(*requests.front(), context));
    const std::size_t at_once = plans_at_once(info, last_level(requests, context));
    const auto ends = plan_and_fly(halves, candidates, at_once, progress);
    for (std::size_t mission = 0; mission < requests.size(); ++mission) {
      const Mission flown = resolve_mission(*requests[mission], context.environment()).mission;
      found[mission].outcome = compare(margins, &ends[mission * margins.size()], flown, info);
    }
  }
  for (std::size_t mission = 0; mission < requests.size(); ++mission) {
    requests[mission]->planner.margin = 0.0;
    for (const MarginOutcome& outcome : found[mission].outcome) {
      if (outcome.kept) requests[mission]->planner.margin = outcome.margin;
    }
    found[mission].asked = true;
    found[mission].seconds = choosing.seconds() / static_cast<double>(requests.size());
  }
  return found;
}

ChoiceWork work_of_choice(const EnvironmentInfo& info, TimeLevel last, std::int64_t missions) {
  const auto plans = missions * static_cast<std::int64_t>(widths.size());
  const auto fitting = static_cast<std::int64_t>(plans_at_once(info, last));
  const std::int64_t at_once = std::clamp<std::int64_t>(plans, 1, fitting);
  return {(plans + at_once - 1) / at_once, plans,
          static_cast<double>(at_once) * memory_of_plan(info, last)};
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
