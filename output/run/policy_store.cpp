#include "output/run/policy_store.h"

#include <algorithm>
#include <utility>

#include "base/memory/host_memory.h"
#include "base/stopwatch.h"
#include "env/file/grid_mapping.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

/// Least memory for waiting levels [B]: a GPU solves small levels faster than a thread packs them.
constexpr std::size_t min_waiting_memory = std::size_t{128} << 20;

}  // namespace

PolicyStore::PolicyStore(std::filesystem::path path, const EnvironmentReader& environment,
                         const PlanningProblem& problem, const std::string& mission_text,
                         std::size_t memory, std::vector<TimeLevel> departures, PolicyPool* pool,
                         const std::string& environment_fingerprint, PolicyExtent extent,
                         bool for_all_departures)
    : path_(std::move(path)),
      threaded_writer_(writer_,
                       pool != nullptr
                           ? *pool
                           : default_pool_.emplace(std::size_t{1},
                                                   std::max(waiting_memory(environment.info().grid),
                                                            min_waiting_memory))) {
  const EnvironmentInfo& info = environment.info();
  const std::size_t legs = problem.mission.via.size() + 1;
  const PolicyOrigin origin{
      problem.mission.objective,
      environment_fingerprint,
      legs,
      extent == PolicyExtent::from_start ? std::optional(problem.mission.departure) : std::nullopt,
      {problem.mission.decisions.every, problem.mission.decisions.phase, for_all_departures},
      problem.mission.energy};
  std::vector<double> longitude;
  std::vector<double> latitude;
  if (info.coordinates == Coordinates::geographic) {
    longitude = environment.read_longitude();
    latitude = environment.read_latitude();
  }
  threaded_writer_.then(
      [this, info, actions = problem.actions, mission_text, last = problem.mission.last, origin,
       longitude = std::move(longitude), latitude = std::move(latitude),
       mapping = read_grid_mapping(environment.file(), environment.names().u_mean)] {
        PolicyWriter& writer =
            writer_.made.emplace(path_, info, actions, mission_text, last, origin);
        if (!longitude.empty()) writer.write_longitude_latitude(longitude, latitude);
        writer.write_grid_mapping(mapping);
      });
  if (legs * PolicyMemory::size(info.grid, problem.mission.last) <= memory) {
    for (const TimeLevel k : departure_levels(problem.mission)) departures.push_back(k);
    memory_.emplace(info.grid, problem.mission.last, departures, legs);
    memory_->keep_rows(std::min<std::size_t>(max_rows, available_memory() / 4));
  }
}

std::size_t PolicyStore::waiting_memory(const Grid& grid) {
  constexpr std::size_t levels = 8;
  return levels * static_cast<std::size_t>(grid.cell_count()) *
         (sizeof(std::int16_t) + sizeof(float));
}

std::size_t PolicyStore::memory_needed(const Grid& grid, TimeLevel last, std::size_t departures,
                                       std::size_t legs) {
  const std::size_t policy_memory = legs * PolicyMemory::size(grid, last, departures);
  return waiting_memory(grid) + (policy_memory <= max_memory ? policy_memory : 0);
}

void PolicyStore::accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                         View<const float> value) {
  if (memory_) {
    memory_->accept(leg, k, action, value);
    threaded_writer_.accept_lasting(leg, k, memory_->accepted(leg, k), value);
  } else {
    threaded_writer_.accept(leg, k, action, value);
  }
}

const PolicySource& PolicyStore::source() {
  if (memory_) {
    begin_completing();
    return *memory_;
  }
  finish();
  if (!file_) file_.emplace(path_);
  return *file_;
}

/// Completes the file in the writing thread: flushing to disk can take longer than flying.
void PolicyStore::begin_completing() {
  if (state_ != State::open) return;
  threaded_writer_.then([this] { writer_.made->finish(); });
  state_ = State::completing;
}

void PolicyStore::finish() {
  begin_completing();
  if (state_ == State::complete) return;
  const Stopwatch waiting;
  state_ = State::complete;
  threaded_writer_.finish();
  waited_ += waiting.seconds();
}

}  // namespace tidewise
