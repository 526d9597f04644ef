#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/memory/device_transfer.h"
#include "base/memory/for_each.cuh"
#include "env/file/level_stream.h"
#include "model_builder/device/level_preparation.h"
#include "solver/fly/device_rollout.h"
#include "solver/fly/fly_step.h"
#include "solver/fly/trajectory_accumulator.h"
#include "solver/policy/device_stream.h"
#include "solver/step/device_mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

/// A step of one flight, which raises a flag where the flight goes on.
template <class Step>
struct FlyAndTell {
  FlyStep<Step> fly;
  std::uint32_t* under_way;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t flight) const {
    if (fly(flight)) *under_way = 1;  // whoever writes it writes the same
  }
};

Ensemble<MemorySpace::device> send(const Ensemble<>& ensemble, const DeviceStream& stream) {
  Ensemble<MemorySpace::device> there(ensemble.size());
  copy(there.number, ensemble.number, stream);
  copy(there.vehicle, ensemble.vehicle, stream);
  copy(there.state, ensemble.state, stream);
  return there;
}

template <class T>
void fetch_part(Array<T>& here, const DeviceArray<T>& there, std::size_t count,
                const DeviceStream& stream) {
  copy_bytes(MemorySpace::host, here.data(), MemorySpace::device, there.data(), count * sizeof(T),
             stream);
}

/// Points on the device, which come over as often as the log is full.
class DeviceLog {
 public:
  DeviceLog(std::size_t steps, std::size_t flights, TrajectoryAccumulator& accumulator)
      : there_(steps, flights),
        here_(steps, flights),
        flights_(flights),
        accumulator_(accumulator) {}

  /// Clears it: what flights that have ended leave unwritten comes over too.
  void clear(const DeviceStream& stream) {
    const std::size_t points = there_.steps() * flights_;
    set_to_zero(there_.x, points, stream);
    set_to_zero(there_.y, points, stream);
    set_to_zero(there_.energy, points, stream);
    set_to_zero(there_.harvested, points, stream);
  }
  FlightLogView view() { return there_.view(); }
  std::size_t logged() const { return logged_; }

  void add_step(const DeviceStream& stream) {
    if (++logged_ == there_.steps()) flush(stream);
  }

  /// Enters what has been logged in the book.
  void flush(const DeviceStream& stream) {
    const std::size_t points = logged_ * flights_;
    fetch_part(here_.x, there_.x, points, stream);
    fetch_part(here_.y, there_.y, points, stream);
    fetch_part(here_.energy, there_.energy, points, stream);
    fetch_part(here_.harvested, there_.harvested, points, stream);
    fetch_part(here_.action, there_.action, points, stream);
    stream.synchronize();
    accumulator_.append(here_.view(), logged_);
    logged_ = 0;
  }

 private:
  template <class T>
  static void set_to_zero(DeviceArray<T>& values, std::size_t count, const DeviceStream& stream) {
    TIDEWISE_CUDA_CHECK(cudaMemsetAsync(values.data(), 0, count * sizeof(T), native(stream)));
  }

  FlightLog<MemorySpace::device> there_;
  FlightLog<> here_;
  std::size_t flights_;
  TrajectoryAccumulator& accumulator_;
  std::size_t logged_ = 0;
};

/// Advances a fleet on the device, a level at a time.
class DeviceRollout {
 public:
  DeviceRollout(DeviceEnvironment& environment, const PlanningProblem& problem,
                const RolloutOptions& options)
      : environment_(environment),
        info_(environment.info()),
        problem_(problem),
        options_(options),
        there_(info_, problem),
        up_to_(upload(summed_weights(info_), stream_)),
        coefficients_(info_.mode_count, info_.realization_count) {}

  RolloutResult run(const PolicySource& policy, Progress& progress) {
    const auto numbers = flight_numbers(info_, options_);  // judged before anything is read
    environment_.begin(levels_between(problem_.mission.departure, problem_.mission.last));
    const LevelView first = environment_.next(stream_);
    Ensemble<> ensemble = depart(info_, problem_.mission, options_.mode, numbers,
                                 fetch(first.masked.data + problem_.mission.start.value, stream_));
    TrajectoryAccumulator accumulator(problem_.actions, ensemble, options_.threads);
    progress.begin("flying", problem_.mission.last.value - problem_.mission.departure.value,
                   "levels");
    if (ensemble.state[0] == StepOutcome::under_way) {  // they all start alike
      fly(first, policy, ensemble, accumulator, progress);
    } else {
      environment_.release(stream_);
    }
    environment_.finish();
    progress.end();
    return accumulator.close(ensemble, options_.mode, problem_.mission.departure);
  }

