#pragma once

#include <cstddef>
#include <vector>

#include "base/conveyor.h"
#include "solver/policy.h"

namespace tidewise {

/// Hands levels on to another sink on a thread of its own, in their order, so that who solves need
/// not wait while they are packed and written. A few levels wait at most; then accept() does.
/// Levels that wait when it is destroyed without finish() are dropped.
class ThreadedPolicySink final : public PolicySink {
 public:
  /// `inner` must outlive this object, and is that thread's alone until finish().
  explicit ThreadedPolicySink(PolicySink& inner, std::size_t most_waiting = default_waiting);
  static constexpr std::size_t default_waiting = 8;

  /// Copies the level. Errors: what `inner` threw at an earlier one.
  void accept(TimeLevel k, View<const std::int16_t> action, View<const float> value) override;
  /// Waits until all levels have been handed on. Errors: what `inner` threw.
  void finish() { levels_.finish(); }
  /// Seconds that accept() has waited for `inner`.
  double waited_seconds() const { return waited_; }

 private:
  struct Level {
    TimeLevel k;
    std::vector<std::int16_t> action;
    std::vector<float> value;
  };

  double waited_ = 0;
  Conveyor<Level> levels_;
};

}  // namespace tidewise
