#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace tidewise {

/// Where the threads of all bands wait for each other, until one of them gives up.
class SubdomainBarrier {
 public:
  explicit SubdomainBarrier(std::size_t subdomains) : subdomains_(subdomains) {}

  /// Waits until all bands have come here. Errors: SubdomainsEnded.
  void meet();
  /// Wakes all who wait here or will.
  void end() noexcept;
  bool ended() const;
  /// Waits until all bands have left, which each does once, ended or not.
  void leave() noexcept;

 private:
  const std::size_t subdomains_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t met_ = 0;  ///< of all meetings together
  std::size_t left_ = 0;
  bool ended_ = false;
};

}  // namespace tidewise
