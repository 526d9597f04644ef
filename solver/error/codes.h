#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

inline constexpr ErrorMessage time_to_go_with_held_actions{
    "time_to_go_with_held_actions",
    "time to go: the mission holds its actions (mission.decide_every), and a place alone does not "
    "say what is held there; fly it from there instead (tidewise rollout, departures)"};
inline constexpr ErrorMessage flown_realization_unknown{
    "flown_realization_unknown",
    "rollout.realizations holds {}; the environment has realizations 0 to {}"};
inline constexpr ErrorMessage value_overflows{
    "value_overflows",
    "rewards at level {} (row {}, column {}) are too large for single precision; reduce "
    "mission.harvest.c_r, or give the scalar field in a larger unit"};
inline constexpr ErrorMessage projections_differ{
    "projections_differ",
    "x and y are of different planes; bring both forecasts in with the same --bbox"};
inline constexpr ErrorMessage cells_disjoint{
    "cells_disjoint", "they have no cell in common; compare runs of one area"};
inline constexpr ErrorMessage axis_steps_differ{
    "axis_steps_differ",
    "{} of {:.10g} in one and of {:.10g} in the other; compare runs with the same ones"};
inline constexpr ErrorMessage axes_offset{"axes_offset",
                                          "one begins {:.6g} {} of {:.6g} behind the other, not a "
                                          "whole number; compare runs whose axes meet"};
inline constexpr ErrorMessage profiles_differ{"profiles_differ",
                                              "the first dives {}, and the second {}; {}"};
inline constexpr ErrorMessage actions_differ{
    "actions_differ",
    "the vehicle of the first can make {:.6g} at {:.4g} degrees, that of the second cannot; "
    "compare runs of one vehicle (vehicle.speeds, vehicle.headings, vehicle.profiles)"};
inline constexpr ErrorMessage action_unknown{
    "action_unknown",
    "the policy holds action {} at level {} and the vehicle has {} actions; fly it with the "
    "vehicle it was made for"};
inline constexpr ErrorMessage refinement_options_invalid{
    "refinement_options_invalid",
    "refinement: {} realizations, {} steps of golden section and {} rounds; take 0 (all) or more, "
    "1 or more, and 1 or more"};

}  // namespace tidewise::errors
