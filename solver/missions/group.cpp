#include "solver/missions/group.h"

#include <deque>

#include "solver/legs/legs.h"

namespace tidewise {

void for_each_member(std::size_t count, std::int32_t threads,
                     const std::function<void(std::size_t)>& work) {
#pragma omp parallel for schedule(static) num_threads(threads) if (count > 1)
  for (std::size_t n = 0; n < count; ++n) work(n);
}

GroupReport solve_one_by_one(const std::vector<GroupMember>& members,
                             const std::function<SolveReport(const GroupMember&)>& solve) {
  GroupReport report;
  for (const GroupMember& member : members) {
    report.failure.emplace_back();
    try {
      report.all += solve(member);
    } catch (const std::exception&) {
      report.failure.back() = std::current_exception();
    }
  }
  return report;
}

GroupReport solve_legs(
    const std::vector<GroupMember>& members,
    const std::function<GroupReport(const std::vector<GroupMember>& legs)>& solve) {
  GroupReport report;
  report.failure.resize(members.size());
  std::deque<LegChain> chains;
  for (const GroupMember& member : members) chains.emplace_back(*member.mission, *member.sink);
  while (true) {
    std::vector<GroupMember> legs;
    std::vector<std::size_t> member_of;
    for (std::size_t m = 0; m < chains.size(); ++m) {
      if (chains[m].solved() || report.failure[m]) continue;
      legs.push_back({&chains[m].mission(), &chains[m].sink()});
      member_of.push_back(m);
    }
    if (legs.empty()) return report;
    const GroupReport solved = solve(legs);
    report.all += solved.all;
    for (std::size_t n = 0; n < legs.size(); ++n) {
      std::exception_ptr& failure = report.failure[member_of[n]];
      failure = solved.failure[n];
      if (failure) continue;
      try {
        chains[member_of[n]].advance();
      } catch (const std::exception&) {
        failure = std::current_exception();
      }
    }
  }
}

}  // namespace tidewise
