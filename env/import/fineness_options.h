#pragma once

#include <optional>

namespace tidewise::ingest {

/// The user's choice of cells and steps; absent options are chosen from the flow.
struct FinenessOptions {
  std::optional<double> spacing;  ///< [m]; nullopt: the source's own, or a part (cell_size.h)
  std::optional<double> step;     ///< [s]; nullopt: the source's own, or a part (level_step.h)
  std::optional<double> vehicle_speed;  ///< [m s-1] vehicle for which cells and step are chosen
};

/// Root attribute of an environment: spacing of the source's points [m], which may differ from that
/// of the cells.
inline constexpr const char* source_spacing_attribute = "source_spacing";

}  // namespace tidewise::ingest
