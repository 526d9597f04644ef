#pragma once

#include <optional>
#include <vector>

#include "env/file/reader.h"
#include "output/run/followed.h"
#include "planner/mission/request.h"
#include "planner/mission/resolve/resolved_places.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Levels at which a moving point is followed.
struct FollowedLevels {
  TimeLevel departure;
  TimeLevel last;
};

/// A followed place, and the file that gives it.
struct Followed {
  KeptPlace place;
  RunFollowed file;  ///< summary of the track that was read
};

/// The track that a mission follows (Goal::follow), on the plane: the point's position at each
/// level of the environment, interpolated linearly between fixes and constant before the first and
/// after the last; or a line. Errors: InputError for a missing file, a file without places or with
/// one outside the domain, a line of one point, times that do not ascend, several vehicles, two
/// columns that may be the time, or a track that does not last for `during`, if given.
Followed resolve_followed(const RunRequest& request, const EnvironmentReader& environment,
                          const AreaResolver& areas, std::optional<FollowedLevels> during = {});

/// Returns the vertices of the followed line, or the positions of the followed point from departure
/// to last level. Requires a mission with the objective follow.
std::vector<PlanePoint> followed_points(const Mission& mission);

}  // namespace tidewise
