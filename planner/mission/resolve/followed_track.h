#pragma once

#include "env/file/reader.h"
#include "planner/mission/request.h"
#include "planner/mission/resolve/resolved_places.h"
#include "solver/step/mission.h"

namespace tidewise {

/// What a mission follows (Goal::follow), on the plane: where a point is at each level, on straight
/// ways between its fixes, and at the first of them before it; or a line. Errors: InputError for a
/// file that is not there, has no places, or none in the domain, a line of one point, times that do
/// not ascend, a track that does not last from `departure` to `last`.
KeptPlace resolve_followed(const RunRequest& request, const EnvironmentReader& environment,
                           const AreaResolver& areas, TimeLevel departure, TimeLevel last);

}  // namespace tidewise
