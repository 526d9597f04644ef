#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace tidewise {

/// Where the threads of all bands wait for each other, until one of them gives up.
class BandMeeting {
 public:
  explicit BandMeeting(std::size_t bands) : bands_(bands) {}

  /// Waits until all bands have come here. Errors: BandsEnded.
  void meet();
  /// Wakes all who wait here or will.
  void end() noexcept;
  bool ended() const;
  /// Waits until all bands have left, which each does once, ended or not.
  void leave() noexcept;

 private:
  const std::size_t bands_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t met_ = 0;  ///< of all meetings together
  std::size_t left_ = 0;
  bool ended_ = false;
};

}  // namespace tidewise
