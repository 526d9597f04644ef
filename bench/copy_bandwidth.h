#pragma once

#include <cstddef>
#include <cstdint>

namespace tidewise {

/// What a copy of `bytes` moves, read and written together [B/s]: the median of some copies in host
/// memory by `threads`, each its own share. Take more bytes than the caches hold.
double host_copy_bandwidth(std::size_t bytes, std::int32_t threads);

/// The same within the memory of the current device. Errors: RunError, as of every call to it.
double device_copy_bandwidth(std::size_t bytes);

}  // namespace tidewise
