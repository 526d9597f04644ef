#include "bindings/supervised.h"

#include <nanobind/stl/string.h>

#include <chrono>

#include "base/error.h"

namespace tidewise::python {
namespace nb = nanobind;
namespace {

constexpr std::chrono::milliseconds check_interval{50};

}  // namespace

void WatchedProgress::begin(std::string_view work, std::int64_t total, std::string_view unit) {
  const std::lock_guard lock(mutex_);
  throw_if_interrupted();
  ended_.push_back(std::move(state_));
  state_ = {std::string(work), total, std::string(unit), 0};
}

void WatchedProgress::advance_to(std::int64_t done) {
  const std::lock_guard lock(mutex_);
  throw_if_interrupted();
  state_.done = done;
}

void WatchedProgress::end() {
  const std::lock_guard lock(mutex_);
  if (state_.total > 0) state_.done = state_.total;  // else the total was unknown
}

std::vector<WatchedProgress::State> WatchedProgress::take_states() {
  const std::lock_guard lock(mutex_);
  std::vector<State> states = std::exchange(ended_, {});
  states.push_back(state_);
  return states;
}

void WatchedProgress::interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_ = true;
}

void WatchedProgress::throw_if_interrupted() const {
  if (interrupted_) throw RunError("interrupted; nothing was written");
}

void run_supervised(const nb::object& report, const std::function<void(WatchedProgress&)>& work,
                    const std::function<void()>& on_interrupt) {
  WatchedProgress progress;
  std::mutex mutex;
  std::condition_variable ended;
  bool finished = false;
  std::exception_ptr failure;
  std::exception_ptr python_failure;
  WatchedProgress::State reported;

  const auto report_changes = [&] {
    for (WatchedProgress::State& state : progress.take_states()) {
      if (report.is_none() || state == reported || state.work.empty()) continue;
      report(state.work, state.done, state.total, state.unit);
      reported = std::move(state);
    }
  };
  const auto check_signals = [&] {
    if (python_failure) return;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      report_changes();
    } catch (...) {
      python_failure = std::current_exception();
      progress.interrupt();
      if (on_interrupt) on_interrupt();
    }
  };

  std::thread worker([&] {
    try {
      work(progress);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    finished = true;
    ended.notify_one();
  });
  for (bool is_finished = false; !is_finished;) {
    {
      const nb::gil_scoped_release released;
      std::unique_lock lock(mutex);
      is_finished = ended.wait_for(lock, check_interval, [&] { return finished; });
    }
    check_signals();
  }
  {
    const nb::gil_scoped_release released;
    worker.join();
  }
  // Errors of the work after an interruption are dropped, because the caller has given the work up.
  if (python_failure) std::rethrow_exception(python_failure);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tidewise::python
