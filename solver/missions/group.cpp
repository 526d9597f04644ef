#include "solver/missions/group.h"

namespace tidewise {

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

}  // namespace tidewise
