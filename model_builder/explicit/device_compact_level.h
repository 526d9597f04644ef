#pragma once

#include "base/memory/stream.h"
#include "model_builder/explicit/packed_level.h"

namespace tidewise {

/// A level of the explicit model in device memory, the counterpart of CompactLevel. A counting
/// kernel or upload() writes it.
using DeviceCompactLevel = PackedLevel<MemorySpace::device>;

/// Packs and copies `level`; returns when the copy is complete. Errors: those of pack().
DeviceCompactLevel upload(const CompactLevel& level, const SubGrid& subgrid,
                          std::int32_t action_count, std::uint32_t total, std::int32_t threads = 1);

/// Copies a packed level in the order of `stream`'s work; `from` and `to` must exist until the copy
/// is done. `to` keeps its memory if it suffices.
void upload(const PackedLevel<MemorySpace::pinned>& from, DeviceCompactLevel& to,
            const DeviceStream& stream);

/// Restores the uploaded level exactly; waits for the copy.
CompactLevel download(const DeviceCompactLevel& level, const SubGrid& subgrid,
                      std::int32_t threads = 1);

}  // namespace tidewise
