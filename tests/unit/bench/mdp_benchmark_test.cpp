// Measurements and reports of `tidewise research bench mdp`, with worlds of an eighth of the usual
// side length.

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/memory/device.h"
#include "bench/copy_bandwidth.h"
#include "bench/mdp/aims.h"
#include "bench/mdp/benchmark.h"
#include "bench/mdp/literature.h"
#include "bench/mdp/worlds.h"
#include "support/device.h"

namespace tidewise {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> names_of(const std::vector<MdpSide>& sides) {
  std::vector<std::string> names;
  for (const MdpSide& side : sides) names.push_back(side.name);
  return names;
}

TEST(MdpSides, ListsHostSides) {
  MdpSideChoice choice;
  choice.threads = 2;
  const std::vector<std::string> names = names_of(mdp_sides(choice));
  EXPECT_THAT(names, IsSupersetOf({"gauss-seidel, 1 thread", "policy-iteration, 1 thread",
                                   "stable policy, 1 thread", "inexact-policy-iteration, 1 thread",
                                   "value-iteration, 2 threads", "fused, 2 threads",
                                   "fused to a bound, 2 threads"}))
      << "a new method is one more";
  EXPECT_EQ(names.front(), serial_values_side);
  EXPECT_THAT(names, Not(Contains(HasSubstr("-divided")))) << "which are a GPU's";
  for (const MdpSide& side : mdp_sides(choice)) {
    EXPECT_EQ(side.pace == MdpPace::slow, side.options.threads == 1);
    EXPECT_EQ(side.options.backend, BackendChoice::cpu);
  }
  choice.methods = {mdp::Method::fused, mdp::Method::block_divided};
  choice.stop = mdp::StoppingRule::error;
  EXPECT_THAT(names_of(mdp_sides(choice)),
              ElementsAre("block-divided, 2 threads", "fused, 2 threads"));
}

TEST(MdpSides, ListsDeviceSides) {
  MdpSideChoice choice;
  choice.also_on = BackendChoice::cuda;
  const auto sides = mdp_sides(choice);
  const std::vector<std::string> names = names_of(sides);
  EXPECT_THAT(names, Contains(fused_host_side(1)));
  const auto first = std::find(names.begin(), names.end(), fused_device_side);
  EXPECT_THAT(
      std::vector<std::string>(first, names.end()),
      ElementsAre("fused, GPU", "fused sliced, GPU", "fused packed, GPU", "value-iteration, GPU",
                  "block-divided, GPU", "block-divided buffering, GPU",
                  "block-divided prioritising, GPU", "block-divided both, GPU",
                  "result-divided, GPU", "policy-iteration cuda, GPU", "stable policy cuda, GPU",
                  "policy-iteration block, GPU", "stable policy block, GPU",
                  "policy-iteration cusparse, GPU", "stable policy cusparse, GPU",
                  "fused to a bound, GPU"));
  for (const MdpSide& side : sides) {
    EXPECT_EQ(side.options.backend == BackendChoice::cuda,
              side.name.find("GPU") != std::string::npos);
  }
}

TEST(MdpSides, ListsSidesOfBackwardInduction) {
  MdpSideChoice choice;
  choice.threads = 2;
  choice.also_on = BackendChoice::cuda;
  choice.methods = {mdp::Method::fused};  // irrelevant here
  const auto sides = backward_sides(choice, 100);
  EXPECT_THAT(names_of(sides), ElementsAre("backward over rows, 1 thread", backward_host_side(2),
                                           backward_device_side));
  for (const MdpSide& side : sides) EXPECT_EQ(side.options.horizon, 100);
  EXPECT_EQ(sides[0].options.layout, mdp::FusedLayout::rows);
  EXPECT_EQ(sides[2].options.backend, BackendChoice::cuda);
}

TEST(MdpBenchmark, SolvesTheFiniteWorldBackward) {
  SilentProgress silent;
  MdpBenchmarkOptions options;
  options.worlds = {finite_world};
  options.sides.threads = 2;
  options.repeats = 1;
  options.size = MdpSize::quick;
  const MdpBenchmarkReport report = benchmark_mdp(options, silent);
  const MdpWorldReport& world = report.worlds.front();
  EXPECT_EQ(world.states, 64 * 64);
  ASSERT_EQ(world.figures.size(), 2u);
  for (const MdpFigures& side : world.figures) {
    EXPECT_EQ(side.trouble, "");
    EXPECT_EQ(side.sweeps, 100);
    EXPECT_EQ(side.difference, 0);  // the same bits
  }
  EXPECT_THAT(report.to_text(), HasSubstr("PRISM's sparse engine at 1.12 ns an update"));
  EXPECT_EQ(mdp_world(finite_world).steps, 100);
  EXPECT_EQ(mdp_world("G1").steps, 0);
  EXPECT_THROW(mdp_world("G7"), InputError);
}

TEST(MdpLiterature, ReturnsTimesOnlyForPublishedWorlds) {
  EXPECT_EQ(literature_times("G2").size(), 4u);
  EXPECT_EQ(literature_times("G2")[0].milliseconds, 94778);
  EXPECT_EQ(literature_times("G6")[3].milliseconds, 45591);
  EXPECT_EQ(literature_times("wet-1024x4")[0].milliseconds, 3500);
  EXPECT_TRUE(literature_times("wet-64x1").empty());
}

TEST(CopyBandwidth, IsPlausible) {
  const double bandwidth = host_copy_bandwidth(std::size_t{1} << 22, 3);
  EXPECT_GT(bandwidth, 1e8);
  EXPECT_LT(bandwidth, 1e14);
}

TEST(CopyBandwidth, IsPlausibleOnADevice) {
  TIDEWISE_REQUIRE_DEVICE();
  const double bandwidth = device_copy_bandwidth(std::size_t{1} << 28);
  EXPECT_GT(bandwidth, 1e10);
  EXPECT_LT(bandwidth, 1e14);
}

MdpBenchmarkOptions quick_options() {
  MdpBenchmarkOptions options;
  options.worlds = {"G1", "wet-64x4"};
  options.sides.methods = {mdp::Method::value_iteration};
  options.repeats = 2;
  options.size = MdpSize::quick;
  return options;
}

TEST(MdpBenchmark, MeasuresAndReportsAllSides) {
  SilentProgress silent;
  const MdpBenchmarkReport report = benchmark_mdp(quick_options(), silent);
  ASSERT_EQ(report.worlds.size(), 2u);
  const MdpWorldReport& world = report.worlds.front();
  EXPECT_EQ(world.states, 64 * 64);
  ASSERT_EQ(world.figures.size(), 1u);
  const MdpFigures& serial = world.figures.front();
  EXPECT_EQ(serial.trouble, "");
  EXPECT_EQ(serial.seconds.size(), 1u);  // measured once with one thread
  EXPECT_TRUE(serial.converged);
  EXPECT_GT(serial.sweeps, 10);
  EXPECT_GT(serial.seconds_per_sweep(), 0);
  EXPECT_EQ(serial.difference, 0);
  EXPECT_GT(serial.host_memory, 1'000'000);
  EXPECT_GT(share_of_copy(report, world, serial), 0);
  EXPECT_TRUE(world.aims.empty());  // a quick run has no aims

  const std::string text = report.to_text();
  EXPECT_THAT(text, HasSubstr("nothing to claim"));
  EXPECT_THAT(text, HasSubstr("G1: 4096 states"));
  EXPECT_THAT(text, HasSubstr("cuSPARSE on an H100 1950 ms"));
  EXPECT_THAT(text, Not(HasSubstr("left out")));
  const auto json = report.to_json();
  EXPECT_EQ(json["worlds"][1]["name"], "wet-64x4");
  EXPECT_EQ(json["worlds"][0]["figures"][0]["sweeps"], serial.sweeps);
  EXPECT_EQ(json["worlds"][0]["literature_milliseconds"]["serial"], 21002);
}

TEST(MdpBenchmark, CountsModelBytesInTheSolversForm) {
  mdp::DecisionProcess<float> process;
  process.state_count = 2;
  process.action_count = 3;
  process.successor.resize(10);
  EXPECT_EQ(model_bytes(process), 10 * (4 + 4) + 6 * (8 + 4));
}

// A report of G2 with 2250 ms serial and 5 ms on the device, and a side that is left out.
MdpBenchmarkReport handmade_report() {
  MdpBenchmarkReport report;
  report.device_copy = 4e12;
  MdpWorldReport world;
  world.name = "G2";
  world.entries = 12'000'000;
  world.model_bytes = 144e6;
  MdpFigures serial;
  serial.name = serial_values_side;
  serial.method = mdp::Method::value_iteration;
  serial.seconds = serial.sweep_seconds = {2.25};
  serial.sweeps = 100;
  serial.converged = true;
  MdpFigures fused;
  fused.name = fused_device_side;
  fused.backend = BackendChoice::cuda;
  fused.seconds = {0.005, 0.004, 0.006};
  fused.sweep_seconds = {0.0048, 0.0048, 0.0048};
  fused.sweeps = 100;
  MdpFigures absent;
  absent.name = "policy-iteration cusparse, GPU";
  absent.trouble = "this build holds no cuSPARSE";
  world.figures = {serial, fused, absent};
  world.times.sides = {{serial.name, {2250}}, {fused.name, {5, 4, 6}}};
  report.worlds.push_back(world);
  add_aims(report, 2, report.worlds.back());
  return report;
}

TEST(MdpBenchmark, ReportsAimsOfAnExample) {
  const MdpBenchmarkReport report = handmade_report();
  const MdpWorldReport& world = report.worlds.front();
  ASSERT_EQ(world.times.ratios.size(), 1u);
  EXPECT_EQ(world.times.ratios[0].min, 300);
  EXPECT_DOUBLE_EQ(world.times.median_ratio(serial_values_side, fused_device_side), 450);
  ASSERT_EQ(world.aims.size(), 4u);
  EXPECT_DOUBLE_EQ(world.aims[0].measured, 2.25 / 0.0048);  // the time of sweeps only
  EXPECT_EQ(world.aims[0].min, 300);
  EXPECT_DOUBLE_EQ(world.aims[1].measured, 5);
  EXPECT_EQ(world.aims[1].max, 10);
  EXPECT_DOUBLE_EQ(world.aims[2].measured, 4.8);
  EXPECT_DOUBLE_EQ(world.aims[3].measured, 0.75);  // 144 MB in 48 µs of 4 TB/s
  EXPECT_EQ(world.aims[3].min, 0.7);
  const std::string text = report.to_text();
  EXPECT_THAT(text,
              HasSubstr("value-iteration, 1 thread / fused, GPU: 450.00  (aim: at least 300"));
  EXPECT_THAT(text, HasSubstr("left out: this build holds no cuSPARSE"));
  EXPECT_THAT(text, HasSubstr("100!"));
  EXPECT_EQ(report.to_json()["worlds"][0]["aims"][3]["aim"], 0.7);
}

TEST(MdpBenchmark, RejectsUnknownWorldsAndMissingDevices) {
  SilentProgress silent;
  MdpBenchmarkOptions options = quick_options();
  options.worlds = {"G9"};
  EXPECT_THROW(benchmark_mdp(options, silent), InputError);
  if (device_count() > 0) return;
  options = quick_options();
  options.sides.also_on = BackendChoice::cuda;
  EXPECT_THROW(benchmark_mdp(options, silent), InputError);
}

// Interrupts at the first report of progress.
class Interruption final : public Progress {
 public:
  void begin(std::string_view, std::int64_t, std::string_view) override {}
  void advance_to(std::int64_t) override { throw RunError("interrupted"); }
  void end() override {}
};

TEST(MdpBenchmark, StopsWhenInterrupted) {
  Interruption interruption;
  EXPECT_THROW(benchmark_mdp(quick_options(), interruption), RunError);
}

TEST(MdpWorlds, RewiresTheRequestedShareOfSuccessors) {
  const MdpWorld slip = mdp_world("rewired-450x10@0.9");
  EXPECT_EQ(slip.grid.n_x, 450);
  EXPECT_EQ(slip.grid.rewired_share, 0.1);
  EXPECT_EQ(slip.grid.discount, 0.9);
  const MdpWorld wet = mdp_world("rewired-wet-256x1x5");
  EXPECT_EQ(wet.grid.n_x, 256);
  EXPECT_EQ(wet.grid.move_probability[0], 1);
  EXPECT_EQ(wet.grid.rewired_share, 0.05);
  EXPECT_EQ(wet.grid.discount, 0.9);
  for (const char* name :
       {"rewired-wet-256x1", "rewired-wet-300x1x5", "rewired-1x5", "rewired-x"}) {
    EXPECT_THROW((void)mdp_world(name), InputError) << name;
  }
}

}  // namespace
}  // namespace tidewise
