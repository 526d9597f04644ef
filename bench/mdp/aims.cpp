#include "bench/mdp/aims.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/mdp/worlds.h"

namespace tidewise {
namespace {

constexpr double serial_over_fused = 300;  // G2 and G6
constexpr double fused_milliseconds = 10;  // G2
constexpr double min_share =
    0.7;  // share of the speed of a copy, if the model exceeds the L2 cache
constexpr double largest_cache = 100e6;         // [B] larger than any L2 so far
constexpr double wet_floor_milliseconds = 450;  // wet-1024x4 on the CPU
constexpr double best_public_milliseconds = 3500;
constexpr double over_best_public = 8;
constexpr double backward_nanoseconds = 0.4;  // per update of (state, action, successor)
constexpr double wet_floor_memory = 300e6;    // [B]

const MdpFigures* find_figures(const MdpWorldReport& world, const std::string& name) {
  const auto side = std::find_if(world.figures.begin(), world.figures.end(),
                                 [&](const MdpFigures& figures) { return figures.name == name; });
  return side == world.figures.end() || side->seconds.empty() ? nullptr : &*side;
}

void add_device_aims(const MdpBenchmarkReport& report, const MdpFigures& fused,
                     MdpWorldReport& world) {
  const MdpFigures* serial = find_figures(world, serial_values_side);
  if ((world.name == "G2" || world.name == "G6") && serial != nullptr) {
    world.times.ratios.push_back({serial->name, fused.name, serial_over_fused, 0});
    world.aims.push_back({fmt::format("{} / {}, sweeps alone", serial->name, fused.name),
                          median(serial->sweep_seconds) / median(fused.sweep_seconds),
                          serial_over_fused, 0});
  }
  if (world.name == "G2") {
    const double total = 1e3 * median(fused.seconds);
    const double sweeps = 1e3 * median(fused.sweep_seconds);
    world.aims.push_back({fused.name + " [ms]", total, 0, fused_milliseconds});
    world.aims.push_back({fused.name + ", sweeps alone [ms]", sweeps, 0, fused_milliseconds});
  }
  if (world.model_bytes > largest_cache) {
    world.aims.push_back({fused.name + ": the model a sweep, as a share of the copy",
                          share_of_copy(report, world, fused), min_share, 0});
  }
}

// Speedups of the published method's other forms over one thread.
void add_published_ratios(MdpWorldReport& world) {
  if (find_figures(world, stable_policy_side) == nullptr) return;
  for (const MdpFigures& side : world.figures) {
    const bool is_other = side.name != stable_policy_side && side.name.starts_with("stable policy");
    if (is_other && !side.seconds.empty()) {
      world.times.ratios.push_back({stable_policy_side, side.name, 0, 0});
    }
  }
}

void add_host_aims(const MdpFigures& fused, MdpWorldReport& world) {
  if (world.name != "wet-1024x4") return;
  const double milliseconds = 1e3 * median(fused.seconds);
  world.aims.push_back({fused.name + " [ms]", milliseconds, 0, wet_floor_milliseconds});
  world.aims.push_back({"madupite's published time / " + fused.name,
                        best_public_milliseconds / milliseconds, over_best_public, 0});
  world.aims.push_back({fused.name + ": peak memory of the process, model and all [MB]",
                        1e-6 * double(fused.host_memory), 0, 1e-6 * wet_floor_memory});
}

void add_backward_aims(const MdpFigures& backward, MdpWorldReport& world) {
  const double updates = double(world.entries) * double(backward.sweeps);
  world.aims.push_back({backward.name + " [ns an update, all of the work]",
                        1e9 * median(backward.seconds) / updates, 0, backward_nanoseconds});
}

}  // namespace

double share_of_copy(const MdpBenchmarkReport& report, const MdpWorldReport& world,
                     const MdpFigures& side) {
  const double copy = side.backend == BackendChoice::cuda ? report.device_copy : report.host_copy;
  const double seconds = side.seconds_per_sweep();
  if (mdp::is_policy_iteration(side.method) || seconds <= 0 || copy <= 0) return 0;
  return world.model_bytes / seconds / copy;
}

void add_aims(const MdpBenchmarkReport& report, std::int32_t threads, MdpWorldReport& world) {
  add_published_ratios(world);
  if (const auto* fused = find_figures(world, fused_device_side))
    add_device_aims(report, *fused, world);
  if (const auto* fused = find_figures(world, fused_host_side(threads)))
    add_host_aims(*fused, world);
  if (world.name == finite_world) {
    const auto* host = find_figures(world, backward_host_side(threads));
    const auto* device = find_figures(world, backward_device_side);
    if (host != nullptr) add_backward_aims(*host, world);
    if (device != nullptr) add_backward_aims(*device, world);
  }
}

}  // namespace tidewise
