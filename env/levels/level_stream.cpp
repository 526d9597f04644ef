#include "env/levels/level_stream.h"

#include <utility>

namespace tidewise {

LevelStream::LevelStream(const EnvironmentReader& reader, std::vector<TimeLevel> order)
    : reader_(reader), order_(std::move(order)), current_(reader.info()), coming_(reader.info()) {
  start_reading();
}

void LevelStream::start_reading() {
  if (position_ >= order_.size()) return;
  const TimeLevel level = order_[position_];
  reading_.put([this, level] { reader_.read_level(level, coming_); });
}

LevelFields<>& LevelStream::next() {
  reading_.finish();
  std::swap(current_, coming_);
  ++position_;
  start_reading();
  return current_;
}

std::vector<TimeLevel> levels_between(TimeLevel first, TimeLevel last) {
  std::vector<TimeLevel> levels;
  const std::int32_t step = first <= last ? 1 : -1;
  for (std::int32_t k = first.value; k != last.value + step; k += step) levels.emplace_back(k);
  return levels;
}

}  // namespace tidewise
