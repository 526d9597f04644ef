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
#include <vector>

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

  /// The last state of each work that has ended since the last call, and the current state.
  std::vector<State> take_states();
  /// Makes the next call from the work throw RunError, which ends it.
  void interrupt();

 private:
  void throw_if_interrupted() const;

  std::mutex mutex_;
  State state_;
  std::vector<State> ended_;
  bool interrupted_ = false;
};

/// Runs `work` in its own thread without Python's lock, so that other Python threads continue.
/// Meanwhile the calling thread handles signals and, unless `report` is None, calls report(work,
/// done, total, unit) after each change. Ctrl-C ends the work at its next level: it calls
/// WatchedProgress::interrupt() and `on_interrupt`, and KeyboardInterrupt is raised when the work
/// has ended. Requires Python's lock. Errors: those of the work, and those of `report`, which also
/// end the work.
void run_supervised(const nanobind::object& report,
                    const std::function<void(WatchedProgress&)>& work,
                    const std::function<void()>& on_interrupt = {});

/// Like run_supervised(), for work that returns a value.
template <class Work>
auto supervised(const nanobind::object& report, Work&& work) {
  std::optional<std::invoke_result_t<Work, WatchedProgress&>> result;
  run_supervised(report, [&](WatchedProgress& progress) { result.emplace(work(progress)); });
  return std::move(*result);
}

}  // namespace tidewise::python
