#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "solver/evaluate/group_evaluation.h"

namespace tidewise {

/// Members of a group or slice.
using EvaluationMembers = View<const EvaluationMember>;

/// The levels from the first departure to the last end of some members.
struct LevelSpan {
  /// The span of these members. Requires at least one.
  explicit LevelSpan(EvaluationMembers members)
      : first(members[0].mission->departure), last(members[0].mission->last) {
    for (const EvaluationMember& member : members) {
      first = std::min(first, member.mission->departure);
      last = std::max(last, member.mission->last);
    }
  }
  /// Number of steps between them.
  std::int32_t steps() const { return last.value - first.value; }

  TimeLevel first;
  TimeLevel last;
};

/// Number of legs of the member's mission.
inline std::size_t leg_count(const EvaluationMember& member) {
  return member.mission->via.size() + 1;
}

/// Maximum number of fronts of probability mass of a member whose vehicle has `actions` actions:
/// one for each leg, and for each action of a leg if the mission holds actions.
inline std::size_t front_count(const EvaluationMember& member, std::size_t actions) {
  return leg_count(member) * (member.mission->decisions.hold() ? actions + 1 : 1);
}

/// Splits members into slices of consecutive members with at most `max_fronts` fronts each. A
/// member with more fronts has its own slice.
inline std::vector<EvaluationMembers> slice(EvaluationMembers members, std::size_t max_fronts,
                                            std::size_t actions) {
  std::vector<EvaluationMembers> slices;
  std::size_t first = 0;
  std::size_t fronts = 0;
  for (std::size_t m = 0; m < members.size; ++m) {
    const std::size_t member_fronts = front_count(members[m], actions);
    if (m > first && fronts + member_fronts > max_fronts) {
      slices.push_back(members.part(first, m - first));
      first = m;
      fronts = 0;
    }
    fronts += member_fronts;
  }
  if (first < members.size) slices.push_back(members.part(first, members.size - first));
  return slices;
}

/// Evaluates every slice by evaluate(slice, advanced), which reports its progress by
/// advanced(completed steps).
template <class Evaluate>
std::vector<MemberOutcome> evaluate_slices(const std::vector<EvaluationMembers>& slices,
                                           Progress& progress, const Evaluate& evaluate) {
  std::int64_t steps = 0;
  for (const EvaluationMembers part : slices) steps += LevelSpan(part).steps();
  const bool is_single = slices.size() == 1 && slices.front().size == 1;
  progress.begin(is_single ? "evaluating the policy" : "evaluating the policies", steps, "levels");
  std::vector<MemberOutcome> outcomes;
  std::int64_t done = 0;
  for (const EvaluationMembers part : slices) {
    for (MemberOutcome& outcome : evaluate(
             part, [&](std::int32_t slice_steps) { progress.advance_to(done + slice_steps); })) {
      outcomes.push_back(std::move(outcome));
    }
    done += LevelSpan(part).steps();
  }
  progress.end();
  return outcomes;
}

}  // namespace tidewise
