#include "base/memory/without_cuda.h"

#include "bench/missions/device.h"
#include "bench/planner/device.h"
#include "bench/subdomains/run.h"

namespace tidewise {

double solve_group_on_device(const PlannerProblem&, const std::vector<Action>&,
                             const std::vector<const Mission*>&, Engine,
                             const std::vector<PolicySink*>&) {
  refuse_without_cuda();
}
double solve_on_device(const PlannerProblem&, const std::vector<Action>&, const Mission&, Engine,
                       PolicySink*, KeepRows) {
  refuse_without_cuda();
}
SubdomainRun run_subdomain(const EnvironmentInfo&, const PlanningProblem&,
                           const std::function<LevelView(TimeLevel)>&, const SubdomainWork&,
                           Communicator&, SumUp) {
  refuse_without_cuda();
}

}  // namespace tidewise
