#include "bindings/supervised.h"

#include <nanobind/stl/string.h>

#include <chrono>

#include "base/error.h"

namespace tidewise::python {
namespace nb = nanobind;
namespace {

constexpr std::chrono::milliseconds between_looks{50};

}  // namespace

void WatchedProgress::begin(std::string_view work, std::int64_t total, std::string_view unit) {
  const std::lock_guard lock(mutex_);
  stop_if_asked();
  state_ = {std::string(work), total, std::string(unit), 0};
}

void WatchedProgress::advance_to(std::int64_t done) {
  const std::lock_guard lock(mutex_);
  stop_if_asked();
  state_.done = done;
}

void WatchedProgress::end() {
  const std::lock_guard lock(mutex_);
  if (state_.total > 0) state_.done = state_.total;  // else the total was unknown
}

WatchedProgress::State WatchedProgress::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void WatchedProgress::interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_ = true;
}

void WatchedProgress::stop_if_asked() const {
  if (interrupted_) throw RunError("interrupted; nothing was written");
}

void run_supervised(const nb::object& report, const std::function<void(WatchedProgress&)>& work,
                    const std::function<void()>& interrupted) {
  WatchedProgress progress;
  std::mutex mutex;
  std::condition_variable ended;
  bool over = false;
  std::exception_ptr failure;
  std::exception_ptr python_failure;
  WatchedProgress::State reported;

  const auto report_changes = [&] {
    WatchedProgress::State now = progress.state();
    if (report.is_none() || now == reported || now.work.empty()) return;
    report(now.work, now.done, now.total, now.unit);
    reported = std::move(now);
  };
  const auto look = [&] {
    if (python_failure) return;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      report_changes();
    } catch (...) {
      python_failure = std::current_exception();
      progress.interrupt();
      if (interrupted) interrupted();
    }
  };

  std::thread worker([&] {
    try {
      work(progress);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    over = true;
    ended.notify_one();
  });
  for (bool is_over = false; !is_over;) {
    {
      const nb::gil_scoped_release released;
      std::unique_lock lock(mutex);
      is_over = ended.wait_for(lock, between_looks, [&] { return over; });
    }
    look();
  }
  {
    const nb::gil_scoped_release released;
    worker.join();
  }
  // Errors of the work after it was asked to end do not count, because the caller gave it up.
  if (python_failure) std::rethrow_exception(python_failure);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tidewise::python
