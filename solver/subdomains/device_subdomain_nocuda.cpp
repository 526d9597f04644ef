#include "base/error.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/device_subdomain.h"

namespace tidewise {
namespace {
[[noreturn]] void refuse() {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}
}  // namespace

std::int64_t agreements_of_a_subdomain(TimeLevel /*last*/) { refuse(); }

SubdomainReport solve_subdomain_on_device(DeviceEnvironment& /*environment*/,
                                          const PlanningProblem& /*problem*/, Engine /*engine*/,
                                          DeviceHaloExchange& /*exchange*/, SubdomainHost& /*host*/,
                                          Progress& /*progress*/) {
  refuse();
}

}  // namespace tidewise
