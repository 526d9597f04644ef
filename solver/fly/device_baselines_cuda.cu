#include "base/kernel/for_each.cuh"
#include "base/memory/device_transfer.h"
#include "env/levels/level_stream.h"
#include "solver/fly/device_baselines.h"
#include "solver/fly/device_ensemble.h"

namespace tidewise {
namespace {

/// A step of one flight, which raises a flag where the flight goes on.
struct FlyBaselineAndTell {
  FlyBaselineStep fly;
  std::uint32_t* under_way;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t flight) const {
    if (fly(flight)) *under_way = 1;  // whoever writes it writes the same
  }
};

/// Advances the flights of all rules on the device, a level at a time.
class DeviceBaselines {
 public:
  DeviceBaselines(DeviceEnvironment& environment, const Mission& mission,
                  const std::vector<double>& speeds)
      : environment_(environment),
        info_(environment.info()),
        mission_(mission),
        rules_(baseline_rules(mission, speeds, info_.time.step)),
        rules_there_(upload(rules_)),
        target_(upload(mission.target)),
        under_way_(1) {}

  std::vector<BaselineFlights> run(const RolloutOptions& options, Progress& progress) {
    // Judged before anything is read.
    const auto numbers = repeated_numbers(flight_numbers(info_, options), rules_.size());
    environment_.begin(levels_between(mission_.departure, mission_.last));
    const LevelView first = environment_.next(stream_);
    Ensemble<> ensemble = depart(info_, mission_, RolloutMode::continuous, numbers,
                                 fetch(first.masked.data + mission_.start.value, stream_));
    progress.begin("flying without a plan", mission_.last.value - mission_.departure.value,
                   "levels");
    if (ensemble.state[0] == StepOutcome::under_way) fly(first, ensemble, progress);
    environment_.release(stream_);
    stream_.synchronize();
    environment_.finish();
    progress.end();
    return baseline_ends(rules_, mission_, ensemble, info_.time.step);
  }

 private:
  /// From departure, whose fields are `next`, until no flight is under way; the last level that it
  /// looked at is still held then.
  void fly(LevelView next, Ensemble<>& ensemble, Progress& progress) {
    Ensemble<MemorySpace::device> there = send(ensemble, stream_);
    const WaitAtEnd wait(stream_);
    bool under_way = true;
    for (TimeLevel k = mission_.departure; k < mission_.last && under_way; ++k.value) {
      const LevelView now = next;
      next = environment_.next(stream_);
      const StepContext context =
          make_step_context(info_, mission_, k, now, next, {target_, {}, {}});
      under_way = step(context, there.view());
      environment_.release(stream_);
      progress.advance_to(k.value + 1 - mission_.departure.value);
    }
    copy(ensemble.vehicle, there.vehicle, stream_);
    copy(ensemble.state, there.state, stream_);
    stream_.synchronize();
  }

  /// Whether any flight is still under way.
  bool step(const StepContext& context, const EnsembleView& ensemble) {
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(under_way_.data(), 0, sizeof(std::uint32_t), native(stream_)));
    constexpr unsigned block_threads = 32;  // a step is long, and flights are few
    for_each_on_device(ensemble.number.size,
                       FlyBaselineAndTell{baseline_step(context, mission_, rules_there_, ensemble),
                                          under_way_.data()},
                       stream_, block_threads);
    return fetch(under_way_.data(), stream_) != 0;
  }

  DeviceEnvironment& environment_;
  const EnvironmentInfo& info_;
  const Mission& mission_;
  std::vector<BaselineRule> rules_;
  DeviceStream stream_;
  DeviceArray<BaselineRule> rules_there_;
  DeviceArray<std::uint8_t> target_;      // (y, x)
  DeviceArray<std::uint32_t> under_way_;  // one: whether any flight goes on
};

}  // namespace

std::vector<BaselineFlights> fly_baselines_on_device(DeviceEnvironment& environment,
                                                     const Mission& mission,
                                                     const std::vector<double>& speeds,
                                                     const RolloutOptions& options,
                                                     Progress& progress) {
  return DeviceBaselines(environment, mission, speeds).run(options, progress);
}

}  // namespace tidewise
