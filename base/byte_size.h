#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tidewise {

/// Bytes as people write them: "512MiB", "1.5 GB", "8e9", "1048576". Units: B, kB, MB, GB, TB
/// (powers of 1000) and KiB, MiB, GiB, TiB (of 1024); upper and lower case count alike. Nothing for
/// any other text, and for sizes below 0 or beyond int64.
std::optional<std::int64_t> parse_byte_size(std::string_view text);

/// The same the other way, to two or three digits: "512 MB".
std::string describe_bytes(double bytes);

}  // namespace tidewise
