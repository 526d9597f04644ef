#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/memory/array.h"
#include "base/memory/byte_budget.h"
#include "base/parallel/strand.h"
#include "base/parallel/thread_pool.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// Shared by policies that are written to files: threads that pack and write levels, and the memory
/// in which levels wait.
class PolicyPool {
  // First, because the threads use them.
  std::mutex mutex_;
  std::vector<Array<float>> slabs_;
  std::map<std::size_t, std::vector<float*>> free_;  // (size)

 public:
  /// `max_waiting`: memory for waiting levels [B]; a larger level waits only while no other level
  /// waits.
  PolicyPool(std::size_t thread_count, std::size_t max_waiting)
      : waiting(max_waiting), threads(thread_count) {}

  /// Returns memory to its pool, which has to outlive it.
  struct GiveBack {
    PolicyPool* pool;
    std::size_t size;
    void operator()(float* memory) const { pool->give_back({memory, size}); }
  };
  using Copy = std::unique_ptr<float, GiveBack>;

  /// Copies values. First accesses of new memory would take longer than the copies; so the pool
  /// keeps its memory and requests large pages.
  Copy copy(View<const float> values);

  ByteBudget waiting;
  ThreadPool threads;

 private:
  void give_back(View<float> memory);
};

/// Passes levels to another sink on the threads of a pool, in their order, so that the solver need
/// not wait while levels are packed and written. accept() blocks while the pool's memory is full.
/// Levels that wait are dropped if the object is destroyed without finish().
class ThreadedPolicySink final : public PolicySink {
 public:
  /// Both must outlive this object. Until finish(), only the pool may use `inner`.
  ThreadedPolicySink(PolicySink& inner, PolicyPool& pool)
      : inner_(inner), pool_(pool), line_(pool.threads) {}

  /// Copies the level. Errors: those of `inner` at an earlier level.
  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;
  /// accept() without a copy of `action`, which must stay valid and unchanged as long as this
  /// object.
  void accept_lasting(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                      View<const float> value);
  /// Runs `work` on the pool, after all levels so far. Errors: those of `inner`.
  void then(std::function<void()> work) { line_.put(std::move(work)); }
  /// Waits until all work is done. Errors: those of `inner` or of work of then().
  void finish() { line_.finish(); }
  /// Time that accept() has waited for memory [s].
  double waited_seconds() const { return waited_; }

 private:
  struct Level {
    std::size_t leg;
    TimeLevel k;
    ByteBudget::Share memory;
    std::vector<std::int16_t> own_action;  // empty if the action is not copied
    View<const std::int16_t> action;
    PolicyPool::Copy value;
  };

  ByteBudget::Share wait_for_memory(std::size_t bytes);
  void enqueue(Level level);

  PolicySink& inner_;
  PolicyPool& pool_;
  double waited_ = 0;  // [s]
  Strand line_;        // last member: its work uses the members above
};

}  // namespace tidewise
