#pragma once

namespace tidewise {

/// Whether the system still gives the room that libraries take for granted: HDF5 and others end a
/// process whose first small requests are refused. Asks for it and gives it back; no memory is
/// touched.
bool has_headroom();
/// Errors: RunError where there is none.
void require_headroom();

}  // namespace tidewise
