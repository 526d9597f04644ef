#include "planner/run/margin_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/stopwatch.h"
#include "planner/mission/resolve/resolution.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/policy/memory.h"

namespace tidewise {
namespace {

/// Cells' widths. Beyond them nothing was gained, on no ocean that was tried.
constexpr std::array<double, 5> widths{0, 1, 2, 3, 4};
/// Of the policies that are in memory at once [B].
constexpr std::size_t most_memory = std::size_t{2} << 30;

/// A share of the realizations, as an environment of its own.
class Half {
 public:
  Half(const RunRequest& request, std::vector<std::int32_t> realizations)
      : realizations_(std::move(realizations)),
        context_(request, realizations_),
        resolved_(resolve_mission(request, context_.environment())) {}

  /// Plans with these margins.
  std::vector<PolicyMemory> plan(const std::vector<double>& margins, Progress& progress) {
    const std::vector<Mission> missions = with_margins(margins);
    std::vector<PolicyMemory> policies;
    policies.reserve(missions.size());
    std::vector<GroupMember> members;
    members.reserve(missions.size());
    for (const Mission& mission : missions) {
      policies.emplace_back(context_.environment().info().grid, mission.last,
                            std::vector<TimeLevel>{});
      members.push_back({&mission, &policies.back()});
    }
    for (const auto& failure : context_.planner().solve_group(members, progress).failure) {
      if (failure) std::rethrow_exception(failure);
    }
    return policies;
  }

  /// How flights by each of the policies end, in the numbers of the whole's realizations.
  std::vector<std::vector<FlightEnd>> fly(const std::vector<PolicyMemory>& policies,
                                          Progress& progress) {
    const EnvironmentInfo& info = context_.environment().info();
    RolloutOptions options;
    options.threads = context_.backend().threads;
    options.realizations.resize(realizations_.size());
    std::iota(options.realizations.begin(), options.realizations.end(), 0);
    std::vector<FlightMember> members;
    members.reserve(policies.size());
    for (const PolicyMemory& policy : policies) {
      members.push_back({&resolved_.mission, &policy, options});
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

  std::size_t policy_size() const {
    return PolicyMemory::size(context_.environment().info().grid, resolved_.mission.last);
  }

 private:
  std::vector<Mission> with_margins(const std::vector<double>& margins) const {
    std::vector<Mission> missions(margins.size(), resolved_.mission);
    for (std::size_t n = 0; n < margins.size(); ++n) missions[n].margin = margins[n];
    return missions;
  }

  std::vector<std::int32_t> realizations_;
  PlanningContext context_;
  ResolvedMission resolved_;
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

/// Plans in one half with each margin, a few at a time, and flies in the other.
void plan_and_fly(Half& planned, Half& flown, const std::vector<double>& margins,
                  std::vector<std::vector<FlightEnd>>& ends, Progress& progress) {
  const std::size_t at_once = std::max<std::size_t>(1, most_memory / planned.policy_size());
  for (std::size_t begin = 0; begin < margins.size(); begin += at_once) {
    const std::size_t end = std::min(margins.size(), begin + at_once);
    const auto first = margins.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto policies =
        planned.plan({first, margins.begin() + static_cast<std::ptrdiff_t>(end)}, progress);
    const auto found = flown.fly(policies, progress);
    for (std::size_t n = begin; n < end; ++n) {
      ends[n].insert(ends[n].end(), found[n - begin].begin(), found[n - begin].end());
    }
  }
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
  const EnvironmentInfo& info = context.environment().info();
  const Stopwatch choosing;
  MarginsFlown flown;
  flown.asked = true;
  request.planner.margin = 0.0;
  const std::vector<std::int32_t> counting = realizations_that_count(info);
  if (counting.size() < 2) return flown;
  const std::vector<double> margins = candidate_margins(info.grid);
  std::vector<std::vector<FlightEnd>> ends(margins.size());
  {
    Half even(request, every_second(counting, 0));
    Half odd(request, every_second(counting, 1));
    plan_and_fly(even, odd, margins, ends, progress);
    plan_and_fly(odd, even, margins, ends, progress);
  }
  std::size_t best = 0;
  for (std::size_t n = 0; n < margins.size(); ++n) {
    MarginOutcome& outcome = flown.outcome.emplace_back();
    outcome.margin = margins[n];
    outcome.rollout = summarize(ends[n], RolloutMode::continuous, info);
    outcome.gain = gain_over(ends[n], ends[0], info);
    if (outcome.gain.total_reward > flown.outcome[best].gain.total_reward) best = n;
  }
  flown.outcome[best].kept = true;
  request.planner.margin = margins[best];
  flown.seconds = choosing.seconds();
  return flown;
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
