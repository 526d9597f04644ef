#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(flown_realization_unknown,
               "rollout.realizations contains {}; the environment has realizations 0 to {}; remove "
               "it from the list");
TIDEWISE_ERROR(value_overflows,
               "rewards at level {} (row {}, column {}) are too large for single precision; reduce "
               "mission.harvest.c_r, or give the scalar field in a larger unit");
TIDEWISE_ERROR(
    projections_differ,
    "x and y have different map projections; import both forecasts with the same --bbox");
TIDEWISE_ERROR(cells_disjoint, "the grids have no cell in common; compare runs in the same area");
TIDEWISE_ERROR(axis_steps_differ,
               "{} of {:.10g} in the first and {:.10g} in the second; compare runs with equal "
               "spacings and steps");
TIDEWISE_ERROR(axes_offset,
               "the second begins {:.6g} {} of {:.6g} after the first; compare runs that are a "
               "whole number apart");
TIDEWISE_ERROR(profiles_differ, "the first run dives {}, the second {}; {}");
TIDEWISE_ERROR(
    actions_differ,
    "the first vehicle has speed {:.6g} with heading {:.4g} degrees, the second has not; "
    "compare runs of one vehicle (vehicle.speeds, vehicle.headings, vehicle.profiles)");
TIDEWISE_ERROR(action_unknown,
               "the policy has action {} at level {}, but the vehicle has only {} actions; use the "
               "policy with the vehicle that it was planned for");
TIDEWISE_ERROR(
    published_landing_by_area,
    "the published method assigns each landing to one cell; set planner.landing = \"cell\"");
TIDEWISE_ERROR(refinement_options_invalid,
               "refinement with {} realizations, {} golden-section steps and {} rounds; "
               "realizations must be 0 (all) or more, steps and rounds 1 or more");

}  // namespace tidewise::errors
