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
  thread_.put([this, work] { work(relay_); });
}

WorkBeside::~WorkBeside() { relay_.is_stopped = true; }

void WorkBeside::finish(Progress& progress) {
  constexpr std::chrono::milliseconds interval{20};
  progress.begin(text_, relay_.total, "levels");
  while (!thread_.wait_for(interval)) progress.advance_to(relay_.completed);
  thread_.finish();
  progress.end();
}

}  // namespace tidewise
