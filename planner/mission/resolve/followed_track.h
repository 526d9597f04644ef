#pragma once

#include <optional>
#include <vector>

#include "env/file/reader.h"
#include "output/run/followed.h"
#include "planner/mission/request.h"
#include "planner/mission/resolve/resolved_places.h"
#include "solver/step/mission.h"

namespace tidewise {

/// How long a point that moves is followed.
struct FollowedLevels {
  TimeLevel departure;
  TimeLevel last;
};

struct Followed {
  KeptPlace place;
  RunFollowed file;  ///< how it was read
};

/// What a mission follows (Goal::follow), on the plane: where a point is at each level of the
/// environment, on straight ways between its fixes, and before and after them at the nearest; or a
/// line. Errors: InputError for a file that is not there, has no places, or one outside the domain,
/// a line of one point, times that do not ascend, several vehicles, two columns that may be the
/// time, a track that does not last for `during`, if given.
Followed resolve_followed(const RunRequest& request, const EnvironmentReader& environment,
                          const AreaResolver& areas, std::optional<FollowedLevels> during = {});

/// The vertices of the line, or where the point is at each level from departure to last. Requires a
/// mission that follows.
std::vector<PlanePoint> followed_way(const Mission& mission);

}  // namespace tidewise
