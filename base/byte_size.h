#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tidewise {

/// Parses a size with unit: "512MiB", "1.5 GB", "8e9", "1048576". Units: B, kB, MB, GB, TB (powers
/// of 1000) and KiB, MiB, GiB, TiB (powers of 1024), in any case. nullopt for other text and for
/// sizes below 0 or beyond int64.
std::optional<std::int64_t> parse_byte_size(std::string_view text);

/// Formats a size [B] with two or three digits: "512 MB".
std::string describe_bytes(double bytes);

}  // namespace tidewise
