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
  hand_on(std::move(level));
}

void ThreadedPolicySink::accept_lasting(std::size_t leg, TimeLevel k,
                                        View<const std::int16_t> action, View<const float> value) {
  hand_on({leg,
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

void ThreadedPolicySink::hand_on(Level level) {
  line_.put([this, kept = std::make_shared<Level>(std::move(level))] {
    inner_.accept(kept->leg, kept->k, kept->action, kept->value);
  });
}

}  // namespace tidewise