 private:
  /// From departure, whose fields are `next`, until no flight is under way.
  void fly(LevelView next, const PolicySource& policy, Ensemble<>& ensemble,
           TrajectoryAccumulator& accumulator, Progress& progress) {
    const auto steps =
        static_cast<std::size_t>(problem_.mission.last.value - problem_.mission.departure.value);
    under_way_ = DeviceArray<std::uint32_t>(steps);
    under_way_here_ = PinnedArray<std::uint32_t>(steps, 0);
    copy(under_way_, under_way_here_, stream_);
    Ensemble<MemorySpace::device> there = send(ensemble, stream_);
    DeviceLog log(log_steps(options_.log_memory, ensemble.size(), steps), ensemble.size(),
                  accumulator);
    log.clear(stream_);
    DevicePolicyStream policy_stream(policy, problem_.actions.size(),
                                     static_cast<std::size_t>(info_.grid.cell_count()));
    const WaitAtEnd wait(stream_);
    for (TimeLevel k = problem_.mission.departure; k < problem_.mission.last; ++k.value) {
      policy_stream.begin();
      if (policy_stream.done() > 0 && under_way_here_[policy_stream.done() - 1] == 0) break;
      const LevelView now = next;
      next = environment_.next(stream_);
      View<const std::int16_t> level_policy;
      try {
        level_policy = policy_stream.read_policy(k, stream_);
      } catch (const InputError&) {  // which nobody has to know who has ended before
        stream_.synchronize();
        if (policy_stream.begun() < 2 || under_way_here_[policy_stream.begun() - 2] != 0) throw;
        environment_.release(stream_);
        break;
      }
      const StepContext context = make_step_context(
          info_, problem_.mission, k, now, next, {there_.target(), level_policy, there_.effects()});
      step(context, k, there.view(), log, policy_stream.begun() - 1);
      environment_.release(stream_);
      policy_stream.end(stream_);
      log.add_step(stream_);
      progress.advance_to(k.value + 1 - problem_.mission.departure.value);
    }
    log.flush(stream_);
    environment_.release(stream_);
    copy(ensemble.vehicle, there.vehicle, stream_);
    copy(ensemble.state, there.state, stream_);
    stream_.synchronize();
  }

  void step(const StepContext& context, TimeLevel k, const EnsembleView& ensemble, DeviceLog& log,
            std::size_t turn) {
    if (options_.mode == RolloutMode::continuous) {
      advance(FlyStep<ContinuousStep>{{context}, k, ensemble, log.view(), log.logged()}, turn);
    } else {
      const DisplacementScale scale(info_.grid, info_.time);
      coefficients_.make(context.now, scale, problem_.rule, stream_);
      const ChainStep chain{
          context,
          scale,
          problem_.rule,
          coefficients_.mode_scale(),
          {Philox(options_.seed), count_total(info_), std::as_const(up_to_).view()}};
      advance(FlyStep<ChainStep>{chain, k, ensemble, log.view(), log.logged()}, turn);
    }
    copy_bytes(MemorySpace::pinned, under_way_here_.data() + turn, MemorySpace::device,
               under_way_.data() + turn, sizeof(std::uint32_t), stream_);
  }

  template <class Step>
  void advance(const FlyStep<Step>& fly, std::size_t turn) {
    constexpr unsigned block_threads = 32;  // a step is long, and flights are few
    for_each_on_device(fly.ensemble.number.size, FlyAndTell<Step>{fly, under_way_.data() + turn},
                       stream_, block_threads);
  }

  DeviceEnvironment& environment_;
  const EnvironmentInfo& info_;
  PlanningProblem problem_;
  const RolloutOptions& options_;
  DeviceStream stream_;
  DeviceMission there_;
  DeviceArray<std::uint32_t> up_to_;  // (realization)
  DeviceCoefficients coefficients_;
  DeviceArray<std::uint32_t> under_way_;       // (step), 1: flights go on after it
  PinnedArray<std::uint32_t> under_way_here_;  // (step)
};

}  // namespace

RolloutResult fly_on_device(DeviceEnvironment& environment, const PlanningProblem& problem,
                            const PolicySource& policy, const RolloutOptions& options,
                            Progress& progress) {
  return DeviceRollout(environment, problem, options).run(policy, progress);
}

}  // namespace tidewise
