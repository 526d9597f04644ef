#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"

namespace tidewise::mdp {

/// States that are backed up side by side: a warp of a GPU, two vectors of 16 floats.
inline constexpr std::int32_t slice_states = 32;

/// Slices of a process with this many states.
inline std::int64_t slice_count(std::int64_t states) {
  return (states + slice_states - 1) / slice_states;
}

/// A position that a row does not have, where its neighbours in a slice do: no probability.
inline constexpr int no_entry = -1;

/// The sliced layout: for every (slice, action) the entries of its rows position by position, the
/// lanes of a position side by side, so that neighbouring lanes read neighbouring words.
template <class Real>
struct SellSlices {
  std::int32_t state_count;
  std::int32_t action_count;
  Real discount;
  const std::int64_t* begin;      ///< first position, (slice, action + 1)
  const std::uint32_t* lanes;     ///< bit l: lane l has the action, (slice, action)
  const std::int32_t* successor;  ///< (position, lane); a state that exists, whatever the lane has
  const Real* probability;        ///< (position, lane); no_entry where the row has ended
  const Real* reward;             ///< (slice, action, lane)
};

/// The packed layout: for every slice a program of 16-byte units that says all of its rows. Slices
/// whose programs are alike share one, so the inside of a grid world takes almost no memory.
///
/// A program has, for every action, a SliceAction, then (lane_rewards) 32 rewards, then `count` of
///  - SliceTerm: successors at one distance from their states, of one probability, for the lanes
///    of a mask. Terms ascend by distance, and so every lane's successors ascend.
///  - or (lanewise) positions: 32 successors, as int32 or (narrow) int16 from the slice's first
///    state, and 32 probabilities, as numbers or (coded) as bytes into `dictionary`.
template <class Real>
struct PackedSlices {
  std::int32_t state_count;
  std::int32_t action_count;
  Real discount;
  const std::uint32_t* begin;  ///< first unit of the program, (slice)
  const unsigned char* units;  ///< 16 bytes each, and aligned so
  const Real* dictionary;      ///< up to 256 probabilities, the first of them no_entry
};

template <class Real>
struct alignas(16) SliceAction {
  std::uint32_t count_and_kind;
  std::uint32_t lanes;  ///< bit l: lane l has the action
  Real reward;          ///< of every lane, unless lane_rewards
};
template <class Real>
struct alignas(16) SliceTerm {
  std::int32_t distance;  ///< successor − state
  std::uint32_t lanes;
  Real probability;
};
inline constexpr std::size_t unit_bytes = 16;
static_assert(sizeof(SliceAction<float>) == unit_bytes && sizeof(SliceTerm<float>) == unit_bytes);
static_assert(sizeof(SliceAction<double>) == unit_bytes && sizeof(SliceTerm<double>) == unit_bytes);

/// SliceAction::count_and_kind: a count in the low bits, and what it counts.
namespace slice_kind {
inline constexpr std::uint32_t count_mask = (1u << 26) - 1;
inline constexpr std::uint32_t lanewise = 1u << 26;
inline constexpr std::uint32_t narrow = 1u << 27;
inline constexpr std::uint32_t coded = 1u << 28;
inline constexpr std::uint32_t lane_rewards = 1u << 29;
inline constexpr std::uint32_t whole = 1u << 30;  ///< all 32 lanes take part in every term
}  // namespace slice_kind

/// Slices that have the same program, for a warp of a device to back up together.
struct alignas(unit_bytes) SliceTask {
  std::uint32_t begin;      ///< first unit of the program
  std::int32_t count;       ///< of slices
  std::int32_t near_units;  ///< of the program from its begin, that are worth asking for early
  std::int32_t unused;
  std::int32_t slice[4];  ///< the first again where there are fewer than slices_of_task
};
/// The most; of 1 or up to so many.
template <class Real>
inline constexpr int slices_of_task = sizeof(Real) == 4 ? 4 : 2;

/// Of one position of the lanewise kind.
template <class Real>
TIDEWISE_HOST_DEVICE constexpr std::size_t position_bytes(std::uint32_t kind) {
  const std::size_t successor = (kind & slice_kind::narrow) != 0 ? 2 : 4;
  const std::size_t probability = (kind & slice_kind::coded) != 0 ? 1 : sizeof(Real);
  return slice_states * (successor + probability);
}

}  // namespace tidewise::mdp
