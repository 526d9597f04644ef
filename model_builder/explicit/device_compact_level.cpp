#include "model_builder/explicit/device_compact_level.h"

namespace tidewise {
namespace {

/// Copies all sizes and resizes the arrays, without their content.
template <MemorySpace From, MemorySpace To>
void take_sizes(const PackedLevel<From>& from, PackedLevel<To>& to) {
  to.cell_count = from.cell_count;
  to.action_count = from.action_count;
  to.width = from.width;
  to.code = from.code;
  to.entry_count = from.entry_count;
  to.max_window_places = from.max_window_places;
  to.fit();
}

/// Copies the content of the arrays; `copy_part(to, from, bytes)` copies one.
template <MemorySpace From, MemorySpace To, class CopyPart>
void copy_content(const PackedLevel<From>& from, PackedLevel<To>& to, const CopyPart& copy_part) {
  copy_part(to.slice_start.data(), from.slice_start.data(),
            from.slice_starts() * sizeof(std::uint32_t));
  copy_part(to.window.data(), from.window.data(), from.cells() * sizeof(CellStencil));
  copy_part(to.entries.data(), from.entries.data(), from.entries_bytes());
}

template <MemorySpace From, MemorySpace To>
void copy_level(const PackedLevel<From>& from, PackedLevel<To>& to) {
  take_sizes(from, to);
  copy_content(from, to, [](void* target, const void* source, std::size_t bytes) {
    copy_bytes(To, target, From, source, bytes);
  });
}

}  // namespace

DeviceCompactLevel upload(const CompactLevel& level, const SubGrid& subgrid,
                          std::int32_t action_count, std::uint32_t total, std::int32_t threads) {
  PackedLevel<MemorySpace::host> packed;
  pack(level, subgrid, action_count, total, threads, packed);
  DeviceCompactLevel uploaded;
  copy_level(packed, uploaded);
  return uploaded;
}

void upload(const PackedLevel<MemorySpace::pinned>& from, DeviceCompactLevel& to,
            const DeviceStream& stream) {
  take_sizes(from, to);
  copy_content(from, to, [&stream](void* target, const void* source, std::size_t bytes) {
    copy_bytes(MemorySpace::device, target, MemorySpace::pinned, source, bytes, stream);
  });
}

CompactLevel download(const DeviceCompactLevel& level, const SubGrid& subgrid,
                      std::int32_t threads) {
  PackedLevel<MemorySpace::host> packed;
  copy_level(level, packed);
  return unpack(packed, subgrid, threads);
}

}  // namespace tidewise
