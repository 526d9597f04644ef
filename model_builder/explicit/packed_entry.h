#pragma once

#include <cstdint>
#include <cstring>

#include "base/host_device.h"

namespace tidewise {

// One entry of a packed row in one word, so that one load reads it and one instruction each
// extracts
//   the count     as a float32. An integer of b bits leaves the lowest 24 − b bits of its float32
//                 zero,
//   the place     of Δ in its cell's window, shifted left by two bits: a byte offset into a table
//                 of floats
//   the sign      1 if the entry is the first of its dy: it begins a row of the sub-grid
// An entry of 0 is padding, with count 0 and place 0.

using NarrowEntry = std::uint32_t;
using WideEntry = std::uint64_t;  ///< count in the upper half; sign and place in the lower

/// Type of the entries of a level.
enum class EntryWidth : std::uint8_t { narrow, wide };

/// Distribution of the bits of a NarrowEntry. Trivially copyable.
struct EntryCode {
  std::uint32_t place_bits = 0x000000fcu;  ///< mask
  std::uint32_t count_bits = 0x7fffff00u;  ///< mask

  TIDEWISE_HOST_DEVICE std::uint32_t table_byte(NarrowEntry entry) const {
    return entry & place_bits;
  }
  TIDEWISE_HOST_DEVICE std::uint32_t table_byte(WideEntry entry) const {
    return static_cast<std::uint32_t>(entry) & 0x7ffffffcu;
  }
  TIDEWISE_HOST_DEVICE float count(NarrowEntry entry) const { return number(entry & count_bits); }
  TIDEWISE_HOST_DEVICE float count(WideEntry entry) const {
    return number(static_cast<std::uint32_t>(entry >> 32));
  }
  template <class Entry>
  TIDEWISE_HOST_DEVICE std::int32_t place(Entry entry) const {
    return static_cast<std::int32_t>(table_byte(entry) >> 2);
  }

  /// True if counts up to `total` and places below `places` fit a NarrowEntry.
  static bool is_narrow(std::uint32_t total, std::int32_t places);
  /// The code for `places` places.
  static EntryCode for_places(std::int32_t places);

 private:
  TIDEWISE_HOST_DEVICE static float number(std::uint32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
};

/// True if an entry begins a row of the sub-grid.
TIDEWISE_HOST_DEVICE inline bool opens_row(NarrowEntry entry) {
  return static_cast<std::int32_t>(entry) < 0;
}
TIDEWISE_HOST_DEVICE inline bool opens_row(WideEntry entry) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(entry)) < 0;
}

/// Position of an entry in a row of the sub-grid: its first one, or a later one.
enum class RowPart : std::uint8_t { opens, goes_on };

/// Requires is_narrow() for a NarrowEntry; a WideEntry rounds counts beyond 2^24 to float32, as
/// every sum over counts does.
template <class Entry>
Entry make_entry(std::int32_t place, std::uint32_t count, RowPart part);

}  // namespace tidewise
