#include "env/file/level_stream.h"

#include <system_error>
#include <utility>

#include "base/parallel/start_thread.h"

namespace tidewise {

LevelStream::LevelStream(const EnvironmentReader& reader, std::vector<TimeLevel> order)
    : reader_(reader), order_(std::move(order)), current_(reader.info()), coming_(reader.info()) {
  start_reading();
}

LevelStream::~LevelStream() {
  if (reading_.valid()) reading_.wait();
}

void LevelStream::start_reading() {
  if (position_ >= order_.size()) return;
  const TimeLevel level = order_[position_];
  try {
    reading_ =
        std::async(std::launch::async, [this, level] { reader_.read_level(level, coming_); });
  } catch (const std::system_error& reason) {
    refuse_thread(reason);
  }
}

const LevelFields<>& LevelStream::next() {
  reading_.get();
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
