#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(flown_realization_unknown,
               "rollout.realizations holds {}; the environment has realizations 0 to {}");
TIDEWISE_ERROR(value_overflows,
               "rewards at level {} (row {}, column {}) are too large for single precision; reduce "
               "mission.harvest.c_r, or give the scalar field in a larger unit");
TIDEWISE_ERROR(projections_differ,
               "x and y are of different planes; bring both forecasts in with the same --bbox");
TIDEWISE_ERROR(cells_disjoint, "they have no cell in common; compare runs of one area");
TIDEWISE_ERROR(axis_steps_differ,
               "{} of {:.10g} in one and of {:.10g} in the other; compare runs with the same ones");
TIDEWISE_ERROR(axes_offset,
               "one begins {:.6g} {} of {:.6g} behind the other, not a whole number; compare runs "
               "whose axes meet");
TIDEWISE_ERROR(profiles_differ, "the first dives {}, and the second {}; {}");
TIDEWISE_ERROR(
    actions_differ,
    "the vehicle of the first can make {:.6g} at {:.4g} degrees, that of the second cannot; "
    "compare runs of one vehicle (vehicle.speeds, vehicle.headings, vehicle.profiles)");
TIDEWISE_ERROR(action_unknown,
               "the policy holds action {} at level {} and the vehicle has {} actions; fly it with "
               "the vehicle it was made for");
TIDEWISE_ERROR(published_landing_by_area,
               "the published method gives each landing whole to one cell; set planner.landing = "
               "\"cell\"");
TIDEWISE_ERROR(refinement_options_invalid,
               "refinement: {} realizations, {} steps of golden section and {} rounds; take 0 "
               "(all) or more, 1 or more, and 1 or more");

}  // namespace tidewise::errors
