#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "base/kernel/for_each.cuh"
#include "base/memory/pinned_transfer.cuh"
#include "base/parallel/strand.h"
#include "base/stopwatch.h"
#include "mdp/fused/device_parts.h"
#include "mdp/fused/device_sweep_batches.cuh"
#include "mdp/methods/functions.h"
#include "mdp/stop/centre_values.h"
#include "mdp/stop/convergence_monitor.h"

namespace tidewise::mdp {
namespace {

/// Gathers the change from `value` to `next`, without rounding.
template <class Real>
__global__ void __launch_bounds__(sweep_block)
    gather_exact_change(const Real* value, const Real* next, std::int32_t state_count,
                        ChangeSlot<double>* slot) {
  const std::int64_t state = static_cast<std::int64_t>(blockIdx.x) * sweep_block + threadIdx.x;
  double min = no_change_yet<double>();
  double max = -min;
  if (state < state_count) {
    const double change = static_cast<double>(next[state]) - static_cast<double>(value[state]);
    if (change < min) min = change;
    if (change > max) max = change;
  }
  gather_change(min, max, slot);
}

/// A batch in progress, and the destination of its slots.
template <class Real>
struct PendingBatch {
  std::int32_t count = 0;
  ChangeSlot<Real>* slots = nullptr;  // pinned, (batch_sweeps + 1)
  DeviceEvent done;
};

template <class Real>
class FusedIteration {
 public:
  FusedIteration(const DecisionProcess<Real>& process, const SolveOptions& options,
                 Progress& progress)
      : process_(process),
        options_(options),
        discount_(process.discount),
        progress_(progress),
        criterion_(StopCriterion<Real>::of(process.discount, options)),
        monitor_(process.state_count, process.discount, options, SweepKind::jacobi),
        sweeps_(process, options.layout, options.threads),
        laid_out_(whole_.seconds()),
        state_count_(std::size_t(process.state_count)),
        memory_(2 * DeviceParts::room_for<Real>(state_count_) +
                DeviceParts::room_for<std::int32_t>(state_count_) +
                DeviceParts::room_for<ChangeSlot<double>>(1)),
        values_{memory_.take<Real>(state_count_), memory_.take<Real>(state_count_)},
        action_(memory_.take<std::int32_t>(state_count_)),
        exact_(memory_.take<ChangeSlot<double>>(1)),
        transfer_(state_count_ * std::max(sizeof(Real), sizeof(std::int32_t)), 512 << 10,
                  options.threads),
        slots_(batch_.size() * (batch_sweeps + 1)),
        batches_(sweeps_, criterion_, values_, stream_),
        wait_(stream_) {
    room_.put([this] { make_room(); });
    for (std::size_t n = 0; n < batch_.size(); ++n) {
      batch_[n].slots = slots_.data() + n * (batch_sweeps + 1);
    }
    set_first_values(process);
    end_phase("memory and first values");
  }

  ProcessSolution<Real> solve() {
    if (options_.max_sweeps >= batch_sweeps) batches_.prepare();
    progress_.begin("sweeping", 0, "sweeps");
    end_phase("graph");
    begun_.record(stream_);
    batches_.go_on();
    std::int64_t max_at_once = batch_sweeps;
    Verdict verdict = options_.max_sweeps > 0 ? Verdict::go_on : Verdict::given_up;
    while (verdict == Verdict::go_on) {
      verdict = run_until_criterion(max_at_once);
      if (verdict == Verdict::go_on) {
        // The sweep might have been the last, but the exact change is slightly too large.
        batches_.go_on();
        max_at_once = 1;
      }
    }
    solution_.converged = verdict == Verdict::converged;
    ended_.record(stream_);
    end_phase("sweeps");
    finish();
    progress_.end();
    return std::move(solution_);
  }

