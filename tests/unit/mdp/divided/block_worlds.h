#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "mdp/process/row_writer.h"

namespace tidewise::mdp::cases {

/// Returns a slip world. A step succeeds with probability .9 and otherwise goes to either side; the
/// border blocks it. Each step has the reward `step_reward`, which must be negative for γ = 1. The
/// last cell is the terminal goal of value 10.
template <class Real>
DecisionProcess<Real> slip_world(std::int32_t width, std::int32_t height, double discount,
                                 double step_reward = -1) {
  constexpr std::int32_t dx[] = {1, 0, -1, 0};
  constexpr std::int32_t dy[] = {0, 1, 0, -1};
  const std::int32_t goal = width * height - 1;
  RowWriter<Real> writer(width * height, 4);
  for (std::int32_t s = 0; s < goal; ++s) {
    const auto neighbour = [&](std::int32_t a) {
      const std::int32_t x = s % width + dx[a];
      const std::int32_t y = s / width + dy[a];
      return x < 0 || y < 0 || x >= width || y >= height ? s : y * width + x;
    };
    for (std::int32_t a = 0; a < 4; ++a) {
      std::vector<Transition> row{{neighbour(a), .9, 0},
                                  {neighbour((a + 1) % 4), .05, 0},
                                  {neighbour((a + 3) % 4), .05, 0}};
      if (!writer.add_row(row, step_reward).empty()) std::abort();
    }
  }
  DecisionProcess<Real> process = writer.finish();
  process.discount = discount;
  process.initial_value.assign(static_cast<std::size_t>(goal) + 1, 0);
  process.initial_value.back() = 10;
  return process;
}

}  // namespace tidewise::mdp::cases
