#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "solver/evaluate/group_evaluation.h"

namespace tidewise {

using EvaluationMembers = View<const EvaluationMember>;

/// The levels that some members need.
struct LevelSpan {
  explicit LevelSpan(EvaluationMembers members)
      : first(members[0].mission->departure), last(members[0].mission->last) {
    for (const EvaluationMember& member : members) {
      first = std::min(first, member.mission->departure);
      last = std::max(last, member.mission->last);
    }
  }
  std::int32_t steps() const { return last.value - first.value; }

  TimeLevel first;
  TimeLevel last;
};

inline std::size_t leg_count(const EvaluationMember& member) {
  return member.mission->via.size() + 1;
}

/// Consecutive members, as many together as have so many legs between them; one at least.
inline std::vector<EvaluationMembers> slice(EvaluationMembers members, std::size_t most_legs) {
  std::vector<EvaluationMembers> slices;
  std::size_t first = 0;
  std::size_t legs = 0;
  for (std::size_t m = 0; m < members.size; ++m) {
    if (m > first && legs + leg_count(members[m]) > most_legs) {
      slices.push_back(members.part(first, m - first));
      first = m;
      legs = 0;
    }
    legs += leg_count(members[m]);
  }
  if (first < members.size) slices.push_back(members.part(first, members.size - first));
  return slices;
}

/// Every slice's members evaluated by evaluate(slice, advanced), which calls advanced(steps behind
/// it) as it goes.
template <class Evaluate>
std::vector<MemberOutcome> evaluate_slices(const std::vector<EvaluationMembers>& slices,
                                           Progress& progress, const Evaluate& evaluate) {
  std::int64_t steps = 0;
  for (const EvaluationMembers part : slices) steps += LevelSpan(part).steps();
  const bool one = slices.size() == 1 && slices.front().size == 1;
  progress.begin(one ? "evaluating the policy" : "evaluating the policies", steps, "levels");
  std::vector<MemberOutcome> outcomes;
  std::int64_t done = 0;
  for (const EvaluationMembers part : slices) {
    for (MemberOutcome& outcome :
         evaluate(part, [&](std::int32_t of_slice) { progress.advance_to(done + of_slice); })) {
      outcomes.push_back(std::move(outcome));
    }
    done += LevelSpan(part).steps();
  }
  progress.end();
  return outcomes;
}

}  // namespace tidewise
