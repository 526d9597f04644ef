#pragma once

#include <cstdint>
#include <string_view>

#include "tidewise/progress.h"

namespace tidewise {

/// Reports nothing.
class SilentProgress final : public Progress {
 public:
  void begin(std::string_view, std::int64_t, std::string_view) override {}
  void advance_to(std::int64_t) override {}
  void end() override {}
};

}  // namespace tidewise
