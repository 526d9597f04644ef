#include "solver/missions/group.h"

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

}  // namespace tidewise
