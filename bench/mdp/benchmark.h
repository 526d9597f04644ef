#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/mdp/sides.h"
#include "bench/mdp/worlds.h"
#include "bench/report.h"
#include "mdp/worlds/gridworld.h"

namespace tidewise {

enum class MdpPrecision { float32, float64 };

struct MdpBenchmarkOptions {
  std::vector<std::string> worlds;  ///< as mdp_world() knows them
  MdpSideChoice sides;
  std::int32_t repeats = 5;
  MdpPrecision precision = MdpPrecision::float32;
  MdpSize size = MdpSize::whole;  ///< quick: an eighth of each side, to see that all works
};

/// What one side did to one world.
struct MdpFigures {
  std::string name;
  std::string trouble;  ///< why it gave nothing; the rest is then empty
  mdp::Method method = mdp::Method::fused;
  BackendChoice backend = BackendChoice::cpu;
  std::vector<double> seconds;        ///< all of the method's work, as it says
  std::vector<double> sweep_seconds;  ///< its sweeps alone
  std::int64_t sweeps = 0;
  std::int64_t improvements = 0;
  bool converged = false;
  double error = 0;                ///< the most that its values can be wrong
  double difference = 0;           ///< the most that they differ from the first side's
  std::int64_t host_memory = 0;    ///< [B] the most that the process held meanwhile, world and all
  std::int64_t added_memory = 0;   ///< [B] what of that came on top of what it held before
  std::int64_t device_memory = 0;  ///< [B] the same on the device

  double seconds_per_sweep() const;
};

/// A claim about one figure.
struct MdpAim {
  std::string what;
  double measured = 0;
  double least = 0;  ///< 0: none
  double most = 0;   ///< 0: none
};

struct MdpWorldReport {
  std::string name;
  std::int64_t states = 0;
  std::int64_t entries = 0;
  double model_bytes =
      0;  ///< successors, probabilities, rewards and row starts, as solvers get them
  double make_seconds = 0;
  BenchmarkReport times;  ///< [ms] seconds of all sides that gave something, and claims about them
  std::vector<MdpFigures> figures;
  std::vector<MdpAim> aims;
};

struct MdpBenchmarkReport {
  std::string title;
  std::string machine;
  double host_copy = 0;    ///< [B/s] read and written by all threads
  double device_copy = 0;  ///< the same within the device; 0 without one
  std::vector<MdpWorldReport> worlds;

  std::string to_text() const;
  nlohmann::ordered_json to_json() const;
};

/// The bytes of the model that a sweep has to read once, in the form that solvers get.
template <class Real>
double model_bytes(const mdp::DecisionProcess<Real>& process) {
  return static_cast<double>(process.entry_count()) * (sizeof(std::int32_t) + sizeof(Real)) +
         static_cast<double>(process.row_count()) * (sizeof(std::int64_t) + sizeof(Real));
}

/// Solves each world by every side in turn, round by round, by solve_process(). What is fast runs
/// once more at first, to warm up. A side that cannot run says why and is left out. Errors:
/// InputError for a world that there is not, or a device where there is none; RunError when the
/// user interrupts.
MdpBenchmarkReport benchmark_mdp(const MdpBenchmarkOptions& options, Progress& progress);

}  // namespace tidewise
