#include "solver/policy/threaded_sink.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/memory/host_memory.h"
#include "base/stopwatch.h"

namespace tidewise {

PolicyPool::Copy PolicyPool::copy(View<const float> values) {
  View<float> memory(nullptr, values.size);
  {
    // Slabs double, so that few small levels take little memory.
    constexpr std::size_t max_slab = std::size_t{32} << 20;  // [B]
    constexpr std::size_t first_slab = 8;                    // levels
    const std::lock_guard lock(mutex_);
    std::vector<float*>& free = free_[values.size];
    if (free.empty()) {
      const std::size_t fitting = max_slab / std::max<std::size_t>(values.size * sizeof(float), 1);
      const std::size_t count = std::clamp<std::size_t>(
          fitting, 1, first_slab << std::min<std::size_t>(slabs_.size(), 20));
      Array<float>& slab = slabs_.emplace_back(count * values.size);
      prefer_large_pages(slab.data(), slab.size() * sizeof(float));
      for (std::size_t n = count; n-- > 0;) free.push_back(slab.data() + n * values.size);
    }
    memory.data = free.back();
    free.pop_back();
  }
  std::copy(values.begin(), values.end(), memory.begin());
  return Copy(memory.data, {this, memory.size});
}

void PolicyPool::give_back(View<float> memory) {
  const std::lock_guard lock(mutex_);
  free_[memory.size].push_back(memory.data);
}

void ThreadedPolicySink::accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                                View<const float> value) {
  Level level{leg,
              k,
              wait_for_memory(action.size * sizeof(std::int16_t) + value.size * sizeof(float)),
              {action.begin(), action.end()},
              {},
              pool_.copy(value)};
  level.action = level.own_action;
  enqueue(std::move(level));
}

void ThreadedPolicySink::accept_lasting(std::size_t leg, TimeLevel k,
                                        View<const std::int16_t> action, View<const float> value) {
  enqueue({leg, k, wait_for_memory(value.size * sizeof(float)), {}, action, pool_.copy(value)});
}

ByteBudget::Share ThreadedPolicySink::wait_for_memory(std::size_t bytes) {
  const Stopwatch waiting;
  auto memory = pool_.waiting.take(bytes);
  waited_ += waiting.seconds();
  return memory;
}

void ThreadedPolicySink::enqueue(Level level) {
  line_.put([this, pending = std::make_shared<Level>(std::move(level))] {
    inner_.accept(pending->leg, pending->k, pending->action,
                  View<const float>(pending->value.get(), pending->value.get_deleter().size));
  });
}

}  // namespace tidewise
