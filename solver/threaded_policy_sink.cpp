#include "solver/threaded_policy_sink.h"

#include <utility>

#include "base/stopwatch.h"

namespace tidewise {

ThreadedPolicySink::ThreadedPolicySink(PolicySink& inner, std::size_t most_waiting)
    : levels_(most_waiting, [&inner](Level&& level) {
        inner.accept(level.k, {level.action.data(), level.action.size()},
                     {level.value.data(), level.value.size()});
      }) {}

void ThreadedPolicySink::accept(TimeLevel k, View<const std::int16_t> action,
                                View<const float> value) {
  Level level{k, {action.begin(), action.end()}, {value.begin(), value.end()}};
  const Stopwatch waiting;
  levels_.put(std::move(level));
  waited_ += waiting.seconds();
}

}  // namespace tidewise
