#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

namespace tidewise {

/// A sequence that grows without a copy of what it holds, and whose front can be given back while
/// the rest is still read: a file's numbers on their way into a process.
template <class T>
class ChunkedVector {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t n) const { return chunks_[n / chunk_size][n % chunk_size]; }
  T& operator[](std::size_t n) { return chunks_[n / chunk_size][n % chunk_size]; }
  const T& back() const { return (*this)[size_ - 1]; }
  T& back() { return (*this)[size_ - 1]; }
  void push_back(const T& value) {
    if (size_ % chunk_size == 0) chunks_.emplace_back(new T[chunk_size]);
    chunks_.back()[size_ % chunk_size] = value;
    ++size_;
  }
  /// Gives back the memory of elements before `n`, which are not to be read again.
  void release_before(std::size_t n) {
    for (; released_ < n / chunk_size && released_ < chunks_.size(); ++released_) {
      chunks_[released_].reset();
    }
  }

 private:
  // 128 to 256 KiB: large enough that the system gets back what is released.
  static constexpr std::size_t chunk_size = std::bit_floor((std::size_t{1} << 18) / sizeof(T));

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
  std::size_t released_ = 0;
};

}  // namespace tidewise
