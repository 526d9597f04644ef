#include "app/cli/terminal_progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "app/cli/context.h"
#include "app/cli/interruption.h"
#include "app/terminal/outlet.h"
#include "app/terminal/terminal.h"
#include "base/current.h"
#include "base/printable.h"

namespace tidewise {
namespace {

constexpr int bar_width = 24;
constexpr std::chrono::milliseconds redraw_interval{100};
constexpr std::chrono::seconds line_interval{5};

std::string as_duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

Communicator& CommandContext::communicator() const {
  if (!communicator_) communicator_ = join_processes();
  return *communicator_;
}

std::unique_ptr<Progress> CommandContext::make_progress() const {
  if (verbosity != Verbosity::normal) return interruptible(std::make_unique<SilentProgress>());
  if (Outlet* outlet = current<Outlet>()) return interruptible(outlet->make_progress());
  return interruptible(std::make_unique<TerminalProgress>());
}

void CommandContext::warn(std::string_view text) const {
  if (const auto* communicator = joined(); communicator != nullptr && communicator->rank() > 0)
    return;
  const std::string line = shortened(on_one_line(text), max_message_bytes);
  if (Outlet* outlet = current<Outlet>()) {
    outlet->warn(line);
  } else {
    print_to_stderr(fmt::format("tidewise: warning: {}\n", line));
  }
}

TerminalProgress::TerminalProgress()
    : screen_(::isatty(STDERR_FILENO) != 0 ? Screen::terminal : Screen::plain) {}

TerminalProgress::~TerminalProgress() {
  // After an error in the middle of a bar, the message begins on a new line.
  if (!work_.empty() && screen_ == Screen::terminal) print_to_stderr("\n");
}

void TerminalProgress::begin(std::string_view work, std::int64_t total, std::string_view unit) {
  end();
  work_ = on_one_line(work);
  unit_ = unit;
  total_ = total;
  done_ = 0;
  started_ = drawn_ = Clock::now();
}

void TerminalProgress::advance_to(std::int64_t done) {
  done_ = done;
  const auto now = Clock::now();
  const bool due =
      screen_ == Screen::terminal ? now - drawn_ >= redraw_interval : now - drawn_ >= line_interval;
  if (due) draw(now);
}

void TerminalProgress::draw(Clock::time_point now) {
  drawn_ = now;
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  const double rate = elapsed > 0 ? static_cast<double>(done_) / elapsed : 0;
  const double remaining = rate > 0 ? static_cast<double>(total_ - done_) / rate : 0;
  if (total_ <= 0) {  // The total is unknown.
    const bool on_terminal = screen_ == Screen::terminal;
    print_raw_to_stderr(fmt::format("{}{}: {} {}, {:.3g} {}/s{}", on_terminal ? "\r" : "", work_,
                                    done_, unit_, rate, unit_, on_terminal ? "\033[K" : "\n"));
    return;
  }
  const double share = static_cast<double>(done_) / static_cast<double>(total_);
  const std::string figures = fmt::format("{}/{} {}, {:.3g} {}/s, {} left", done_, total_, unit_,
                                          rate, unit_, as_duration(remaining));
  if (screen_ == Screen::terminal) {
    const int filled = static_cast<int>(share * bar_width);
    print_raw_to_stderr(fmt::format("\r{} [{:=<{}}{:>{}}] {}\033[K", work_, "", filled, "",
                                    bar_width - filled, figures));
  } else {
    print_raw_to_stderr(fmt::format("{}: {:.0f} %, {}\n", work_, 100 * share, figures));
  }
}

void TerminalProgress::end() {
  if (work_.empty()) return;
  const double elapsed = std::chrono::duration<double>(Clock::now() - started_).count();
  print_raw_to_stderr(fmt::format("{}{}: {} {} in {}{}\n", screen_ == Screen::terminal ? "\r" : "",
                                  work_, done_, unit_, as_duration(elapsed),
                                  screen_ == Screen::terminal ? "\033[K" : ""));
  work_.clear();
}

}  // namespace tidewise
