#pragma once

#include <cstddef>
#include <memory>

#include "env/environment_info.h"
#include "model_builder/cloud/coefficients.h"
#include "model_builder/device/actions.h"
#include "solver/evaluate/device_transitions.h"

namespace tidewise {

/// For .cu files: the counts of the actions that members take from the cells that hold their mass,
/// made once a level for all of them. Cells whose rows find no room, or are too wide for any, have
/// none: what is asked of them is for count_transitions().
class ResidentRows {
 public:
  virtual ~ResidentRows() = default;

  /// Counts the level that `coefficients` were made from.
  virtual void count(const LevelView& level, View<const MemberStep> members,
                     const DeviceCoefficients& coefficients, View<const std::uint32_t> weight,
                     const DeviceStream& stream) = 0;
  /// The windows of all cells of the batch that hold mass and have rows; lists the others, of which
  /// there are none before, and notes who holds mass.
  virtual void take(const LandingWork& work, const DeviceStream& stream) const = 0;
  /// Makes room for what the levels that `stream` has come past wanted, as far as the memory lasts.
  virtual void make_room(const DeviceStream& stream) = 0;
};

/// `different`: actions that the members may take from a cell, at most. `memory`: what the rows'
/// entries may take [B]. `info` and `actions` must outlive it.
std::unique_ptr<ResidentRows> make_resident_rows(const EnvironmentInfo& info,
                                                 const PositionRule& rule,
                                                 const DeviceActions& actions,
                                                 std::size_t different, std::size_t memory);

/// What rows of all cells want at first, of `different` actions each [B].
std::size_t resident_row_memory(const EnvironmentInfo& info, const PositionRule& rule,
                                std::size_t different);

}  // namespace tidewise
