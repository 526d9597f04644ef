#include "planner/api/request_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/error.h"
#include "planner/mission/key_table.h"

namespace tidewise {
namespace {

bool within(double value, double least, double most) {
  return std::isfinite(value) && value >= least && value <= most;
}

/// Each number once, none below 0.
template <class T>
bool are_distinct(const std::vector<T>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](T n) { return within(double(n), 0, 1e30); }) &&
         std::set<T>(numbers.begin(), numbers.end()).size() == numbers.size();
}

class Validation {
 public:
  explicit Validation(const RunRequest& request) : request_(request) {}

  void require(bool holds, std::string_view key, std::string_view allowed) const {
    if (holds) return;
    throw InputError(fmt::format("{}: {} must be {}", request_.place(key), key, allowed));
  }

  void validate_position(std::string_view key, const Position& position) const {
    if (position.frame == Position::Frame::plane) {
      require(std::isfinite(position.first) && std::isfinite(position.second), key, "two numbers");
    } else {
      require(within(position.first, -360, 360) && within(position.second, -90, 90), key,
              "degrees, longitude from -360 to 360 and latitude from -90 to 90");
    }
  }

  void validate_vehicle(const RunRequest::Vehicle& vehicle) const {
    require(!vehicle.speeds.empty() && are_distinct(vehicle.speeds), "vehicle.speeds",
            "one speed or more, each 0 or more and named once");
    require(within(vehicle.headings, 1, 32767), "vehicle.headings", "from 1 to 32767");
  }

  void validate_goal(const RunRequest::Goal& goal) const {
    constexpr double most = 1e30;  // rewards are added up in float32
    validate_position("mission.start", goal.start);
    validate_position("mission.target", goal.target);
    require(within(goal.target_radius, 0, most), "mission.target_radius", "0 or more");
    require(goal.departure >= 0, "mission.departure", "0 or more");
    require(goal.horizon.value_or(1) >= 1, "mission.horizon", "1 or more");
    require(within(goal.arrival_reward, -most, most), "mission.arrival_reward",
            "from -1e30 to 1e30");
    require(within(goal.failure_penalty.value_or(0), -most, most), "mission.failure_penalty",
            "from -1e30 to 1e30");
    for (const auto& [key, price] : {std::pair{"mission.failure.obstacle", goal.failure.obstacle},
                                     std::pair{"mission.failure.outside", goal.failure.outside},
                                     std::pair{"mission.failure.late", goal.failure.late}}) {
      require(within(price.value_or(0), -most, 0), key, "from -1e30 to 0");
    }
    validate_failure(goal, [&](std::string_view key) { return request_.place(key); });
    require(within(goal.energy.c_f, 0, most), "vehicle.energy.c_f", "0 or more");
    require(within(goal.energy.c_t, 0, most), "vehicle.energy.c_t", "0 or more");
    require(within(goal.energy.c_r, 0, most), "mission.harvest.c_r", "0 or more");
    require(within(goal.energy.alpha, 0, 1), "mission.weight.alpha", "from 0 to 1");
  }

  void validate_planner(const RunRequest::Planner& planner) const {
    require(planner.threads.value_or(1) >= 1, "planner.threads", "1 or more");
    require(within(planner.subgrid_radius, 0, 1024), "planner.subgrid_radius", "from 0 to 1024");
    require(planner.device >= 0, "planner.device", "0 or more");
    const auto* devices = std::get_if<std::vector<std::int32_t>>(&planner.devices);
    require(devices == nullptr || are_distinct(*devices), "planner.devices",
            "GPUs, each 0 or more and named once");
    require(planner.device_memory.value_or(1) >= 1, "planner.device_memory", "1 byte or more");
    require(within(planner.block_size, 1, 1024), "planner.block_size", "from 1 to 1024");
  }

  void validate_rollout(const RunRequest::Rollout& rollout) const {
    const auto* count = std::get_if<std::int32_t>(&rollout.realizations);
    const auto* list = std::get_if<std::vector<std::int32_t>>(&rollout.realizations);
    require((count == nullptr || *count >= 1) &&
                (list == nullptr || (!list->empty() && are_distinct(*list))),
            "rollout.realizations", "1 or more, or a list, each 0 or more and named once");
    require(within(rollout.flights, 1, 100'000'000), "rollout.flights", "from 1 to 100000000");
  }

 private:
  const RunRequest& request_;
};

}  // namespace

void validate_request(const RunRequest& request) {
  const Validation validation(request);
  validation.validate_vehicle(request.vehicle);
  validation.validate_goal(request.mission);
  validation.validate_planner(request.planner);
  validation.validate_rollout(request.rollout);
}

}  // namespace tidewise
