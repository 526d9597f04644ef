#include "app/batch/pass/order.h"

#include "app/batch/pass/progress.h"

namespace tidewise {

std::size_t PassOrder::missions() const {
  std::size_t count = 0;
  for (const auto& solve : solves) count += solve.size();
  return count;
}

std::int64_t PassOrder::work() const {
  return counting_work(levels, solves.size()) + evaluating_work(levels, missions()) +
         static_cast<std::int64_t>(missions()) * flying_work(levels);
}

PassOrder make_order(const CountingPass& pass, const std::vector<BatchMission>& missions,
                     PolicyFiles policies, std::size_t tracks) {
  PassOrder order{{}, pass.levels, policies, tracks, static_cast<std::size_t>(pass.waiting), ""};
  for (const auto& solve : pass.solves) {
    order.solves.emplace_back();
    for (const auto index : solve) order.solves.back().push_back({index, missions[index].request});
  }
  return order;
}

}  // namespace tidewise
