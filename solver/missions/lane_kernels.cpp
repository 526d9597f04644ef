#include "solver/missions/lane_kernels.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solver/missions/lane_kernels.cpp"
#include "base/simd/each_target.h"
#include "base/simd/vectors.h"

HWY_BEFORE_NAMESPACE();
namespace tidewise {
namespace HWY_NAMESPACE {
namespace {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

// Copies the landings of a row; returns the number of landings so far. `columns_at_once`: columns
// that are examined at once if the processor can compress vectors.
template <std::size_t columns_at_once>
HWY_INLINE std::int32_t compress_row(const std::uint32_t* count, const std::int32_t* place,
                                     std::int32_t width, float* out_count, std::int32_t* out_place,
                                     std::int32_t landings) {
#if HWY_CAP_GE512 || HWY_HAVE_SCALABLE
  static_assert(columns_at_once <= landing_slack);
  const hn::CappedTag<std::int32_t, columns_at_once> d;
  const hn::RebindToFloat<decltype(d)> df;
  const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
  for (std::int32_t column = 0; column < width; column += lanes) {
    const auto within = hn::FirstN(d, static_cast<std::size_t>(std::min(width - column, lanes)));
    const auto* const signed_count =
        reinterpret_cast<const std::int32_t*>(count);  // counts are below 2^31
    const auto counts = hn::MaskedLoad(within, d, signed_count + column);
    const auto places = hn::MaskedLoad(within, d, place + column);
    const auto is_positive = hn::Ne(counts, hn::Zero(d));
    hn::StoreU(hn::ConvertTo(df, hn::Compress(counts, is_positive)), df, out_count + landings);
    hn::StoreU(hn::Compress(places, is_positive), d, out_place + landings);
    landings += static_cast<std::int32_t>(hn::CountTrue(d, is_positive));
  }
#else
  for (std::int32_t column = 0; column < width; ++column) {
    out_count[landings] = static_cast<float>(count[column]);
    out_place[landings] = place[column];
    landings += count[column] != 0 ? 1 : 0;
  }
#endif
  return landings;
}

template <std::size_t columns_at_once>
void compress_rows(const LandingStencils& windows, const Landings& out) {
  // Local copies, because the stores below might alias.
  const LandingStencils from = windows;
  const Landings to = out;
  const std::uint32_t* count = from.count;
  std::int32_t landings = 0;
  std::int32_t rows = 0;
  for (std::int32_t a = 0; a < from.action_count; ++a) {
    const std::int32_t* place = from.place + from.first_place[a];
    for (std::int32_t row = 0; row < from.height; ++row) {
      const std::int32_t before = landings;
      landings =
          compress_row<columns_at_once>(count, place, from.width, to.count, to.place, landings);
      to.row_end[rows] = landings;
      rows += landings != before ? 1 : 0;
      count += from.width;
      place += from.place_width;
    }
    to.action_end[a] = rows;
  }
}

using Floats = hn::CappedTag<float, lane_block>;
using Actions = hn::Rebind<std::int32_t, Floats>;
using StoredActions = hn::Rebind<std::int16_t, Floats>;

// One pass over the landings for `n` vectors of lanes.
template <int n, bool harvests, bool ends>
HWY_NOINLINE void back_up_vectors(const Landings& landings, std::size_t lane,
                                  const LaneValues& values, const LaneCell& cell) {
  const Floats d;
  const Actions da;
  const StoredActions stored;
  auto best = set<n>(d, -std::numeric_limits<float>::infinity());
  auto best_action = set<n>(da, -1);
  if (cell.first_action != 0) {
    best = load<n>(d, cell.value + lane);
    best_action = load_as<n>(da, cell.action + lane);
  }
  const float* const next = values.next + lane;
  const float* const harvest = values.harvest + lane;
  std::int32_t landing = 0;
  std::int32_t row = 0;
  for (std::int32_t a = 0; a < cell.action_count; ++a) {
    const auto part = load<n>(
        d, values.action_part + static_cast<std::size_t>(cell.kind[a]) * values.stride + lane);
    auto total = set<n>(d, 0.0F);
    for (; row < landings.action_end[a]; ++row) {
      auto sum = set<n>(d, 0.0F);
      for (; landing < landings.row_end[row]; ++landing) {
        const auto count = set<n>(d, landings.count[landing]);
        const std::int32_t place = landings.place[landing];
        if (place == place_of_obstacle || place == place_outside) {
          const float* penalty = place == place_of_obstacle ? values.obstacle : values.outside;
          sum = fma(count, load<n>(d, penalty + lane), sum);
          continue;
        }
        const bool enters_target = place <= first_place_of_ends;
        const auto end = static_cast<std::size_t>(enters_target ? first_place_of_ends - place : 0);
        auto reward = part;
        if constexpr (harvests) {
          const std::int32_t landing_cell = enters_target ? cell.ends.scalar_cell[end] : place;
          const auto scalars = set<n>(d, cell.scalar_from + values.scalar_next[landing_cell]);
          reward = fma(load<n>(d, harvest), scalars, reward);
        }
        if (enters_target) {
          const std::size_t at = end * values.stride + lane;
          const auto gained = load<n>(d, cell.ends.gained + at);
          const auto landed = fma(load<n>(d, cell.ends.fraction + at), reward, gained);
          sum = fma(count, landed, sum);
          continue;
        }
        const std::size_t first_lane = static_cast<std::size_t>(place) * values.stride;
        auto landed = add(reward, load<n>(d, next + first_lane));
        if constexpr (ends) {
          const auto late = load<n>(d, values.late + first_lane + lane);
          landed = select(d, is_number(landed), landed, late);
        }
        sum = fma(count, landed, sum);
      }
      total = add(total, sum);
    }
    const auto expected = multiply(total, set<n>(d, values.inverse_count));
    const auto better = greater(expected, best);
    best = select(d, better, expected, best);
    best_action = select(da, better, set<n>(da, cell.first_action + a), best_action);
  }
  store(d, best, cell.value + lane);
  store(stored,
        each([&](auto action) HWY_ATTR { return hn::DemoteTo(stored, action); }, best_action),
        cell.action + lane);
}

// Backs up lanes [first, end), `n` vectors in each pass and fewer for the rest.
template <int n, bool harvests, bool ends>
void back_up_range(const Landings& landings, std::size_t first, std::size_t end,
                   const LaneValues& values, const LaneCell& cell) {
  constexpr int block = vectors_for(Floats(), lane_block, lane_block);
  const std::size_t pass = n * hn::Lanes(Floats());
  for (; first + pass <= end; first += pass) {
    back_up_vectors<n, harvests, ends>(landings, first, values, cell);
  }
  if constexpr (n > block) {
    back_up_range<n - block, harvests, ends>(landings, first, end, values, cell);
  }
}

template <bool harvests, bool ends>
void back_up_run(const Landings& landings, const LaneRun& run, const LaneValues& values,
                 const LaneCell& cell) {
  // At most four vectors, because the data of each vector fill five registers.
  constexpr int max_vectors = std::max(vectors_for(Floats(), lane_block, lane_block),
                                       vectors_for(Floats(), 4 * lane_block, 4));
  back_up_range<max_vectors, harvests, ends>(landings, run.first, run.first + run.count, values,
                                             cell);
}

void keep_transitions(const LandingStencils& windows, const Landings& out) {
  windows.width <= 8 ? compress_rows<8>(windows, out) : compress_rows<16>(windows, out);
}

void back_up_lanes(const Landings& landings, const LaneRun& run, const LaneValues& values,
                   const LaneCell& cell) {
  if (run.harvests) {
    return run.ends ? back_up_run<true, true>(landings, run, values, cell)
                    : back_up_run<true, false>(landings, run, values, cell);
  }
  return run.ends ? back_up_run<false, true>(landings, run, values, cell)
                  : back_up_run<false, false>(landings, run, values, cell);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tidewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidewise {

HWY_EXPORT(keep_transitions);
HWY_EXPORT(back_up_lanes);

void keep_transitions(const LandingStencils& windows, const Landings& out) {
  HWY_DYNAMIC_DISPATCH(keep_transitions)(windows, out);
}

void back_up_lanes(const Landings& landings, const LaneRun& run, const LaneValues& values,
                   const LaneCell& cell) {
  HWY_DYNAMIC_DISPATCH(back_up_lanes)(landings, run, values, cell);
}

}  // namespace tidewise
#endif
