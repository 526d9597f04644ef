#pragma once

namespace tidewise {

/// True if the system still grants a small reserve of memory. Libraries such as HDF5 end a process
/// if a small request fails. Allocates the reserve and frees it; touches no memory.
bool has_headroom();
/// Requires that reserve. Errors: RunError if the system does not grant it.
void require_headroom();

}  // namespace tidewise
