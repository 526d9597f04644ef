#pragma once

#include <cstddef>

namespace tidewise {

/// pinned: host memory that a device can read and write by itself, for copies that run beside other
/// work.
enum class MemorySpace { host, pinned, device };

/// size · element_size. Errors: RunError where no memory can be that large.
std::size_t byte_count(std::size_t size, std::size_t element_size);

/// Raw memory of one space, aligned to 64 bytes at least; zero bytes give nullptr.
/// Errors: RunError when the space has none left, or does not exist in this build.
void* allocate(MemorySpace space, std::size_t bytes);
/// `bytes`: what was allocated.
void deallocate(MemorySpace space, void* memory, std::size_t bytes) noexcept;

/// The most device memory that this process has held at once by way of allocate() [B]. CUDA's own,
/// some hundreds of MB, comes on top.
std::size_t peak_device_memory();
/// Counts that peak anew from what is held now.
void forget_peak_device_memory();

class DeviceStream;

/// The one place where bytes move within or between spaces. Returns when the copy is complete.
void copy_bytes(MemorySpace to, void* destination, MemorySpace from, const void* source,
                std::size_t bytes);

/// The same in the order of `stream`'s work: returns at once where neither side is pageable host
/// memory, and both sides must stay until the stream has come to it.
void copy_bytes(MemorySpace to, void* destination, MemorySpace from, const void* source,
                std::size_t bytes, const DeviceStream& stream);

/// The device's share of the above: memory_cuda.cu, or without_cuda.cpp where every call throws.
void* allocate_on_device(std::size_t bytes);
void* allocate_pinned(std::size_t bytes);
void deallocate_on_device(void* memory) noexcept;
void deallocate_pinned(void* memory) noexcept;
void copy_with_device(void* destination, const void* source, std::size_t bytes);
void copy_with_device(void* destination, const void* source, std::size_t bytes,
                      const DeviceStream& stream);

}  // namespace tidewise
