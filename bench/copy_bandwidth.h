#pragma once

#include <cstddef>
#include <cstdint>

namespace tidewise {

/// Bytes that a copy of `bytes` reads and writes per second [B/s]: the median of some copies in
/// host memory by `threads`, each of its own share. Take more bytes than the caches hold.
double host_copy_bandwidth(std::size_t bytes, std::int32_t threads);

/// host_copy_bandwidth() within the memory of the current device. Errors: RunError of the device.
double device_copy_bandwidth(std::size_t bytes);

}  // namespace tidewise
