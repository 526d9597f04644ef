#pragma once

#include "base/memory/stream.h"
#include "model_builder/explicit/packed_level.h"

namespace tidewise {

/// A level of the explicit model in device memory: CompactLevel's twin. Written there by a counting
/// kernel, or brought over by upload().
using DeviceCompactLevel = PackedLevel<MemorySpace::device>;

/// Packs `level` and brings it over; returns when it is there. Errors: those of pack().
DeviceCompactLevel upload(const CompactLevel& level, const SubGrid& subgrid,
                          std::int32_t action_count, std::uint32_t total, std::int32_t threads = 1);

/// Brings over what is packed already, in the order of `stream`'s work; both must stay until the
/// stream has come to it. `to` keeps its memory where that is enough.
void upload(const PackedLevel<MemorySpace::pinned>& from, DeviceCompactLevel& to,
            const DeviceStream& stream);

/// The level that was uploaded, exactly; waits for it.
CompactLevel download(const DeviceCompactLevel& level, const SubGrid& subgrid,
                      std::int32_t threads = 1);

}  // namespace tidewise
