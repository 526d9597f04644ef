#pragma once

#include <nanobind/nanobind.h>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "base/progress.h"

namespace tidewise::python {

/// Progress of work in another thread, which Python reads from time to time.
class WatchedProgress final : public Progress {
 public:
  struct State {
    std::string work;
    std::int64_t total = 0;
    std::string unit;
    std::int64_t done = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  void begin(std::string_view work, std::int64_t total, std::string_view unit) override;
  void advance_to(std::int64_t done) override;
  void end() override;

  State state() const;
  /// Makes the next call from the work throw RunError, which ends it.
  void interrupt();

 private:
  void stop_if_asked() const;

  mutable std::mutex mutex_;
  State state_;
  bool interrupted_ = false;
};

/// Runs `work` in a thread of its own and without Python's lock, so that other Python threads go
/// on. Meanwhile the calling thread takes signals, so that Ctrl-C ends the work at its next level
/// (`interrupted` is called then, beside WatchedProgress::interrupt, and the KeyboardInterrupt goes
/// on once the work is over), and calls `report`, unless that is None, as report(work, done, total,
/// unit) where there is news. Requires Python's lock. Errors: those of the work; of `report`, which
/// end the work, too.
void run_supervised(const nanobind::object& report,
                    const std::function<void(WatchedProgress&)>& work,
                    const std::function<void()>& interrupted = {});

/// The same of work that gives something.
template <class Work>
auto supervised(const nanobind::object& report, Work&& work) {
  std::optional<std::invoke_result_t<Work, WatchedProgress&>> result;
  run_supervised(report, [&](WatchedProgress& progress) { result.emplace(work(progress)); });
  return std::move(*result);
}

}  // namespace tidewise::python
