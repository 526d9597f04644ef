#pragma once

#include <cstddef>
#include <utility>

namespace tidewise::mdp {

/// Memory straight from the system, which has it back as soon as it is released; malloc() keeps
/// blocks of a size that it has seen before. Pages count from when they are written to.
class PageBlock {
 public:
  PageBlock() = default;
  /// Errors: std::bad_alloc.
  explicit PageBlock(std::size_t bytes);
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
  ~PageBlock();

  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace tidewise::mdp
