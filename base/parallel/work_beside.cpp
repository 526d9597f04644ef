#include "base/parallel/work_beside.h"

#include <chrono>

namespace tidewise {

void WorkBeside::Relay::begin(std::string_view, std::int64_t all, std::string_view) { total = all; }

void WorkBeside::Relay::advance_to(std::int64_t done) {
  if (is_stopped) throw RunError("interrupted");
  completed = done;
}

WorkBeside::WorkBeside(std::string_view text, const std::function<void(Progress&)>& work)
    : text_(text) {
  thread_.put([this, work] {
    const auto set_done = [this] {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
      changed_.notify_all();
    };
    try {
      work(relay_);
    } catch (...) {
      set_done();
      throw;
    }
    set_done();
  });
}

WorkBeside::~WorkBeside() { relay_.is_stopped = true; }

void WorkBeside::finish(Progress& progress) {
  constexpr std::chrono::milliseconds interval{20};
  progress.begin(text_, relay_.total, "levels");
  const auto is_done = [&] {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, interval, [this] { return is_done_; });
  };
  while (!is_done()) progress.advance_to(relay_.completed);
  thread_.finish();
  progress.end();
}

}  // namespace tidewise
