#include "base/error.h"
#include "solver/savings/solve_savings.h"

namespace tidewise {

SavingsSolution solve_savings_on_device(const SavingsProblem& /*problem*/,
                                        const SavingsOptions& /*options*/, Progress& /*progress*/) {
  throw RunError("savings on a device were asked for, but this build has no CUDA; use the CPU");
}

}  // namespace tidewise
