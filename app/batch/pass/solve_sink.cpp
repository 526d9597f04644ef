#include "app/batch/pass/solve_sink.h"

#include <algorithm>

#include "planner/run/run_mission.h"

namespace tidewise {

SolveSink::SolveSink(const MissionProblem& leader, const std::filesystem::path& path,
                     PolicyFiles policies, const std::vector<TimeLevel>& departures,
                     PolicyPool& pool) {
  const Grid& grid = leader.info().grid;
  const TimeLevel last = leader.mission.last;
  const std::size_t legs = leader.mission.via.size() + 1;
  const bool fits = legs * PolicyMemory::size(grid, last) <= PolicyStore::max_memory;
  if (policies == PolicyFiles::none && fits) {
    memory_.emplace(grid, last, departures, legs);
  } else {
    store_ = open_store(leader, path, departures, &pool);
  }
}

void SolveSink::accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                       View<const float> value) {
  decided_ += std::count_if(action.begin(), action.end(),
                            [](std::int16_t chosen) { return chosen != no_action; });
  if (store_) {
    store_->accept(leg, k, action, value);
  } else {
    memory_->accept(leg, k, action, value);
  }
}

void SolveSink::begin_completing() {
  if (store_) store_->begin_completing();
}

const PolicySource& SolveSink::source() {
  if (memory_) return *memory_;
  return store_->source();
}

void SolveSink::finish() {
  if (store_) store_->finish();
}

}  // namespace tidewise
