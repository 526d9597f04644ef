#pragma once

#include <cstddef>

namespace tidewise {

/// A kind of memory. `pinned` is host memory that a device accesses directly, for copies that
/// overlap other work.
enum class MemorySpace { host, pinned, device };

/// size · element_size. Errors: RunError if that overflows.
std::size_t byte_count(std::size_t size, std::size_t element_size);

/// Allocates raw memory of one space, aligned to at least 64 bytes; nullptr for zero bytes. Errors:
/// RunError if the space has none left, or does not exist in this build.
void* allocate(MemorySpace space, std::size_t bytes);
/// Frees memory; `bytes` is the size that was allocated.
void deallocate(MemorySpace space, void* memory, std::size_t bytes) noexcept;

/// Peak of the device memory that this process held through allocate() [B]. CUDA itself takes some
/// hundreds of MB more.
std::size_t peak_device_memory();
/// Resets the peak to the present use.
void forget_peak_device_memory();

class DeviceStream;

/// Copies bytes within or between spaces; returns when the copy is complete. All copies between
/// host and device use this function.
void copy_bytes(MemorySpace to, void* destination, MemorySpace from, const void* source,
                std::size_t bytes);

/// As above, in the order of `stream`'s work. Returns at once if neither side is pageable host
/// memory; both sides must exist until the copy is done.
void copy_bytes(MemorySpace to, void* destination, MemorySpace from, const void* source,
                std::size_t bytes, const DeviceStream& stream);

/// Device implementations of the functions above: memory_cuda.cu, or without_cuda.cpp, which
/// throws.
void* allocate_on_device(std::size_t bytes);
void* allocate_pinned(std::size_t bytes);
void deallocate_on_device(void* memory) noexcept;
void deallocate_pinned(void* memory) noexcept;
void copy_with_device(void* destination, const void* source, std::size_t bytes);
void copy_with_device(void* destination, const void* source, std::size_t bytes,
                      const DeviceStream& stream);

}  // namespace tidewise
