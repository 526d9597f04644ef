#include "base/kernel/for_each.cuh"
#include "base/memory/stream.h"
#include "mdp/savings/iteration.h"

namespace tidewise::mdp {
namespace {

/// A thread a state.
class OnDevice {
 public:
  template <class Body>
  void operator()(std::size_t count, const Body& body) const {
    constexpr unsigned block_threads = 64;  // bodies are long, and states few
    for_each_on_device(count, body, stream_, block_threads);
  }
  void finish() const { stream_.synchronize(); }

 private:
  DeviceStream stream_;
};

}  // namespace

SavingsSolution solve_savings_on_device(const SavingsProblem& problem,
                                        const SavingsOptions& options, Progress& progress) {
  validate_savings(problem);
  validate_savings_options(options);
  OnDevice launch;
  return SavingsIteration<MemorySpace::device, OnDevice>(problem, options, launch).run(progress);
}

}  // namespace tidewise::mdp
