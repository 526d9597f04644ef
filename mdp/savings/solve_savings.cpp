#include "mdp/savings/solve_savings.h"

#include <fmt/format.h>

#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/savings/iteration.h"

namespace tidewise::mdp {
namespace {

/// Distributes the states over threads.
class Threads {
 public:
  explicit Threads(std::int32_t threads) : threads_(threads) {}

  template <class Body>
  void operator()(std::size_t count, const Body& body) const {
    const bool worth_sharing = count > 256;  // fewer are done before a thread wakes up
#pragma omp parallel for schedule(static) num_threads(threads_) if (worth_sharing)
    for (std::size_t n = 0; n < count; ++n) body(n);
  }
  void finish() const {}

 private:
  std::int32_t threads_;
};

}  // namespace

void validate_savings_options(const SavingsOptions& options) {
  if (!(options.tolerance > 0)) {
    throw input_error(errors::savings_tolerance_invalid, options.tolerance);
  }
  if (options.steps < 0 || options.follow < 0 || options.max_improvements < 1) {
    throw input_error(errors::savings_options_invalid, options.steps, options.follow,
                      options.max_improvements);
  }
}

void give_up(const SavingsSolution& solution, const SavingsOptions& options) {
  throw RunError(
      fmt::format("the savings problem's value has an error of {} after {} improvements, but {} "
                  "is required; increase the tolerance or the number of improvements",
                  solution.error_bound, solution.improvements, options.tolerance));
}

SavingsSolution solve_savings(const SavingsProblem& problem, const SavingsOptions& options,
                              Progress& progress) {
  validate_savings(problem);
  validate_savings_options(options);
  Threads launch(options.threads);
  return SavingsIteration<MemorySpace::host, Threads>(problem, options, launch).run(progress);
}

}  // namespace tidewise::mdp
