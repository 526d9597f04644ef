#include "base/memory/without_cuda.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/device_subdomain.h"

namespace tidewise {

std::int64_t agreements_of_a_subdomain(TimeLevel /*last*/) { refuse_without_cuda(); }

SubdomainReport solve_subdomain_on_device(DeviceEnvironment& /*environment*/,
                                          const PlanningProblem& /*problem*/, Engine /*engine*/,
                                          DeviceHaloExchange& /*exchange*/, SubdomainHost& /*host*/,
                                          Progress& /*progress*/) {
  refuse_without_cuda();
}

}  // namespace tidewise
