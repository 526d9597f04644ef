#include "base/memory/without_cuda.h"
#include "solver/savings/solve_savings.h"

namespace tidewise {

SavingsSolution solve_savings_on_device(const SavingsProblem& /*problem*/,
                                        const SavingsOptions& /*options*/, Progress& /*progress*/) {
  refuse_without_cuda();
}

}  // namespace tidewise
