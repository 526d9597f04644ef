#include "base/kernel/for_each.cuh"
#include "base/memory/device_transfer.h"
#include "env/device/device_level_pair.h"
#include "solver/fly/device_baselines.h"
#include "solver/fly/ensemble.h"
#include "solver/pass/forward.h"

namespace tidewise {
namespace {

// Copies flights to the device on `stream`; `ensemble` must stay until the copy is complete.
inline Ensemble<MemorySpace::device> send(const Ensemble<>& ensemble, const DeviceStream& stream) {
  Ensemble<MemorySpace::device> on_device(ensemble.size());
  copy(on_device.number, ensemble.number, stream);
  copy(on_device.vehicle, ensemble.vehicle, stream);
  copy(on_device.state, ensemble.state, stream);
  return on_device;
}

// Makes a step of one flight and sets a flag if the flight goes on.
struct FlyBaselineAndFlag {
  FlyBaselineStep fly;
  std::uint32_t* under_way;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t flight) const {
    if (fly(flight)) *under_way = 1;  // all writers write the same value
  }
};

// Advances the flights of all baseline controllers on the device, level by level.
class DeviceBaselines {
 public:
  DeviceBaselines(DeviceEnvironment& environment, const Mission& mission,
                  const std::vector<BaselineSpeed>& speeds)
      : environment_(environment),
        info_(environment.info()),
        mission_(mission),
        rules_(baseline_rules(mission, speeds, info_.time.step)),
        device_rules_(upload(rules_)),
        target_(upload(mission.target)),
        under_way_(1) {}

  std::vector<BaselineFlights> run(const RolloutOptions& options, Progress& progress) {
    // Validated before anything is read.
    const auto numbers = repeated_numbers(flight_numbers(info_, options), rules_.size());
    DeviceLevelPair levels(environment_, stream_, mission_.departure, mission_.last);
    Ensemble<> ensemble = depart(info_, mission_, RolloutMode::continuous, numbers,
                                 fetch(levels.next().masked.data + mission_.start.value, stream_));
    Ensemble<MemorySpace::device> on_device = send(ensemble, stream_);
    const WaitAtEnd wait(stream_);
    walk_forward(levels, mission_.departure, mission_.last, "flying without a plan", progress,
                 ensemble.state[0] == StepOutcome::under_way,
                 [&](TimeLevel k, const LevelView& now, const LevelView& next) {
                   return step(make_step_context(info_, mission_, k, now, next, {target_, {}, {}}),
                               on_device.view());
                 });
    copy(ensemble.vehicle, on_device.vehicle, stream_);
    copy(ensemble.state, on_device.state, stream_);
    stream_.synchronize();
    levels.finish();
    return baseline_ends(rules_, mission_, ensemble, info_.time.step);
  }

 private:
  // Makes one step. Returns true if a flight is still under way.
  bool step(const StepContext& context, const EnsembleView& ensemble) {
    set_to_zero(under_way_.data(), 1, stream_);
    constexpr unsigned block_threads = 32;  // a step is long, and flights are few
    for_each_on_device(ensemble.number.size,
                       FlyBaselineAndFlag{baseline_step(context, mission_, device_rules_, ensemble),
                                          under_way_.data()},
                       stream_, block_threads);
    return fetch(under_way_.data(), stream_) != 0;
  }

  DeviceEnvironment& environment_;
  const EnvironmentInfo& info_;
  const Mission& mission_;
  std::vector<BaselineRule> rules_;
  DeviceStream stream_;
  DeviceArray<BaselineRule> device_rules_;
  DeviceArray<std::uint8_t> target_;      // (y, x)
  DeviceArray<std::uint32_t> under_way_;  // one flag, 1 if a flight is still under way
};

}  // namespace

std::vector<BaselineFlights> fly_baselines_on_device(DeviceEnvironment& environment,
                                                     const Mission& mission,
                                                     const std::vector<BaselineSpeed>& speeds,
                                                     const RolloutOptions& options,
                                                     Progress& progress) {
  return DeviceBaselines(environment, mission, speeds).run(options, progress);
}

}  // namespace tidewise
