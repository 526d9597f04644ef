#pragma once

#include <cmath>
#include <cstdint>

#include "base/floor_divide.h"
#include "solver/backup/expectation.h"
#include "solver/policy/policy.h"
#include "solver/step/outcome.h"

namespace tidewise {

/// Bellman backup on the device: takes the counts of a cell from a kernel and keeps the best
/// action, the lowest index on a tie. Same bits as LevelBackup. Trivially copyable.
struct DeviceBackup {
  static constexpr bool takes_tables = false;   // the direct kernel passes lines
  static constexpr std::size_t max_warps = 16;  ///< maximum number of warps of a cell's group

  OutcomeRule rule;
  View<const float> kind;                ///< distinct rewards of actions, (kind)
  View<const std::int32_t> kind_of;      ///< (action): index into `kind`
  View<const std::uint8_t> near_masked;  ///< (y, x): 1 where a closed cell may lie on a path
  float inverse_count = 1;
  float* value = nullptr;          ///< (y, x)
  std::int16_t* action = nullptr;  ///< (y, x)
  std::int32_t* overflow = nullptr;
  std::int32_t first_action = 0;  ///< index of the counts' first action
  bool joins = false;             ///< `value` and `action` hold the best of earlier actions
  std::int32_t table_size = 0;    ///< number of outcomes in the kernel's shared memory

  /// The best action so far. Without initializers, so that it can be in shared memory.
  struct Best {
    float value;
    std::int32_t action;
  };
  static constexpr __host__ __device__ Best none() { return {-INFINITY, no_action}; }

  __device__ float outcome(std::int32_t column, std::int32_t row, Offset to, PathsFromCell ways,
                           float action_part) const {
    return rule.step_return(rule.landing(column, row, to, ways), column, row, to, action_part);
  }

  /// Facts of the paths to landings from `first` to `last`.
  __device__ PathsFromCell paths_from(std::int32_t cell, std::int32_t column, std::int32_t row,
                                      Offset first, Offset last) const {
    return {near_masked[static_cast<std::size_t>(cell)] == 0,
            rule.landing.off_target(column, row, first, last)};
  }

  __device__ void decide(std::int32_t cell, Best best) const {
    if (joins) {
      if (best.action != no_action) best.action += first_action;
      best = better({value[cell], action[cell]}, best);
    }
    value[cell] = best.value;
    action[cell] = static_cast<std::int16_t>(best.action);
    if (!isfinite(best.value)) *overflow = 1;
  }

  // For the lattice kernel.

  template <class Table>
  __device__ bool fits(const Table& table) const {
    const Offset first = table.first();
    const Offset last = table.last();
    return static_cast<std::int32_t>(kind.size) * (last.dx - first.dx + 1) *
               (last.dy - first.dy + 1) <=
           table_size;
  }
  __host__ __device__ std::size_t shared_bytes() const {
    return (static_cast<std::size_t>(table_size) * sizeof(float) + max_warps * sizeof(Best) + 15) /
           16 * 16;
  }

  template <class Table, class Group>
  __device__ void take(std::int32_t cell, const Table& table, char* memory,
                       const Group& group) const {
    take_by(*this, cell, table, memory, group);
  }

  // The backup of held actions replaces the following functions (held_backup.cu).
  __device__ float outcome_in_window(std::int32_t column, std::int32_t row, Offset to,
                                     PathsFromCell ways, float action_part) const {
    return outcome(column, row, to, ways, action_part);
  }
  __device__ float outcome_of(std::int32_t, float in_window, std::int32_t, std::int32_t) const {
    return in_window;
  }
  /// Returns the number by which actions are compared.
  __device__ float keep(std::int32_t, std::int32_t, float expected) const { return expected; }

  template <class Backup, class Table, class Group>
  __device__ void take_by(const Backup& backup, std::int32_t cell, const Table& table, char* memory,
                          const Group& group) const {
    auto* of_warp = reinterpret_cast<Best*>(memory);
    auto* returns = reinterpret_cast<float*>(memory + max_warps * sizeof(Best));
    const Offset first = table.first();
    const Offset last = table.last();
    const std::int32_t width = last.dx - first.dx + 1;
    const std::int32_t window = width * (last.dy - first.dy + 1);
    const std::int32_t nx = rule.landing.grid.nx;
    const std::int32_t row = cell / nx;
    const std::int32_t column = cell - row * nx;
    const PathsFromCell ways = paths_from(cell, column, row, first, last);
    const auto kinds = static_cast<std::int32_t>(kind.size);
    const float inverse_width = 1.0F / static_cast<float>(width);
    for (std::int32_t place = group.rank(); place < window; place += Group::size) {
      const std::int32_t dy = floor_divide_by(place, inverse_width);
      const Offset to{first.dx + place - dy * width, first.dy + dy};
      for (std::int32_t k = 0; k < kinds; ++k) {
        returns[k * window + place] =
            backup.outcome_in_window(column, row, to, ways, kind[static_cast<std::size_t>(k)]);
      }
    }
    group.sync();
    Best best = none();
    const auto actions = static_cast<std::int32_t>(kind_of.size);
    for (std::int32_t a = group.rank(); a < actions; a += Group::size) {
      const Offset from = table.origin(a);
      const float* values = returns + kind_of[static_cast<std::size_t>(a)] * window +
                            (from.dy - first.dy) * width + from.dx - first.dx;
      std::int32_t landing_cell = cell + from.dy * nx + from.dx;
      OrderedSum sum;
      table.visit(
          a,
          [&](std::int32_t c, std::int32_t, std::uint32_t count) {
            sum.add(static_cast<float>(count),
                    backup.outcome_of(a, values[c], cell, landing_cell + c));
          },
          [&] {
            sum.next_row();
            values += width;
            landing_cell += nx;
          });
      const float expected = backup.keep(cell, a, sum.total * inverse_count);
      if (expected > best.value) best = {expected, a};
    }
    best = best_of_warp(best);
    if (group.rank() % 32 == 0) of_warp[group.rank() / 32] = best;
    group.sync();
    if (group.rank() != 0) return;
    for (std::int32_t w = 1; w < Group::size / 32; ++w) best = better(best, of_warp[w]);
    decide(cell, best);
  }

  // For the direct kernel.

  __device__ float line(std::int32_t cell, std::int32_t a, Offset first, const std::uint32_t* count,
                        std::int32_t width) const {
    const std::int32_t nx = rule.landing.grid.nx;
    const std::int32_t row = cell / nx;
    const std::int32_t column = cell - row * nx;
    const PathsFromCell ways =
        paths_from(cell, column, row, first, {first.dx + width - 1, first.dy});
    const float part = kind[static_cast<std::size_t>(kind_of[static_cast<std::size_t>(a)])];
    OrderedSum sum;
    for (std::int32_t c = 0; c < width; ++c) {
      if (count[c] == 0) continue;
      const Offset to{first.dx + c, first.dy};
      sum.add(static_cast<float>(count[c]), outcome(column, row, to, ways, part));
    }
    return sum.row;
  }
  __device__ void of_action(std::int32_t, std::int32_t a, float sum, Best& best) const {
    const float expected = sum * inverse_count;
    if (expected > best.value) best = {expected, a};
  }

  __device__ static Best better(const Best& a, const Best& b) {
    return b.value > a.value || (b.value == a.value && b.action < a.action) ? b : a;
  }
  __device__ static Best best_of_warp(Best best) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
      const Best other{__shfl_xor_sync(0xffffffffu, best.value, d),
                       __shfl_xor_sync(0xffffffffu, best.action, d)};
      best = better(best, other);
    }
    return best;
  }
};

}  // namespace tidewise
