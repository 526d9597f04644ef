#pragma once

#include <cstddef>

namespace tidewise {

/// Memory that this process could take without pushing others out, by the system's reckoning and
/// the limit of its group (cgroup) [B].
std::size_t available_memory();

/// Gives the whole pages within `bytes` from `begin` back to the system, and keeps the room: what
/// they hold is lost, and whoever writes there gets memory again. Where the system does not let,
/// nothing happens.
void release_pages(void* begin, std::size_t bytes);

/// Asks the system for large pages where `bytes` from `begin` are touched for the first time, which
/// is several times as fast.
void prefer_large_pages(void* begin, std::size_t bytes);

/// Copies and releases what is copied as it goes, so that both together take hardly more memory
/// than one.
void move_pages(void* to, void* from, std::size_t bytes);

}  // namespace tidewise
