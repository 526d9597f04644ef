#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/progress.h"

namespace tidewise {

/// Prints progress on stderr: a bar with rate and remaining time on a terminal, else a line every
/// few seconds.
class TerminalProgress final : public Progress {
 public:
  TerminalProgress();
  ~TerminalProgress() override;
  void begin(std::string_view work, std::int64_t total, std::string_view unit) override;
  void advance_to(std::int64_t done) override;
  void end() override;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Screen { terminal, plain };

  void draw(Clock::time_point now);

  Screen screen_;
  std::string work_;
  std::string unit_;
  std::int64_t total_ = 0;
  std::int64_t done_ = 0;
  Clock::time_point started_;
  Clock::time_point drawn_;
};

}  // namespace tidewise