 private:
  void end_phase(const char* name) {
    const double now = whole_.seconds();
    solution_.phases.push_back({name, now - phase_begun_});
    phase_begun_ = now;
  }
  void set_first_values(const DecisionProcess<Real>& process) {
    solution_.phases.push_back({"layout", laid_out_});
    phase_begun_ = laid_out_;
    if (process.initial_value.empty()) {
      TIDEWISE_CUDA_CHECK(
          cudaMemsetAsync(values_[0], 0, state_count_ * sizeof(Real), native(stream_)));
    } else {
      copy_bytes(MemorySpace::device, values_[0], MemorySpace::host, process.initial_value.data(),
                 state_count_ * sizeof(Real), stream_);
    }
  }
  /// Allocates the result. That takes the host as long as many sweeps take the device, so a
  /// separate thread does it meanwhile.
  void make_room() {
    solution_.value.resize(state_count_);
    solution_.action.resize(state_count_);
  }
  /// Sweeps until one may be the last or the limit is reached.
  Verdict run_until_criterion(std::int64_t max_at_once) {
    std::int64_t planned = solution_.sweeps;
    std::deque<PendingBatch<Real>*> under_way;
    std::size_t next_batch = 0;
    for (;;) {
      // The next batch is enqueued behind this one, so that the device does not wait for the host.
      // It must not pass a sweep whose values may be needed, because later sweeps overwrite them.
      const std::int64_t end = monitor_.sweeps() + monitor_.sure_sweeps();
      while (under_way.size() < batch_.size() && planned < end &&
             (max_at_once > 1 || under_way.empty())) {
        auto& batch = batch_[next_batch++ % batch_.size()];
        batch.count = static_cast<std::int32_t>(std::min(end - planned, max_at_once));
        batches_.enqueue(planned, batch.count);
        copy_bytes(MemorySpace::pinned, batch.slots, MemorySpace::device, batches_.slots().data(),
                   (batch_sweeps + 1) * sizeof(ChangeSlot<Real>), stream_);
        batch.done.record(stream_);
        planned += batch.count;
        under_way.push_back(&batch);
      }
      const PendingBatch<Real>& batch = *under_way.front();
      under_way.pop_front();
      batch.done.synchronize();
      const std::optional<Verdict> verdict = decide(batch);
      progress_.advance_to(solution_.sweeps);
      if (verdict) return *verdict;
    }
  }
  /// Adds the batch's sweeps, up to one that may be the last. Returns the verdict after that sweep,
  /// or an earlier verdict that ends the iteration; nullopt if the next batch continues.
  std::optional<Verdict> decide(const PendingBatch<Real>& batch) {
    for (std::int32_t n = batch_sweeps - batch.count + 1; n <= batch_sweeps; ++n) {
      const ValueChange change = batch.slots[n].change();
      ++solution_.sweeps;
      if (criterion_.may_be_last(change.min, change.max)) {
        stream_.synchronize();  // waits for the next batch, which does nothing
        return decide(exact_change());
      }
      const Verdict verdict = decide(change);
      if (verdict != Verdict::go_on) return verdict;
    }
    return std::nullopt;
  }
  Verdict decide(const ValueChange& change) {
    return monitor_.after(change, process_, [this] {
      std::vector<Real> value(state_count_);
      copy_bytes(MemorySpace::host, value.data(), MemorySpace::device,
                 values_after(solution_.sweeps), state_count_ * sizeof(Real), stream_);
      stream_.synchronize();
      return value;
    });
  }
  Real* values_after(std::int64_t sweeps) const { return values_[sweeps % 2]; }
  /// The exact change of the last sweep.
  ValueChange exact_change() {
    const std::vector<ChangeSlot<double>> none{ChangeSlot<double>::not_run()};
    copy_bytes(MemorySpace::device, exact_, MemorySpace::host, none.data(),
               sizeof(ChangeSlot<double>), stream_);
    gather_exact_change<<<sweep_blocks(sweeps_.state_count()), sweep_block, 0, native(stream_)>>>(
        values_after(solution_.sweeps - 1), values_after(solution_.sweeps), sweeps_.state_count(),
        exact_);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
    return fetch(exact_, stream_).change();
  }
  /// Finds the policy, applies the last adjustment, and copies all to the host.
  void finish() {
    const std::int64_t last = std::max<std::int64_t>(0, solution_.sweeps - 1);
    Real* const value = values_after(solution_.sweeps);
    const bool moves = solution_.sweeps > 0 && centres(discount_, options_);
    const double by = moves ? bounds_after(exact_change(), discount_).middle() : 0;
    // Repeats the last sweep for its actions; it writes the same values. If there was no sweep, the
    // result is not used.
    sweeps_.sweep(values_after(last), values_after(last + 1), action_, stream_);
    if (moves && std::isfinite(by)) {
      for_each_on_device(state_count_, MoveValue<Real>{value, action_, by}, stream_);
    }
    end_phase("last sweep");
    room_.finish();
    transfer_.to_host(solution_.value.data(), value, state_count_ * sizeof(Real), stream_);
    transfer_.to_host(solution_.action.data(), action_, state_count_ * sizeof(std::int32_t),
                      stream_);
    stream_.synchronize();
    solution_.sweep_seconds = ended_.milliseconds_since(begun_) * 1e-3;
    solution_.model_bytes = sweeps_.model_bytes();
    end_phase("answer");
    solution_.seconds = whole_.seconds();
  }

  Stopwatch whole_;
  const DecisionProcess<Real>& process_;
  const SolveOptions& options_;
  double discount_;
  Progress& progress_;
  StopCriterion<Real> criterion_;
  ConvergenceMonitor monitor_;
  DeviceFusedSweeps<Real> sweeps_;
  double laid_out_;
  double phase_begun_ = 0;
  std::size_t state_count_;
  DeviceParts memory_;
  std::array<Real*, 2> values_;
  std::int32_t* action_;
  ChangeSlot<double>* exact_;
  PinnedTransfer transfer_;
  std::array<PendingBatch<Real>, 2> batch_;
  PinnedArray<ChangeSlot<Real>> slots_;  // slots of both batches
  DeviceStream stream_;
  DeviceSweepBatches<Real> batches_;
  DeviceEvent begun_;
  DeviceEvent ended_;
  ProcessSolution<Real> solution_;
  Strand room_;     // allocates solution_, until finish()
  WaitAtEnd wait_;  // last, so that it is destroyed before memory that the stream uses
};

}  // namespace

template <class Real>
ProcessSolution<Real> fused_on_device(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress) {
  return FusedIteration<Real>(process, options, progress).solve();
}

template <class Real>
ProcessSolution<Real> values_on_device(const DecisionProcess<Real>& process,
                                       const SolveOptions& options, Progress& progress) {
  return fused_on_device(process, with_rows_layout(options), progress);
}

TIDEWISE_INSTANTIATE_METHOD(fused_on_device)
TIDEWISE_INSTANTIATE_METHOD(values_on_device)

}  // namespace tidewise::mdp
