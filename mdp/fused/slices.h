#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"

namespace tidewise::mdp {

/// States that are backed up together: a warp of a GPU, two vectors of 16 floats.
inline constexpr std::int32_t slice_states = 32;

/// Number of slices for this number of states.
inline std::int64_t slice_count(std::int64_t states) {
  return (states + slice_states - 1) / slice_states;
}

/// Probability of a position that a row lacks but other rows of the slice have.
inline constexpr int no_entry = -1;

/// The sliced layout: for every (slice, action) the entries of its rows by position, the lanes of a
/// position contiguous, so that neighbouring lanes read neighbouring words.
template <class Real>
struct SellSlices {
  std::int32_t state_count;
  std::int32_t action_count;
  Real discount;
  const std::int64_t* begin;      ///< first position, (slice, action + 1)
  const std::uint32_t* lanes;     ///< bit l: lane l has the action, (slice, action)
  const std::int32_t* successor;  ///< (position, lane); always an existing state
  const Real* probability;        ///< (position, lane); no_entry after the end of the row
  const Real* reward;             ///< (slice, action, lane)
};

/// The packed layout: for every slice a program of 16-byte units that encodes its rows. Slices with
/// equal programs share one, so the interior of a grid world takes almost no memory.
///
/// A program has, for every action, a SliceAction, then, with lane_rewards, 32 rewards, then
/// `count` items:
///  - SliceTerm: successors at one distance from their states, of one probability, for the lanes
///    of a mask. Terms ascend by distance, and so every lane's successors ascend.
///  - or, with lanewise, positions: 32 successors, as int32 or, with narrow, int16 from the
///    slice's first state, and 32 probabilities, as numbers or, with coded, as bytes into
///    `dictionary`.
template <class Real>
struct PackedSlices {
  std::int32_t state_count;
  std::int32_t action_count;
  Real discount;
  const std::uint32_t* begin;  ///< first unit of the program, (slice)
  const unsigned char* units;  ///< 16 bytes each, aligned to 16
  const Real* dictionary;      ///< up to 256 probabilities, the first of them no_entry
};

/// Begin of an action in a program.
template <class Real>
struct alignas(16) SliceAction {
  std::uint32_t count_and_kind;
  std::uint32_t lanes;  ///< bit l: lane l has the action
  Real reward;          ///< reward of every lane, unless lane_rewards
};
/// A term of a program.
template <class Real>
struct alignas(16) SliceTerm {
  std::int32_t distance;  ///< successor − state
  std::uint32_t lanes;
  Real probability;
};
/// Size of a unit of a program [B].
inline constexpr std::size_t unit_bytes = 16;
static_assert(sizeof(SliceAction<float>) == unit_bytes && sizeof(SliceTerm<float>) == unit_bytes);
static_assert(sizeof(SliceAction<double>) == unit_bytes && sizeof(SliceTerm<double>) == unit_bytes);

/// SliceAction::count_and_kind: a count in the low bits, and the kind of the counted items.
namespace slice_kind {
inline constexpr std::uint32_t count_mask = (1u << 26) - 1;
inline constexpr std::uint32_t lanewise = 1u << 26;
inline constexpr std::uint32_t narrow = 1u << 27;
inline constexpr std::uint32_t coded = 1u << 28;
inline constexpr std::uint32_t lane_rewards = 1u << 29;
inline constexpr std::uint32_t whole = 1u << 30;  ///< all 32 lanes take part in every term
}  // namespace slice_kind

/// Slices with the same program, which a warp of a device backs up together.
struct alignas(unit_bytes) SliceTask {
  std::uint32_t begin;      ///< first unit of the program
  std::int32_t count;       ///< number of slices
  std::int32_t near_units;  ///< units from the program's begin to prefetch
  std::int32_t unused;
  std::int32_t slice[4];  ///< the first is repeated if there are fewer than slices_of_task
};
/// Maximum number of slices of a task; a task has 1 or up to this number.
template <class Real>
inline constexpr int slices_of_task = sizeof(Real) == 4 ? 4 : 2;

/// Size of one position of the kind lanewise [B].
template <class Real>
TIDEWISE_HOST_DEVICE constexpr std::size_t position_bytes(std::uint32_t kind) {
  const std::size_t successor = (kind & slice_kind::narrow) != 0 ? 2 : 4;
  const std::size_t probability = (kind & slice_kind::coded) != 0 ? 1 : sizeof(Real);
  return slice_states * (successor + probability);
}

}  // namespace tidewise::mdp
