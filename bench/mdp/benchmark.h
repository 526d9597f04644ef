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

/// Floating-point type of the processes.
enum class MdpPrecision { float32, float64 };

/// Options of benchmark_mdp().
struct MdpBenchmarkOptions {
  std::vector<std::string> worlds;  ///< names for mdp_world()
  MdpSideChoice sides;
  std::int32_t repeats = 5;
  MdpPrecision precision = MdpPrecision::float32;
  MdpSize size = MdpSize::whole;  ///< quick: an eighth of each side, for a test of the program
};

/// Results of one side for one world.
struct MdpFigures {
  std::string name;
  std::string trouble;  ///< reason why there are no results; the rest is then empty
  mdp::Method method = mdp::Method::fused;
  BackendChoice backend = BackendChoice::cpu;
  std::vector<double> seconds;        ///< the method's total time, as it reports it
  std::vector<double> sweep_seconds;  ///< time of its sweeps
  std::int64_t sweeps = 0;
  std::int64_t improvements = 0;
  bool converged = false;
  double error = 0;                ///< bound on the error of its values
  double difference = 0;           ///< maximum difference of its values from the first side's
  std::int64_t host_memory = 0;    ///< [B] maximum memory of the process, including the world
  std::int64_t added_memory = 0;   ///< [B] maximum memory minus the memory before
  std::int64_t device_memory = 0;  ///< [B] maximum memory minus the memory before, on the device

  /// Median time of a sweep [s].
  double seconds_per_sweep() const;
};

/// A claim about one number.
struct MdpAim {
  std::string what;
  double measured = 0;
  double min = 0;  ///< 0: none
  double max = 0;  ///< 0: none
};

/// Results for one world.
struct MdpWorldReport {
  std::string name;
  std::int64_t states = 0;
  std::int64_t entries = 0;
  /// successors, probabilities, rewards and row starts, as solvers get them
  double model_bytes = 0;
  double make_seconds = 0;
  BenchmarkReport times;  ///< [ms] of all sides with results, and claims about them
  std::vector<MdpFigures> figures;
  std::vector<MdpAim> aims;
};

/// Results of benchmark_mdp().
struct MdpBenchmarkReport {
  std::string title;
  std::string machine;
  double host_copy = 0;    ///< [B/s] read and written by all threads
  double device_copy = 0;  ///< [B/s] within the device; 0 without a device
  std::vector<MdpWorldReport> worlds;

  /// The report as tables.
  std::string to_text() const;
  /// The report as JSON.
  nlohmann::ordered_json to_json() const;
};

/// Bytes of the model that a sweep must read once, in the form that solvers receive.
template <class Real>
double model_bytes(const mdp::DecisionProcess<Real>& process) {
  return static_cast<double>(process.entry_count()) * (sizeof(std::int32_t) + sizeof(Real)) +
         static_cast<double>(process.row_count()) * (sizeof(std::int64_t) + sizeof(Real));
}

/// Solves each world by every side in turn, round by round, by solve_process(). Fast sides first
/// run one more round to warm up. A side that cannot run reports the reason and is left out.
/// Errors: InputError for an unknown world or a missing device; RunError if the user interrupts.
MdpBenchmarkReport benchmark_mdp(const MdpBenchmarkOptions& options, Progress& progress);

}  // namespace tidewise
