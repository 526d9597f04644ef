#pragma once

#include <cstddef>

namespace tidewise {

/// Memory that this process could take without pushing others out, by the system's reckoning and
/// the limit of its group (cgroup) [B].
std::size_t available_memory();

}  // namespace tidewise
