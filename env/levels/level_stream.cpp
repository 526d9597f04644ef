#include "env/levels/level_stream.h"

#include <algorithm>
#include <utility>

#include "env/levels/level_block.h"

namespace tidewise {
namespace {

ReadingWidth width_of(const EnvironmentInfo& info, std::size_t levels) {
  constexpr std::size_t min_places = 2;
  ReadingWidth width = ReadingWidth::of(LevelBlock(info).size(), min_places);
  width.places = std::clamp<std::size_t>(levels, 1, width.places);
  return width;
}

}  // namespace

LevelStream::LevelStream(const EnvironmentReader& reader, std::vector<TimeLevel> order)
    : LevelStream(reader, width_of(reader.info(), order.size()), std::move(order)) {}

LevelStream::LevelStream(const EnvironmentReader& reader, const ReadingWidth& width,
                         std::vector<TimeLevel>&& order)
    : fields_(make_fields(reader.info(), width.places)),
      reading_(std::move(order), width, [this, &reader](TimeLevel level, std::size_t place) {
        reader.read_level(level, fields_[place]);
      }) {}

std::vector<LevelFields<>> LevelStream::make_fields(const EnvironmentInfo& info,
                                                    std::size_t count) {
  std::vector<LevelFields<>> fields;
  for (std::size_t n = 0; n < count; ++n) fields.emplace_back(info);
  return fields;
}

LevelFields<>& LevelStream::next() {
  if (holds_place_) reading_.give_back();
  holds_place_ = false;
  const std::size_t place = reading_.take();
  holds_place_ = true;
  return fields_[place];
}

std::vector<TimeLevel> levels_between(TimeLevel first, TimeLevel last) {
  std::vector<TimeLevel> levels;
  const std::int32_t step = first <= last ? 1 : -1;
  for (std::int32_t k = first.value; k != last.value + step; k += step) levels.emplace_back(k);
  return levels;
}

}  // namespace tidewise
