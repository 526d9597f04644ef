#pragma once

#include <optional>

namespace tidewise::ingest {

/// What is asked for of cells and steps; what is absent is chosen from the flow.
struct FinenessOptions {
  std::optional<double> spacing;  ///< [m]; nothing: the source's own, or a part (cell_size.h)
  std::optional<double> step;     ///< [s]; nothing: the source's own, or a part (level_step.h)
  std::optional<double> vehicle_speed;  ///< [m s-1] for which what is not given is chosen
};

/// Root attribute of an environment: how far apart the points lie that its flow was made of [m],
/// whatever its cells.
inline constexpr const char* source_spacing_attribute = "source_spacing";

}  // namespace tidewise::ingest
