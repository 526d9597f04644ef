#include "app/batch/pass/request.h"

#include "app/batch/pass/progress.h"

namespace tidewise {

std::size_t PassRequest::missions() const {
  std::size_t count = 0;
  for (const auto& solve : solves) count += solve.size();
  return count;
}

std::int64_t PassRequest::work() const {
  return counting_work(levels, solves.size()) + evaluating_work(levels, missions()) +
         static_cast<std::int64_t>(missions()) * flying_work(levels);
}

PassRequest make_pass_request(const CountingPass& pass, const std::vector<BatchMission>& missions,
                              PolicyFiles policies, std::size_t tracks) {
  PassRequest request{{}, pass.levels, policies, tracks, static_cast<std::size_t>(pass.waiting),
                      ""};
  for (const auto& solve : pass.solves) {
    request.solves.emplace_back();
    for (const auto index : solve)
      request.solves.back().push_back({index, missions[index].request});
  }
  return request;
}

}  // namespace tidewise
