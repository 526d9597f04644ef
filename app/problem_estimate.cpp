#include "app/problem_estimate.h"

#include <fmt/format.h>

#include <cmath>

#include "base/byte_size.h"
#include "base/error.h"
#include "solver/trajectory.h"

namespace tidewise {
namespace {

// Seconds on one core of a server of 2024 with AVX-512 vectors, measured on the published problem;
// a guide, not a promise.
constexpr double paper_per_transition = 6.6e-9;
constexpr double direct_per_transition = 0.41e-9;
constexpr double lattice_per_mode_and_realization = 0.07e-9;
constexpr double lattice_per_action = 30e-9;
constexpr double evaluation_per_mode_and_realization = 0.03e-9;

constexpr double fixed_memory = 30e6;  // program, libraries, and file caches of HDF5 [bytes]

std::string as_time(double seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds < 100) return fmt::format("about {:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("about {:.0f} min", seconds / 60);
  return fmt::format("about {:.1f} h", seconds / 3600);
}

double policy_bytes(const Workload& work) {
  const double states =
      static_cast<double>(work.info.grid.cell_count()) * static_cast<double>(work.levels);
  return states * (sizeof(float) + sizeof(std::int16_t));
}

}  // namespace

std::int64_t flight_count(const MissionFile& file, const std::vector<std::int32_t>& realizations) {
  switch (file.rollout.mode) {
    case RolloutChoice::none:
      return 0;
    case RolloutChoice::continuous:
      return static_cast<std::int64_t>(realizations.size());
    case RolloutChoice::chain:
      return file.rollout.flights;
  }
  return 0;
}

double estimate_flight_memory(std::int64_t flights, std::int64_t steps) {
  return static_cast<double>(flights) *
         (sizeof(Trajectory) + static_cast<double>(steps + 1) * sizeof(TrajectoryPoint));
}

void require_flights_fit(const MissionFile& file, const std::vector<std::int32_t>& realizations,
                         std::int64_t steps) {
  const std::int64_t flights = flight_count(file, realizations);
  const double bytes = estimate_flight_memory(flights, steps);
  if (bytes <= most_flight_memory) return;
  const char* key =
      file.rollout.mode == RolloutChoice::chain ? "rollout.flights" : "rollout.realizations";
  throw InputError(fmt::format(
      "{}: {} asks for {} flights of up to {} steps, which can take {} of memory (at most {}); fly "
      "{} or fewer, or take rollout.mode = \"none\"",
      file.place(key), key, flights, steps, describe_bytes(bytes),
      describe_bytes(most_flight_memory),
      std::floor(most_flight_memory / estimate_flight_memory(1, steps))));
}

std::int64_t estimate_memory(const Workload& work) {
  const EnvironmentInfo& info = work.info;
  const double cells = info.grid.cell_count();
  const double level =
      cells * (sizeof(float) * (2.0 + 2.0 * info.mode_count + (info.has_scalar ? 1 : 0)) + 2) +
      sizeof(float) * static_cast<double>(info.mode_count) *
          static_cast<double>(info.realization_count);
  constexpr double levels_in_hand = 3;
  constexpr double bytes_a_cell = 40;  // value, policy, masks, list of cells
  const double flights = static_cast<double>(work.flights) * static_cast<double>(work.levels) *
                         sizeof(TrajectoryPoint);
  return static_cast<std::int64_t>(fixed_memory + levels_in_hand * level + bytes_a_cell * cells +
                                   2 * flights);
}

double estimate_seconds(const Workload& work, Engine engine, std::int32_t threads) {
  const auto states = static_cast<double>(work.open_states);
  const auto actions = static_cast<double>(work.actions);
  const auto realizations = static_cast<double>(work.info.realization_count);
  double seconds = 0;
  switch (engine) {
    case Engine::paper:
      seconds = states * actions * realizations * paper_per_transition;
      break;
    case Engine::direct:
      seconds = states * actions * realizations * direct_per_transition;
      break;
    case Engine::lattice:
      seconds = states * (realizations * work.info.mode_count * lattice_per_mode_and_realization +
                          actions * lattice_per_action);
      break;
  }
  seconds += states * realizations * work.info.mode_count * evaluation_per_mode_and_realization;
  return seconds / threads;
}

std::string describe_memory(const Workload& work) {
  return fmt::format("about {}; the policy takes {} of disk at most",
                     describe_bytes(static_cast<double>(estimate_memory(work))),
                     describe_bytes(policy_bytes(work)));
}

std::string describe_time(const Workload& work, Engine engine, std::int32_t threads) {
  return fmt::format("{} with {} on {} thread(s), at the rate of a processor of 2024",
                     as_time(estimate_seconds(work, engine, threads)), to_string(engine), threads);
}

}  // namespace tidewise
