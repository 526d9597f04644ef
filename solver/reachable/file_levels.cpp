#include "solver/reachable/file_levels.h"

#include <utility>

#include "base/stopwatch.h"
#include "solver/reachable/in_memory_levels.h"

namespace tidewise {

FileLevels::FileLevels(const EnvironmentReader& reader, std::size_t memory)
    : reader_(reader),
      levels_to_keep_(memory / (InMemoryLevels::size(reader.info(), TimeLevel(0), TimeLevel(0)) -
                                SharedModes<>::size(reader.info()))),
      kept_(static_cast<std::size_t>(reader.info().time.level_count)),
      is_read_(kept_.size(), false),
      current_(reader.info()),
      next_(reader.info()) {}

LevelFields<>* FileLevels::kept_slot(TimeLevel k) {
  auto& slot = kept_[static_cast<std::size_t>(k.value)];
  if (!slot) {
    if (levels_to_keep_ == 0) return nullptr;
    --levels_to_keep_;
    slot.emplace(reader_.info());
  }
  return &*slot;
}

void FileLevels::read_ahead(TimeLevel k) {
  if (k.value < 0 || k.value >= reader_.info().time.level_count) return;
  if (is_read_[static_cast<std::size_t>(k.value)] || current_level_ == k) return;
  LevelFields<>* slot = kept_slot(k);
  LevelFields<>& fields = slot != nullptr ? *slot : next_;
  next_level_ = k;
  reading_.put([this, k, &fields] { reader_.read_level(k, fields); });
}

LevelView FileLevels::level(TimeLevel k) {
  const auto at = static_cast<std::size_t>(k.value);
  const Stopwatch waiting;
  if (next_level_) {
    reading_.finish();
    const auto read_index = static_cast<std::size_t>(next_level_->value);
    if (kept_[read_index]) {
      is_read_[read_index] = true;
    } else {
      std::swap(current_, next_);
      current_level_ = next_level_;
    }
    next_level_.reset();
  }
  if (!is_read_[at] && current_level_ != k) {
    if (LevelFields<>* slot = kept_slot(k)) {
      reader_.read_level(k, *slot);
      is_read_[at] = true;
    } else {
      current_level_.reset();
      reader_.read_level(k, current_);
      current_level_ = k;
    }
  }
  waited_seconds_ += waiting.seconds();
  // After the first request the next level is expected; later ones continue in the same direction.
  const std::int32_t step = requested_ && k < *requested_ ? -1 : 1;
  requested_ = k;
  read_ahead(TimeLevel(k.value + step));
  return (is_read_[at] ? *kept_[at] : current_).view(reader_.info());
}

}  // namespace tidewise
