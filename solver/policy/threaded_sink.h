#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/memory/byte_budget.h"
#include "base/parallel/strand.h"
#include "base/parallel/thread_pool.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// What policies share on the way to their files: threads that pack and write levels, and the
/// memory in which levels wait for them.
struct PolicyPool {
  /// `most_waiting`: [B]; a level that is larger waits alone.
  PolicyPool(std::size_t thread_count, std::size_t most_waiting)
      : waiting(most_waiting), threads(thread_count) {}

  ByteBudget waiting;
  ThreadPool threads;
};

/// Hands levels on to another sink by the threads of a pool, in their order, so that who solves
/// need not wait while they are packed and written. As many levels wait as the pool has memory for;
/// then accept() does. Levels that wait when it is destroyed without finish() are dropped.
class ThreadedPolicySink final : public PolicySink {
 public:
  /// Both must outlive this object; `inner` is the pool's alone until finish().
  ThreadedPolicySink(PolicySink& inner, PolicyPool& pool)
      : inner_(inner), pool_(pool), line_(pool.threads) {}

  /// Copies the level. Errors: what `inner` threw at an earlier one.
  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;
  /// The same with an action that stays where it is for as long as this object does.
  void accept_lasting(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                      View<const float> value);
  /// Has `last` done after all levels. Errors: what `inner` threw.
  void then(std::function<void()> last) { line_.put(std::move(last)); }
  /// Waits until all of it is done. Errors: what `inner` or `last` threw.
  void finish() { line_.finish(); }
  /// Seconds that accept() has waited for memory.
  double waited_seconds() const { return waited_; }

 private:
  struct Level {
    std::size_t leg;
    TimeLevel k;
    ByteBudget::Share memory;
    std::vector<std::int16_t> own_action;  // empty where it stays elsewhere
    View<const std::int16_t> action;
    std::vector<float> value;
  };

  ByteBudget::Share wait_for_memory(std::size_t bytes);
  void hand_on(Level level);

  PolicySink& inner_;
  PolicyPool& pool_;
  double waited_ = 0;  // [s]
  Strand line_;        // last: its work uses the rest
};

}  // namespace tidewise
