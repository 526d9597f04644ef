#pragma once

#include <sys/mman.h>

#include <bit>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidewise::mdp {

/// Memory directly from the system, which gets it back on release; malloc() keeps released blocks
/// for later requests of their size. Pages take memory only once they are written.
class PageBlock {
 public:
  PageBlock() = default;
  /// Takes memory from the system. Errors: std::bad_alloc.
  explicit PageBlock(std::size_t bytes)
      : data_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
        bytes_(bytes) {
    if (data_ == MAP_FAILED) throw std::bad_alloc();
  }
  PageBlock(PageBlock&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  PageBlock& operator=(PageBlock&& other) noexcept {
    PageBlock released(std::move(other));
    std::swap(data_, released.data_);
    std::swap(bytes_, released.bytes_);
    return *this;
  }
  PageBlock(const PageBlock&) = delete;
  PageBlock& operator=(const PageBlock&) = delete;
  ~PageBlock() {
    if (data_ != nullptr) ::munmap(data_, bytes_);
  }

  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A sequence that grows without copying its elements, and whose front can be returned to the
/// system while the rest is read. It holds numbers of a file until they become a process.
template <class T>
class ChunkedVector {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t n) const { return chunk(n)[n % chunk_size]; }
  T& operator[](std::size_t n) { return chunk(n)[n % chunk_size]; }
  const T& back() const { return (*this)[size_ - 1]; }
  T& back() { return (*this)[size_ - 1]; }
  void push_back(const T& value) {
    if (size_ % chunk_size == 0) chunks_.emplace_back(chunk_bytes);
    ++size_;
    back() = value;
  }
  /// Releases the memory of elements before `n`, which must not be read again.
  void release_before(std::size_t n) {
    for (; released_ < n / chunk_size && released_ < chunks_.size(); ++released_) {
      chunks_[released_] = {};
    }
  }

 private:
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
  static constexpr std::size_t chunk_size = std::bit_floor(chunk_bytes / sizeof(T));

  T* chunk(std::size_t n) const { return static_cast<T*>(chunks_[n / chunk_size].data()); }

  std::vector<PageBlock> chunks_;
  std::size_t size_ = 0;
  std::size_t released_ = 0;
};

}  // namespace tidewise::mdp
