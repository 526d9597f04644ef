#include "model_builder/explicit/packed_entry.h"

#include <bit>

namespace tidewise {
namespace {

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

std::uint32_t place_and_sign(std::int32_t place, RowPart part) {
  return static_cast<std::uint32_t>(place) << 2 | (part == RowPart::opens ? 1u << 31 : 0u);
}

/// Number of bits for a place, including two bits below.
int place_width(std::int32_t places) {
  return 2 + static_cast<int>(std::bit_width(static_cast<std::uint32_t>(places - 1)));
}

}  // namespace

bool EntryCode::is_narrow(std::uint32_t total, std::int32_t places) {
  return static_cast<int>(std::bit_width(total)) + place_width(places) <= 24;
}

EntryCode EntryCode::for_places(std::int32_t places) {
  const std::uint32_t low = (1u << place_width(places)) - 1;
  return {low & ~3u, 0x7fffffffu & ~low};
}

template <>
NarrowEntry make_entry<NarrowEntry>(std::int32_t place, std::uint32_t count, RowPart part) {
  return bits_of(static_cast<float>(count)) | place_and_sign(place, part);
}

template <>
WideEntry make_entry<WideEntry>(std::int32_t place, std::uint32_t count, RowPart part) {
  return WideEntry{bits_of(static_cast<float>(count))} << 32 | place_and_sign(place, part);
}

}  // namespace tidewise
