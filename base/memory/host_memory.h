#pragma once

#include <cstddef>

namespace tidewise {

/// Memory that this process can take without displacing others [B], according to the system and to
/// the limit of its cgroup.
std::size_t available_memory();

/// Returns the whole pages within `bytes` from `begin` to the system and keeps the address range.
/// Their content is lost; later writes get new memory. Does nothing if the system refuses.
void release_pages(void* begin, std::size_t bytes);

/// Requests large pages for `bytes` from `begin`, which makes the first access several times as
/// fast.
void prefer_large_pages(void* begin, std::size_t bytes);

/// Copies and releases the source in steps, so that the peak is little more than one copy.
void move_pages(void* to, void* from, std::size_t bytes);

}  // namespace tidewise
