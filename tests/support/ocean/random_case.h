#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "env/environment_info.h"
#include "model_builder/step/actions.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise::test {

/// Writes an environment of random numbers: currents of about `speed` cells per step, some of whose
/// modes differ from cell to cell, scalars of either sign, and a few closed cells that change with
/// every level unless the mask is fixed. With fixed modes, part of the closed cells are dry. Each
/// profile has different numbers.
void write_random_environment(const std::filesystem::path& path, const EnvironmentInfo& info,
                              float speed, std::uint64_t seed = 1);

/// A policy of random actions; at odd levels a few cells have none.
class RandomPolicy final : public PolicySource {
 public:
  RandomPolicy(std::size_t action_count, std::uint64_t seed)
      : action_count_(action_count), seed_(seed) {}
  void read_action(TimeLevel k, View<std::int16_t> action) const override;
  void read_value(TimeLevel k, View<float> value) const override;

 private:
  std::size_t action_count_;
  std::uint64_t seed_;
};

/// Returns a mission for net energy over all levels of a random environment, from the middle of its
/// southern half to a few cells in the northern half.
Mission random_mission(const EnvironmentInfo& info);

/// Returns integer weights, (realization), some of them 0, whose sum is 2^24.
std::vector<std::uint32_t> random_weights(std::int32_t realizations);

}  // namespace tidewise::test
