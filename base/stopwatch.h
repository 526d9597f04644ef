#pragma once

#include <chrono>

namespace tidewise {

/// Measures time from its construction on.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

 private:
  using Clock = std::chrono::steady_clock;  // never set back
  Clock::time_point begun_ = Clock::now();
};

}  // namespace tidewise
