#pragma once

#include <cstddef>
#include <vector>

#include "env/import/source/ensemble_levels.h"
#include "env/level_fields.h"
#include "env/tools/ensemble_reduction.h"

namespace tidewise::ingest {

/// Copies `values`, (component, water cell), to u and v, (y, x), which are 0 on land.
void spread_over_water(const std::vector<double>& values, const LevelEnsemble& level, float* u,
                       float* v);

/// Copies mean and modes of a reduced level to an environment's fields, 0 on land.
void fill_velocity(const EnsembleReduction& reduction, const LevelEnsemble& level,
                   std::size_t mode_count, LevelFields<>& fields);

/// Copies the members' coefficients to an environment's fields. With `weights`, (realization,
/// member), they are those of the realizations that mix the members (draw_member_weights).
void fill_coefficients(const EnsembleReduction& reduction, const std::vector<double>& weights,
                       std::size_t mode_count, LevelFields<>& fields);

}  // namespace tidewise::ingest
