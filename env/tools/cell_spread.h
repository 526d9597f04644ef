#pragma once

#include <cstdint>

#include "env/environment_info.h"
#include "env/level_fields.h"

namespace tidewise {

// One certain flow carries a vehicle from a cell's centre to one place, and the model has it land
// in the cell that holds that place: less than half a cell a step is no way at all, and half a cell
// is a whole one. A plan for such a flow makes use of that, by speeds and headings that gain a
// rounding. Where flows differ from realization to realization their spread evens it out. This does
// the same for one flow: it is shifted by parts of a cell a step, evenly from −1/2 to 1/2 along x
// and y, so that a landing is shared among the cells around it by area and the way is right on
// average. That is the bilinear interpolation of a semi-Lagrangian scheme, as an ensemble.

/// What the ensemble has: modes, and realizations for so many parts along x and y each.
inline constexpr std::int32_t spread_modes = 2;
inline std::int32_t spread_realizations(std::int32_t parts) { return parts * parts; }

/// Spreads the flow u_mean, v_mean of a level over a cell in parts × parts, 1 at least. `info`: of
/// the ensemble that has those modes and realizations. Mode 0 is one cell a step along x, mode 1
/// along y; the coefficients of realization q · parts + p are (p + 1/2)/parts − 1/2 and
/// (q + 1/2)/parts − 1/2.
void spread_over_cell(const EnvironmentInfo& info, std::int32_t parts, LevelFields<>& fields);

/// The same for an ensemble: each realization is shifted by a part of a cell a step of its own, by
/// the last two of its modes, which this fills, like mode 0 and 1 above. The shifts fill the square
/// from −1/2 to 1/2 evenly, however many there are (the additive sequence of two dimensions,
/// Roberts 2018, "The unreasonable effectiveness of quasirandom sequences"), and depend on the
/// number of the realization alone: they do not go with its flow. Landings are then the bilinear
/// ones in expectation, up to what the number of realizations can tell.
void spread_ensemble_over_cell(const EnvironmentInfo& info, LevelFields<>& fields);

}  // namespace tidewise
