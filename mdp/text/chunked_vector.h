#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "mdp/text/page_block.h"

namespace tidewise::mdp {

/// A sequence that grows without a copy of what it holds, and whose front can be given back to the
/// system while the rest is still read: a file's numbers on their way into a process.
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
  /// Gives back the memory of elements before `n`, which are not to be read again.
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
