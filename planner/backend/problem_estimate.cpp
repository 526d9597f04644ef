#include "planner/backend/problem_estimate.h"

#include <fmt/format.h>

#include <cmath>

#include "base/byte_size.h"
#include "base/error.h"
#include "base/memory/host_memory.h"
#include "env/levels/level_read_ahead.h"
#include "output/run/policy_store.h"
#include "planner/backend/device_budget.h"
#include "planner/error/codes.h"
#include "solver/evaluate/probability.h"
#include "solver/fly/trajectory.h"

namespace tidewise {
namespace {

/// Seconds that parts of the work take, measured on the published problem; a guide only.
struct Rates {
  double paper_per_transition;
  double direct_per_transition;
  double lattice_per_mode_and_realization;
  double lattice_per_action;
  double evaluation_per_mode_and_realization;
  double path_per_cell;
  double start;
};

/// One core of a server of 2024 with AVX-512 vectors.
constexpr Rates core_rates{6.6e-9, 0.41e-9, 0.07e-9, 30e-9, 0.03e-9, 1e-9, 0};
/// An H200 of 2024: 58 s, 0.86 s and 0.095 s a pass over the published problem. Starting a GPU
/// takes longer than that.
constexpr Rates gpu_rates{46e-12, 0.68e-12, 0.2e-12, 0.06e-9, 0.05e-12, 1e-12, 0.6};

constexpr double fixed_memory = 30e6;  // program, libraries, and file caches of HDF5 [bytes]
constexpr double cuda_memory = 300e6;  // host memory of CUDA's libraries [B]

/// Time of each further mission of a group at each state: its outcomes and its backup.
constexpr double core_backup_per_action = 3e-9;
constexpr double gpu_backup_per_action = 7e-12;
/// Time of each further mission of a group at each level, for its evaluation, flights and files; a
/// GPU waits for launches.
constexpr double gpu_flight_per_level = 0.8e-3;

/// Memory of the rows of one mission's policy, which a plan on the CPU keeps [B]. The limit
/// PolicyStore::max_rows is not applied.
double row_memory(const Workload& work, BackendKind backend) {
  constexpr double row = 72;
  return backend == BackendKind::cpu && work.held == 0 ? row * static_cast<double>(work.open_states)
                                                       : 0;
}

/// Share of the solve's seconds that an evaluation adds (docs/reference/speed.md): a tenth if all
/// rows are kept. Otherwise the evaluation counts the cells that the vehicle may enter again. These
/// are 1 to 70 % of all cells, and only the policy determines them.
double evaluated_share(const Workload& work, BackendKind backend) {
  const double rows = row_memory(work, backend);
  return rows > 0 && rows <= PolicyStore::max_rows ? 0.1 : 0.3;
}

double counting_seconds(const Workload& work, Engine engine, const Rates& rates) {
  const auto states = static_cast<double>(work.open_states);
  const auto actions = static_cast<double>(work.actions);
  const auto realizations = static_cast<double>(work.info.realization_count);
  switch (engine) {
    case Engine::paper:
      return states * actions * realizations * rates.paper_per_transition;
    case Engine::direct:
      return states * actions * realizations * rates.direct_per_transition;
    case Engine::lattice:
      return states * (realizations * work.info.mode_count * work.info.velocities *
                           rates.lattice_per_mode_and_realization +
                       actions * rates.lattice_per_action);
  }
  return 0;
}

double evaluation_seconds(const Workload& work, const Rates& rates) {
  return static_cast<double>(work.open_states) * work.info.realization_count *
         work.info.mode_count * rates.evaluation_per_mode_and_realization;
}

/// The rates above hold for steps of a few cells. Longer steps are searched for obstacles, which
/// adds time.
double path_seconds(const Workload& work, const Rates& rates) {
  constexpr double in_path_rates = 1000;  // landings times cells
  const double cells = static_cast<double>(work.landings) * static_cast<double>(work.path_cells);
  return static_cast<double>(work.open_states) * std::max(0.0, cells - in_path_rates) *
         rates.path_per_cell;
}

/// On the CPU the missions of a group share their counts. The remaining time of each evaluation
/// goes into the landings of its probability mass.
double group_evaluation_seconds(const GroupWorkload& work, const Rates& rates) {
  constexpr double landing_share = 0.1;
  const double one_by_one =
      static_cast<double>(work.missions) * evaluation_seconds(work.longest, rates);
  return std::min((1 - landing_share) * one_by_one,
                  counting_seconds(work.longest, Engine::lattice, rates)) +
         landing_share * one_by_one;
}

}  // namespace

std::int64_t flight_count(const RunRequest& request,
                          const std::vector<std::int32_t>& realizations) {
  switch (request.rollout.mode) {
    case RolloutChoice::none:
      return 0;
    case RolloutChoice::continuous:
      return static_cast<std::int64_t>(realizations.size());
    case RolloutChoice::chain:
      return request.rollout.flights;
  }
  return 0;
}

std::int64_t flight_count(const RolloutOptions& options) {
  return options.mode == RolloutMode::chain
             ? options.flights
             : static_cast<std::int64_t>(options.realizations.size());
}

double estimate_flight_memory(std::int64_t flights, std::int64_t steps, std::size_t tracks) {
  const auto whole = static_cast<double>(std::min(static_cast<std::size_t>(flights), tracks));
  const double points =
      whole * static_cast<double>(steps + 1) + 2 * (static_cast<double>(flights) - whole);
  return static_cast<double>(flights) * sizeof(Trajectory) + points * sizeof(TrajectoryPoint);
}

void require_flights_fit(const RunRequest& request, const std::vector<std::int32_t>& realizations,
                         std::int64_t steps) {
  const std::int64_t flights = flight_count(request, realizations);
  const double bytes = estimate_flight_memory(flights, steps);
  if (bytes <= max_flight_memory) return;
  const char* key =
      request.rollout.mode == RolloutChoice::chain ? "rollout.flights" : "rollout.realizations";
  throw input_error(errors::flights_exceed_memory, request.place(key), key, flights, steps,
                    describe_bytes(bytes), describe_bytes(max_flight_memory),
                    std::floor(max_flight_memory / estimate_flight_memory(1, steps)));
}

std::int64_t held_actions(const Mission& mission, std::size_t actions) {
  return mission.decisions.hold() ? static_cast<std::int64_t>((mission.via.size() + 1) * actions)
                                  : 0;
}

double estimate_held_memory(const Grid& grid, std::int64_t held, std::int32_t phases) {
  const double solving = 2.0 * phases * sizeof(float);
  constexpr double evaluating = 2 * sizeof(Probability) + sizeof(CellIndex) + sizeof(std::int16_t);
  return static_cast<double>(grid.cell_count()) * static_cast<double>(held) *
         std::max(solving, evaluating);
}

void require_held_fit(const RunRequest& request, const Mission& mission, const Grid& grid,
                      std::size_t actions) {
  const std::int32_t phases = request.planner.all_departures ? mission.decisions.every : 1;
  const double bytes = estimate_held_memory(grid, held_actions(mission, actions), phases);
  const auto available = static_cast<double>(available_memory());
  if (bytes <= available) return;
  throw input_error(errors::held_actions_exceed_memory, request.place("mission.decide_every"),
                    actions, grid.cell_count(), describe_bytes(bytes), describe_bytes(available));
}

std::int64_t estimate_memory(const Workload& work, BackendKind backend) {
  const EnvironmentInfo& info = work.info;
  const double cells = info.grid.cell_count();
  const auto level = static_cast<double>(device_level_bytes(info));
  // Two levels in use, and those that are read ahead.
  const auto read_ahead = ReadingWidth::of(device_level_bytes(info), 2).places;
  const double levels_in_hand = 2 + static_cast<double>(read_ahead);
  constexpr double bytes_per_cell = 40;  // value, policy, masks, list of cells
  const auto actions = static_cast<double>(
      PolicyMemory::size(info.grid, TimeLevel(static_cast<std::int32_t>(work.levels) - 1)));
  const double flights = static_cast<double>(work.flights) * static_cast<double>(work.levels) *
                         sizeof(TrajectoryPoint);
  return static_cast<std::int64_t>(
      fixed_memory + (backend == BackendKind::cuda ? cuda_memory : 0) + levels_in_hand * level +
      static_cast<double>(SharedModes<>::size(info)) + bytes_per_cell * cells +
      estimate_held_memory(info.grid, work.held) +
      (actions <= PolicyStore::max_memory ? actions : 0) + 2 * flights);
}

double estimate_seconds(const Workload& work, Engine engine, const Backend& backend) {
  return estimate_group_seconds({work, 1, 1}, engine, backend);
}

double estimate_group_seconds(const GroupWorkload& work, Engine engine, const Backend& backend) {
  const bool on_gpu = backend.kind == BackendKind::cuda;
  const Rates& rates = on_gpu ? gpu_rates : core_rates;
  const double decisions =
      static_cast<double>(work.longest.open_states) * static_cast<double>(work.longest.actions);
  const double backups = static_cast<double>(work.solves - 1) * decisions *
                         (on_gpu ? gpu_backup_per_action : core_backup_per_action);
  const double flights = on_gpu
                             ? static_cast<double>(work.missions - 1) *
                                   static_cast<double>(work.longest.levels) * gpu_flight_per_level
                             : 0;
  const double seconds = counting_seconds(work.longest, engine, rates) +
                         path_seconds(work.longest, rates) + backups +
                         group_evaluation_seconds(work, rates) + flights;
  return rates.start + seconds / (on_gpu ? 1 : backend.threads);
}

double estimate_policy_bytes(const EnvironmentInfo& info, std::int64_t levels) {
  const double states = static_cast<double>(info.grid.cell_count()) * static_cast<double>(levels);
  return states * (sizeof(float) + sizeof(std::int16_t));
}

double estimate_trajectory_bytes(std::int64_t flights, std::int64_t levels, std::size_t tracks) {
  constexpr double bytes_per_point = 60;  // with longitude and latitude, before it is packed
  const auto stored = static_cast<double>(std::min(static_cast<std::size_t>(flights), tracks));
  return static_cast<double>(flights) * sizeof(Trajectory) +
         stored * static_cast<double>(levels) * bytes_per_point;
}

std::string describe_seconds(double seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds < 100) return fmt::format("about {:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("about {:.0f} min", seconds / 60);
  return fmt::format("about {:.1f} h", seconds / 3600);
}

std::string describe_memory(const Workload& work, const Backend& backend) {
  const double rows = std::min<double>(PolicyStore::max_rows, row_memory(work, backend.kind));
  std::string text =
      fmt::format("about {}; the policy takes {} of disk at most",
                  describe_bytes(static_cast<double>(estimate_memory(work, backend.kind)) + rows),
                  describe_bytes(estimate_policy_bytes(work.info, work.levels)));
  if (backend.kind == BackendKind::cuda) {
    const auto levels = static_cast<double>(
        device_levels_bytes(work.info, static_cast<std::size_t>(work.info.time.level_count)));
    text += fmt::format("; of the GPU's {} that it may take, {} hold all levels and {} the least",
                        describe_bytes(static_cast<double>(backend.device_memory)),
                        describe_bytes(levels),
                        describe_bytes(static_cast<double>(min_device_memory(work.info))));
  }
  return text;
}

std::string describe_time(const Workload& work, Engine engine, const Backend& backend,
                          std::optional<double> solving) {
  if (solving) {
    return fmt::format("{} with {} on {} thread(s), estimated from a sample of its cells",
                       describe_seconds((1 + evaluated_share(work, backend.kind)) * *solving),
                       to_string(engine), backend.threads);
  }
  const std::string time = describe_seconds(estimate_seconds(work, engine, backend));
  if (backend.kind == BackendKind::cuda) {
    return fmt::format("{} with {} on {}, at the rate of an H200", time, to_string(engine),
                       backend.device);
  }
  return fmt::format("{} with {} on {} thread(s), at the rate of a processor of 2024", time,
                     to_string(engine), backend.threads);
}

}  // namespace tidewise
