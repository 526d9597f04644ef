#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/mdp/aims.h"
#include "bench/mdp/benchmark.h"
#include "bench/mdp/literature.h"

namespace tidewise {
namespace {

constexpr const char* columns =
    "{:<30} {:>10} {:>10} {:>10} {:>4} {:>7} {:>9} {:>8} {:>7} {:>6} {:>8} {:>8} {:>8} {:>8} {:>6} "
    "{:>6} {:>6}\n";

// A number, or a dash if it is missing.
std::string figure(double value, const char* format) {
  return value > 0 ? fmt::format(fmt::runtime(format), value) : "-";
}

// Time of one update of a (state, action, successor) [ns], if a sweep has one of each.
double update_nanoseconds(const MdpWorldReport& world, const MdpFigures& side) {
  if (mdp::is_policy_iteration(side.method) || world.entries == 0) return 0;
  return 1e9 * side.seconds_per_sweep() / double(world.entries);
}

double ratio_to_first(const MdpWorldReport& world, const MdpFigures& side,
                      std::vector<double> MdpFigures::*samples) {
  const auto first =
      std::find_if(world.figures.begin(), world.figures.end(),
                   [](const MdpFigures& figures) { return !figures.seconds.empty(); });
  const double seconds = median(side.*samples);
  return seconds > 0 ? median((*first).*samples) / seconds : 0;
}

std::string row_of(const MdpBenchmarkReport& report, const MdpWorldReport& world,
                   const MdpFigures& side) {
  if (!side.trouble.empty()) return fmt::format("{:<30} left out: {}\n", side.name, side.trouble);
  if (side.seconds.empty()) return fmt::format("{:<30} not measured\n", side.name);
  const auto [min, max] = std::minmax_element(side.seconds.begin(), side.seconds.end());
  const double copy = side.backend == BackendChoice::cuda ? report.device_copy : report.host_copy;
  const double share = share_of_copy(report, world, side);
  return fmt::format(
      fmt::runtime(columns), side.name, fmt::format("{:.3f}", 1e3 * median(side.seconds)),
      fmt::format("{:.3f}", 1e3 * *min), fmt::format("{:.3f}", 1e3 * *max), side.seconds.size(),
      fmt::format("{}{}", side.sweeps, side.converged ? "" : "!"),
      figure(1e3 * side.seconds_per_sweep(), "{:.4f}"),
      figure(update_nanoseconds(world, side), "{:.4f}"), figure(1e-9 * share * copy, "{:.1f}"),
      figure(100 * share, "{:.1f}"),
      figure(ratio_to_first(world, side, &MdpFigures::seconds), "{:.2f}"),
      figure(ratio_to_first(world, side, &MdpFigures::sweep_seconds), "{:.2f}"),
      fmt::format("{:.1e}", side.difference), fmt::format("{:.1e}", side.error),
      fmt::format("{:.0f}", 1e-6 * double(side.host_memory)),
      fmt::format("{:.0f}", 1e-6 * double(side.added_memory)),
      figure(1e-6 * double(side.device_memory), "{:.0f}"));
}

std::string literature_of(const MdpBenchmarkReport& report, const MdpWorldReport& world) {
  const auto times = literature_times(world.name);
  if (times.empty()) return "";
  std::string text =
      fmt::format("Published times, not measured here (this run: {}):", report.machine);
  for (const auto& time : times)
    text += fmt::format(" {} {:.0f} ms;", time.what, time.milliseconds);
  text.back() = '\n';
  return text;
}

std::string claims_of(const MdpWorldReport& world) {
  std::string text;
  const auto aim_of = [](double min, double max) {
    return min > 0   ? fmt::format("  (aim: at least {})", min)
           : max > 0 ? fmt::format("  (aim: at most {})", max)
                     : std::string();
  };
  for (const BenchmarkRatio& ratio : world.times.ratios) {
    text +=
        fmt::format("{} / {}: {:.2f}{}\n", ratio.slow, ratio.fast,
                    world.times.median_ratio(ratio.slow, ratio.fast), aim_of(ratio.min, ratio.max));
  }
  for (const MdpAim& aim : world.aims) {
    text += fmt::format("{}: {:.3g}{}\n", aim.what, aim.measured, aim_of(aim.min, aim.max));
  }
  return text;
}

nlohmann::ordered_json json_of(const MdpBenchmarkReport& report, const MdpWorldReport& world,
                               const MdpFigures& side) {
  nlohmann::ordered_json json{{"name", side.name}};
  if (side.seconds.empty()) {
    json["trouble"] = side.trouble.empty() ? "not measured" : side.trouble;
    return json;
  }
  json.update({{"seconds", side.seconds},
               {"sweep_seconds", side.sweep_seconds},
               {"sweeps", side.sweeps},
               {"improvements", side.improvements},
               {"converged", side.converged},
               {"seconds_per_sweep", side.seconds_per_sweep()},
               {"nanoseconds_an_update", update_nanoseconds(world, side)},
               {"share_of_copy", share_of_copy(report, world, side)},
               {"first_over_this", ratio_to_first(world, side, &MdpFigures::seconds)},
               {"first_over_this_sweeps", ratio_to_first(world, side, &MdpFigures::sweep_seconds)},
               {"greatest_difference", side.difference},
               {"error_bound", side.error},
               {"peak_memory_bytes", side.host_memory},
               {"added_memory_bytes", side.added_memory},
               {"peak_device_memory_bytes", side.device_memory}});
  return json;
}

nlohmann::ordered_json json_of(const MdpBenchmarkReport& report, const MdpWorldReport& world) {
  nlohmann::ordered_json json{{"name", world.name},
                              {"states", world.states},
                              {"entries", world.entries},
                              {"model_bytes", world.model_bytes},
                              {"make_seconds", world.make_seconds}};
  json["figures"] = nlohmann::ordered_json::array();
  for (const MdpFigures& side : world.figures) {
    json["figures"].push_back(json_of(report, world, side));
  }
  json["times"] = world.times.to_json();
  for (const MdpAim& aim : world.aims) {
    json["aims"].push_back({{"what", aim.what}, {"measured", aim.measured}});
    if (aim.min > 0) json["aims"].back()["aim"] = aim.min;
    if (aim.max > 0) json["aims"].back()["aim_at_most"] = aim.max;
  }
  for (const auto& time : literature_times(world.name)) {
    json["literature_milliseconds"][time.what] = time.milliseconds;
  }
  return json;
}

}  // namespace

std::string MdpBenchmarkReport::to_text() const {
  std::string text = fmt::format("{}\n{}\na copy in host memory moves {:.1f} GB/s", title, machine,
                                 1e-9 * host_copy);
  if (device_copy > 0) {
    text += fmt::format(", within the device {:.0f} GB/s", 1e-9 * device_copy);
  }
  text +=
      ", read and written\n"
      "ms: all of a method's work; ms/sweep: only its sweeps.\n"
      "ns/upd.: an update of a (state, action, successor).\n"
      "GB/s: the model as solvers get it, each byte once a sweep (a launch of block-divided); % "
      "copy: "
      "of the copy's.\n"
      "× first: the first side's time divided by this one's; × sweeps: the same for sweeps only.\n"
      "|ΔV|: from the first side's values; error: the most that values can be wrong.\n"
      "MB: the most that the process held meanwhile; more: what of it came on top; GPU MB: on it.\n"
      "A ! behind the number of sweeps: not converged.\n";
  for (const MdpWorldReport& world : worlds) {
    text +=
        fmt::format("\n{}: {} states, {} entries, model {:.1f} MB, made in {:.2f} s\n", world.name,
                    world.states, world.entries, 1e-6 * world.model_bytes, world.make_seconds);
    text += fmt::format(fmt::runtime(columns), "", "median ms", "min", "max", "runs", "sweeps",
                        "ms/sweep", "ns/upd.", "GB/s", "% copy", "× first", "× sweeps", "|ΔV|",
                        "error", "MB", "more", "GPU MB");
    for (const MdpFigures& side : world.figures) text += row_of(*this, world, side);
    text += literature_of(*this, world) + claims_of(world);
  }
  return text;
}

nlohmann::ordered_json MdpBenchmarkReport::to_json() const {
  nlohmann::ordered_json json{{"title", title},
                              {"machine", machine},
                              {"host_copy_bytes_a_second", host_copy},
                              {"device_copy_bytes_a_second", device_copy}};
  for (const MdpWorldReport& world : worlds) json["worlds"].push_back(json_of(*this, world));
  return json;
}

}  // namespace tidewise
