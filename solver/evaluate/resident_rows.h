#pragma once

#include <cstddef>
#include <memory>

#include "env/environment_info.h"
#include "model_builder/cloud/coefficients.h"
#include "model_builder/device/actions.h"
#include "solver/evaluate/device_transitions.h"

namespace tidewise {

/// For .cu files: counts of the members' actions from the cells that hold their mass, made once per
/// level for all members. Cells whose rows do not fit into memory, or are wider than any row, have
/// none; count_transitions() counts them.
class ResidentRows {
 public:
  virtual ~ResidentRows() = default;

  /// Counts the level from which `coefficients` were made.
  virtual void count(const LevelView& level, View<const MemberStep> members,
                     const DeviceCoefficients& coefficients, View<const std::uint32_t> weight,
                     const DeviceStream& stream) = 0;
  /// Sets the windows of all cells of the batch that hold mass and have rows; lists the other cells
  /// with mass, and sets LandingFacts::holds. Requires that the list is empty before the call.
  virtual void take(const LandingWork& work, const DeviceStream& stream) const = 0;
  /// Enlarges the memory to the size that the levels completed on `stream` needed, within the
  /// limit.
  virtual void make_room(const DeviceStream& stream) = 0;
};

/// `different`: maximum number of different actions of the members in a cell. `memory`: memory for
/// the entries of rows [B]. `info` and `actions` must outlive the object.
std::unique_ptr<ResidentRows> make_resident_rows(const EnvironmentInfo& info,
                                                 const PositionRule& rule,
                                                 const DeviceActions& actions,
                                                 std::size_t different, std::size_t memory);

/// Initial memory of the rows of all cells, with `different` actions each [B].
std::size_t resident_row_memory(const EnvironmentInfo& info, const PositionRule& rule,
                                std::size_t different);

}  // namespace tidewise
