#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>

namespace tidewise {

/// A limit on the memory that several threads use at the same time.
class ByteBudget {
 public:
  explicit ByteBudget(std::size_t limit) : limit_(limit) {}

  /// An amount of memory, returned to the budget by the destructor.
  class Share {
   public:
    Share(ByteBudget& budget, std::size_t bytes) : budget_(&budget), bytes_(bytes) {}
    Share(Share&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), bytes_(other.bytes_) {}
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    Share& operator=(Share&&) = delete;
    ~Share() {
      if (budget_ != nullptr) budget_->give_back(bytes_);
    }

   private:
    ByteBudget* budget_;
    std::size_t bytes_;
  };

  /// Waits until `bytes` are free. A request for more than the whole budget waits until nothing is
  /// taken.
  Share take(std::size_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return taken_ == 0 || taken_ + bytes <= limit_; });
    taken_ += bytes;
    return {*this, bytes};
  }

 private:
  void give_back(std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      taken_ -= bytes;
    }
    changed_.notify_all();
  }

  std::size_t limit_;
  std::size_t taken_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace tidewise
