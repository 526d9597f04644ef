#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/kernel/for_each.cuh"
#include "base/stopwatch.h"
#include "mdp/fused/device_sweeps.cuh"
#include "mdp/horizon/induce_backward.h"
#include "mdp/methods/functions.h"
#include "mdp/process/first_values.h"

namespace tidewise::mdp {
namespace {

// Steps between two checks for values that are not finite and for interruptions.
constexpr std::int64_t unseen_steps = 64;

/// Sets a flag if a value is not finite.
template <class Real>
struct FindUnbounded {
  const Real* value;
  std::int32_t* found;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t state) const {
    if (!(value[state] - value[state] == Real(0))) *found = 1;
  }
};

/// Runs steps on a stream; steps without actions compute only values.
template <class Real>
class DeviceSteps {
 public:
  DeviceSteps(const DecisionProcess<Real>& process, FusedLayout layout, std::int32_t threads)
      : sweeps_(process, layout, threads),
        value_{upload(first_values(process)), DeviceArray<Real>(std::size_t(process.state_count))},
        action_(std::size_t(process.state_count)),
        unbounded_(upload(std::vector<std::int32_t>{0})) {}

  /// Enqueues steps first + 1 … last, and then a check of the values.
  void launch(std::int64_t first, std::int64_t last, bool with_actions) {
    for (std::int64_t n = first; n < last; ++n) {
      const bool asked = with_actions && n + 1 == last;
      sweeps_.sweep(value_[n % 2].data(), value_[(n + 1) % 2].data(),
                    asked ? action_.data() : nullptr, stream_);
    }
    for_each_on_device(action_.size(),
                       FindUnbounded<Real>{value_[last % 2].data(), unbounded_.data()}, stream_);
    const auto turn = static_cast<std::size_t>(turns_++ % 2);
    copy(fetched_[turn], unbounded_, stream_);
    done_[turn].record(stream_);
  }
  /// Result of the check `behind` checks before the last one; waits for it.
  bool are_finite(std::int64_t behind) {
    const auto turn = static_cast<std::size_t>((turns_ - 1 - behind) % 2);
    done_[turn].synchronize();
    return fetched_[turn][0] == 0;
  }
  void fetch_into(ProcessSolution<Real>& solution, std::int64_t steps) {
    solution.value.resize(action_.size());
    solution.action.resize(action_.size());
    copy_bytes(MemorySpace::host, solution.value.data(), MemorySpace::device,
               value_[steps % 2].data(), action_.size() * sizeof(Real), stream_);
    copy_bytes(MemorySpace::host, solution.action.data(), MemorySpace::device, action_.data(),
               action_.size() * sizeof(std::int32_t), stream_);
    stream_.synchronize();
  }
  std::int64_t model_bytes() const { return sweeps_.model_bytes(); }

 private:
  DeviceFusedSweeps<Real> sweeps_;
  std::array<DeviceArray<Real>, 2> value_;  // (state) each
  DeviceArray<std::int32_t> action_;        // (state)
  DeviceArray<std::int32_t> unbounded_;     // never reset
  std::array<PinnedArray<std::int32_t>, 2> fetched_{PinnedArray<std::int32_t>(1),
                                                    PinnedArray<std::int32_t>(1)};
  std::array<DeviceEvent, 2> done_;
  std::int64_t turns_ = 0;
  DeviceStream stream_;
  WaitAtEnd wait_{stream_};  // last member: waits before the others are destroyed
};

ValueChange change_of(bool finite) { return finite ? ValueChange{0, 0} : ValueChange{}; }

}  // namespace

template <class Real>
ProcessSolution<Real> backward_on_device(const DecisionProcess<Real>& process,
                                         const SolveOptions& options, Progress& progress) {
  const Stopwatch whole;
  require_horizon(options);
  ProcessSolution<Real> solution;
  DeviceSteps<Real> steps(process, layout_of_steps(options), options.threads);
  solution.model_bytes = steps.model_bytes();
  progress.begin("stepping backward", options.horizon, "steps");
  const Stopwatch sweeping;
  for (std::int64_t launched = 0; launched < options.horizon;) {
    const std::int64_t last = std::min(launched + unseen_steps, options.horizon);
    steps.launch(launched, last, last == options.horizon);
    // While these run, the host checks the previous ones.
    if (launched > 0) {
      require_finite(change_of(steps.are_finite(1)), launched);
      progress.advance_to(launched);
    }
    launched = last;
  }
  require_finite(change_of(steps.are_finite(0)), options.horizon);
  solution.sweep_seconds = sweeping.seconds();
  progress.advance_to(options.horizon);
  progress.end();
  steps.fetch_into(solution, options.horizon);
  solution.converged = true;
  solution.sweeps = options.horizon;
  solution.seconds = whole.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(backward_on_device)

}  // namespace tidewise::mdp
