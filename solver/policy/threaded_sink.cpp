#include "solver/policy/threaded_sink.h"

#include <memory>
#include <utility>

#include "base/stopwatch.h"

namespace tidewise {

void ThreadedPolicySink::accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                                View<const float> value) {
  Level level{leg,
              k,
              wait_for_memory(action.size * sizeof(std::int16_t) + value.size * sizeof(float)),
              {action.begin(), action.end()},
              {},
              {value.begin(), value.end()}};
  level.action = level.own_action;
  enqueue(std::move(level));
}

void ThreadedPolicySink::accept_lasting(std::size_t leg, TimeLevel k,
                                        View<const std::int16_t> action, View<const float> value) {
  enqueue({leg,
           k,
           wait_for_memory(value.size * sizeof(float)),
           {},
           action,
           {value.begin(), value.end()}});
}

ByteBudget::Share ThreadedPolicySink::wait_for_memory(std::size_t bytes) {
  const Stopwatch waiting;
  auto memory = pool_.waiting.take(bytes);
  waited_ += waiting.seconds();
  return memory;
}

void ThreadedPolicySink::enqueue(Level level) {
  line_.put([this, pending = std::make_shared<Level>(std::move(level))] {
    inner_.accept(pending->leg, pending->k, pending->action, pending->value);
  });
}

}  // namespace tidewise
