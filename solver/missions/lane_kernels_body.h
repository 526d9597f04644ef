#pragma once

#include "solver/missions/lane_kernels.h"

// The one body of every kind of processor's lane kernels. `Vector` says what its vectors are:
//   lanes of one, vectors a pass; Floats, Actions, Mask; load, set, add, multiply, fma(a, b, c) =
//   a·b + c; greater; is_number; select and select_action(mask, yes, no); load_actions, set_action,
//   store_actions.
// A class of rows keeps landings, as PlainRows does.
// A file of kernels includes this once, so everything here is its own.

namespace tidewise {
namespace {

/// Keeps the landings of rows of one width, a column after the other.
class PlainRows {
 public:
  explicit PlainRows(std::int32_t width) : width_(width) {}
  /// Returns how many landings there are with this row's.
  [[gnu::always_inline]] std::int32_t keep(const std::uint32_t* count, const std::int32_t* place,
                                           float* kept_count, std::int32_t* kept_place,
                                           std::int32_t landings) const {
    for (std::int32_t column = 0; column < width_; ++column) {
      kept_count[landings] = static_cast<float>(count[column]);
      kept_place[landings] = place[column];
      landings += count[column] != 0 ? 1 : 0;
    }
    return landings;
  }

 private:
  std::int32_t width_;
};

template <class Rows>
void keep_transitions_of(const LandingStencils& windows, const Landings& kept) {
  const Rows keeper(windows.width);
  // Copies, which the stores below cannot change.
  const LandingStencils from = windows;
  const Landings to = kept;
  const std::uint32_t* count = from.count;
  std::int32_t landings = 0;
  std::int32_t rows = 0;
  for (std::int32_t a = 0; a < from.action_count; ++a) {
    const std::int32_t* place = from.place + from.first_place[a];
    for (std::int32_t row = 0; row < from.height; ++row) {
      const std::int32_t before = landings;
      landings = keeper.keep(count, place, to.count, to.place, landings);
      to.row_end[rows] = landings;
      rows += landings != before ? 1 : 0;
      count += from.width;
      place += from.place_width;
    }
    to.action_end[a] = rows;
  }
}

/// One pass over the landings for `Width` vectors of lanes.
template <class Vector, int Width, bool harvests, bool ends>
[[gnu::noinline]] void back_up_lanes(const Landings& landings, std::size_t lane,
                                     const LaneWorth& worth, const LaneCell& cell) {
  using Floats = typename Vector::Floats;
  using Actions = typename Vector::Actions;
  const auto at = [](int n) { return static_cast<std::size_t>(n) * Vector::lanes; };
  Floats best[Width];
  Actions best_action[Width];
  for (int n = 0; n < Width; ++n) {
    if (cell.first_action == 0) {
      best[n] = Vector::set(-__builtin_inff());
      best_action[n] = Vector::set_action(-1);
    } else {
      best[n] = Vector::load(cell.value + lane + at(n));
      best_action[n] = Vector::load_actions(cell.action + lane + at(n));
    }
  }
  const float* const next = worth.next + lane;
  const float* const penalty = worth.penalty + lane;
  const float* const harvest = worth.harvest + lane;
  const Floats inverse_count = Vector::set(worth.inverse_count);
  std::int32_t landing = 0;
  std::int32_t row = 0;
  for (std::int32_t a = 0; a < cell.action_count; ++a) {
    const float* const action_part =
        worth.action_part + static_cast<std::size_t>(cell.kind[a]) * worth.stride + lane;
    Floats part[Width];
    Floats total[Width];
    for (int n = 0; n < Width; ++n) part[n] = Vector::load(action_part + at(n));
    for (int n = 0; n < Width; ++n) total[n] = Vector::set(0.0F);
    for (; row < landings.action_end[a]; ++row) {
      Floats sum[Width];
      for (int n = 0; n < Width; ++n) sum[n] = Vector::set(0.0F);
      for (; landing < landings.row_end[row]; ++landing) {
        const Floats count = Vector::set(landings.count[landing]);
        const std::int32_t place = landings.place[landing];
        if (place == place_of_failure) {
          for (int n = 0; n < Width; ++n) {
            sum[n] = Vector::fma(count, Vector::load(penalty + at(n)), sum[n]);
          }
          continue;
        }
        const float* const there = next + static_cast<std::size_t>(place) * worth.stride;
        Floats scalars = count;
        if (harvests) scalars = Vector::set(cell.scalar_here + worth.scalar_next[place]);
        for (int n = 0; n < Width; ++n) {
          Floats reward = part[n];
          if (harvests) reward = Vector::fma(Vector::load(harvest + at(n)), scalars, reward);
          Floats landed = Vector::add(reward, Vector::load(there + at(n)));
          if (ends) {
            landed =
                Vector::select(Vector::is_number(landed), landed, Vector::load(penalty + at(n)));
          }
          sum[n] = Vector::fma(count, landed, sum[n]);
        }
      }
      for (int n = 0; n < Width; ++n) total[n] = Vector::add(total[n], sum[n]);
    }
    const Actions action = Vector::set_action(cell.first_action + a);
    for (int n = 0; n < Width; ++n) {
      const Floats expected = Vector::multiply(total[n], inverse_count);
      const auto better = Vector::greater(expected, best[n]);
      best[n] = Vector::select(better, expected, best[n]);
      best_action[n] = Vector::select_action(better, action, best_action[n]);
    }
  }
  for (int n = 0; n < Width; ++n) {
    Vector::store(cell.value + lane + at(n), best[n]);
    Vector::store_actions(cell.action + lane + at(n), best_action[n]);
  }
}

template <class Vector, bool harvests, bool ends>
void back_up_run(const Landings& landings, const LaneRun& run, const LaneWorth& worth,
                 const LaneCell& cell) {
  constexpr int most = Vector::vectors;
  constexpr std::size_t pass = most * Vector::lanes;
  constexpr int block = static_cast<int>(lane_block / Vector::lanes);
  static_assert(most % block == 0 && most / block <= 4);
  std::size_t lane = run.first;
  const std::size_t end = run.first + run.count;
  for (; lane + pass <= end; lane += pass) {
    back_up_lanes<Vector, most, harvests, ends>(landings, lane, worth, cell);
  }
  switch ((end - lane) / lane_block) {
    case 3:
      return back_up_lanes<Vector, 3 * block, harvests, ends>(landings, lane, worth, cell);
    case 2:
      return back_up_lanes<Vector, 2 * block, harvests, ends>(landings, lane, worth, cell);
    case 1:
      return back_up_lanes<Vector, block, harvests, ends>(landings, lane, worth, cell);
    default:
      return;
  }
}

template <class Vector>
void back_up(const Landings& landings, const LaneRun& run, const LaneWorth& worth,
             const LaneCell& cell) {
  if (run.harvests) {
    return run.ends ? back_up_run<Vector, true, true>(landings, run, worth, cell)
                    : back_up_run<Vector, true, false>(landings, run, worth, cell);
  }
  return run.ends ? back_up_run<Vector, false, true>(landings, run, worth, cell)
                  : back_up_run<Vector, false, false>(landings, run, worth, cell);
}

}  // namespace
}  // namespace tidewise
