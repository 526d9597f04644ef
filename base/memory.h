#pragma once

#include <cstddef>

namespace tidewise {

enum class MemorySpace { host, device };

/// size · element_size. Errors: RunError where no memory can be that large.
std::size_t byte_count(std::size_t size, std::size_t element_size);

/// Raw memory of one space, aligned to 64 bytes at least; zero bytes give nullptr.
/// Errors: RunError when the space has none left, or does not exist in this build.
void* allocate(MemorySpace space, std::size_t bytes);
void deallocate(MemorySpace space, void* memory) noexcept;

/// The one place where bytes move within or between spaces. Returns when the copy is complete.
void copy_bytes(MemorySpace to, void* destination, MemorySpace from, const void* source,
                std::size_t bytes);

/// The device's share of the above: memory_cuda.cu, or memory_nocuda.cpp where every call throws.
void* allocate_on_device(std::size_t bytes);
void deallocate_on_device(void* memory) noexcept;
void copy_with_device(MemorySpace to, void* destination, MemorySpace from, const void* source,
                      std::size_t bytes);

}  // namespace tidewise
