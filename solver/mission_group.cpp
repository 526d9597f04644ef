#include "solver/mission_group.h"

namespace tidewise {

GroupReport solve_one_by_one(const std::vector<GroupMember>& members,
                             const std::function<SolveReport(const GroupMember&)>& solve) {
  GroupReport report;
  for (const GroupMember& member : members) {
    report.failure.emplace_back();
    try {
      const SolveReport one = solve(member);
      report.all.states += one.states;
      report.all.rows += one.rows;
      report.all.transitions += one.transitions;
      report.all.read_seconds += one.read_seconds;
      report.all.solve_seconds += one.solve_seconds;
    } catch (const std::exception&) {
      report.failure.back() = std::current_exception();
    }
  }
  return report;
}

}  // namespace tidewise
