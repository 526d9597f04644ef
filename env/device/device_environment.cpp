#include "env/device/device_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/device.h"
#include "base/stopwatch.h"
#include "env/device/cache_plan.h"
#include "env/device/device_validation.h"
#include "env/levels/level_block.h"
#include "env/levels/level_read_ahead.h"

namespace tidewise {
namespace {

// Number of levels in pinned memory, for levels of any size: one being copied, one being read, and
// two between them that even out the durations of both.
constexpr std::size_t min_place_count = 4;

/// Staging memory for one level between file and device.
struct ReadingPlace {
  LevelFieldViews fields;   ///< in pinned memory
  bool holds_mask = false;  ///< the mask has been read; a fixed mask is read only once
};

// Number of levels that must fit on the device: two held, and one being copied.
constexpr std::size_t min_slot_count = 3;

std::size_t count_slots(const EnvironmentInfo& info, const LevelBlock& block, std::size_t budget) {
  const std::size_t shared = SharedModes<>::size(info);
  const std::size_t slots = budget < shared ? 0 : (budget - shared) / block.size();
  if (slots < min_slot_count) {
    throw RunError(fmt::format(
        "{} bytes of device memory for the environment do not hold three of its levels of {} bytes "
        "each{}; give it more, or use --backend cpu",
        budget, block.size(),
        shared == 0 ? "" : fmt::format(" and {} bytes of modes that they share", shared)));
  }
  return std::min(slots, static_cast<std::size_t>(info.time.level_count));
}

std::vector<DeviceEvent> make_events(std::size_t count) {
  std::vector<DeviceEvent> events;
  for (std::size_t n = 0; n < count; ++n) events.emplace_back();
  return events;
}

}  // namespace

class DeviceEnvironment::Implementation {
 public:
  Implementation(const EnvironmentReader& reader, std::size_t budget)
      : reader_(reader),
        device_(current_device()),
        block_(reader.info()),
        slots_(count_slots(reader.info(), block_, budget)),
        memory_(slots_.size() * block_.size()),
        complete_(make_events(slots_.size())),
        released_marks_(make_events(slots_.size())),
        width_(ReadingWidth::of(block_.size(), min_place_count)),
        staging_(width_.places * block_.size()),
        copied_(make_events(width_.places)),
        flags_(static_cast<std::size_t>(reader.info().time.level_count) + 1, 0) {
    if (const auto modes = reader.shared_modes()) {
      modes_.emplace();
      copy(modes_->u, modes->u);
      copy(modes_->v, modes->v);
      copy(modes_->missing, modes->missing);
    }
    for (std::size_t n = 0; n < width_.places; ++n) {
      places_.push_back({block_.fields(staging_.data() + n * block_.size())});
    }
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  ~Implementation() {
    reading_.reset();
    try {
      wait_for_device();  // levels may still be copied, validated or used
    } catch (...) {
      // A failed device has stopped, and the call that uses it reports the failure.
    }
  }

  const EnvironmentReader& reader() const { return reader_; }
  double waited_seconds() const { return waited_seconds_; }
  std::size_t levels_read() const { return levels_read_; }

  void begin(std::vector<TimeLevel> order) {
    reading_.reset();
    if (released_ < position_) wait_for_device();
    order_ = std::move(order);
    steps_ = plan_cache(order_, slots_);
    reads_.clear();
    std::vector<TimeLevel> levels;
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      if (steps_[step].source != CacheStep::Source::file) continue;
      reads_.push_back(step);
      levels.push_back(order_[step]);
    }
    copied_count_ = position_ = released_ = 0;
    waited_seconds_ = 0;
    if (levels.empty()) return;
    reading_ = std::make_unique<LevelReadAhead>(
        std::move(levels), width_,
        [this](TimeLevel level, std::size_t place) { read(level, place); });
  }

  LevelView next(const DeviceStream& stream) {
    if (position_ == order_.size()) throw std::logic_error("no level of the order is left");
    if (position_ - released_ == 2) throw std::logic_error("two levels are held already");
    refuse_invalid_levels();
    copy_ready_levels();
    while (copied_count_ < reads_.size() && reads_[copied_count_] <= position_) {
      await_reading();
      copy_next();
    }
    const std::size_t slot = steps_[position_].slot;
    complete_[slot].hold_up(stream);
    slots_[slot].last_use = ++uses_;
    unconfirmed_.push_back(order_[position_]);
    ++position_;
    return view_of(slot);
  }

  void release(const DeviceStream& stream) {
    if (released_ == position_) throw std::logic_error("no level is held");
    DeviceEvent& mark = released_marks_[steps_[released_].slot];
    // Another stream may have released the slot before; the mark must cover both.
    mark.hold_up(stream);
    mark.record(stream);
    ++released_;
    copy_ready_levels();
  }

  bool holds_all() const { return holds_all_; }

  LevelView resident(TimeLevel k) {
    const auto slot = std::find_if(slots_.begin(), slots_.end(),
                                   [k](const CacheSlot& held) { return held.level == k; });
    return view_of(static_cast<std::size_t>(slot - slots_.begin()));
  }

  void finish() {
    stream_.synchronize();
    refuse_invalid_levels();
    unconfirmed_.clear();
    holds_all_ = slots_.size() == static_cast<std::size_t>(reader_.info().time.level_count) &&
                 !is_set(flags_[0]) &&
                 std::all_of(slots_.begin(), slots_.end(),
                             [](const CacheSlot& slot) { return slot.level.has_value(); });
  }

 private:
  LevelView view_of(std::size_t slot) {
    LevelView level = block_.fields(memory_of(slot)).view(reader_.info());
    if (modes_) modes_->show_in(level);
    return level;
  }

  std::byte* memory_of(std::size_t slot) { return memory_.data() + slot * block_.size(); }

  /// Runs on a reading thread.
  void read(TimeLevel level, std::size_t number) {
    use_device(device_);
    copied_[number].synchronize();
    ReadingPlace& place = places_[number];
    reader_.read_fields(level, place.fields,
                        place.holds_mask ? MaskReading::moving : MaskReading::always);
    place.holds_mask = true;
  }

  void await_reading() {
    if (reading_->ready()) return;
    const Stopwatch stopwatch;
    reading_->wait();
    waited_seconds_ += stopwatch.seconds();
  }

  /// Copies all levels that have been read and whose slots are free to the device.
  void copy_ready_levels() {
    while (copied_count_ < reads_.size() && steps_[reads_[copied_count_]].free_after <= released_ &&
           reading_->ready()) {
      copy_next();
    }
  }

  /// Enqueues copying and validation of the next level that has been read.
  void copy_next() {
    const std::size_t step = reads_[copied_count_];
    const std::size_t slot = steps_[step].slot;
    const TimeLevel level = order_[step];
    const std::size_t place = reading_->take();
    slots_[slot] = {};
    released_marks_[slot].hold_up(stream_);
    copy_bytes(MemorySpace::device, memory_of(slot), MemorySpace::pinned,
               staging_.data() + place * block_.size(), block_.read_size(), stream_);
    copied_[place].record(stream_);
    reading_->give_back();
    validate(block_.fields(memory_of(slot)), level);
    complete_[slot].record(stream_);
    slots_[slot] = {level, ++uses_};
    ++copied_count_;
    ++levels_read_;
  }

  void validate(LevelFieldViews fields, TimeLevel level) {
    if (modes_) fields.modes_missing = modes_->missing;
    const std::int32_t velocities = reader_.info().velocities;
    const ValidationFlags flags{&flag_of(level), &flags_[0]};
    for (std::int32_t p = 0; p < velocities; ++p) {
      validate_on_device({fields_of_profile(fields, p, velocities), reader_.marks()}, flags,
                         stream_);
    }
    if (velocities > 1) {
      join_on_device({fields, velocities, reader_.marks().scalar}, flags, stream_);
    }
  }

  std::uint32_t& flag_of(TimeLevel level) {
    return flags_[1 + static_cast<std::size_t>(level.value)];
  }

  /// Reads atomically, because the device may write the word at the same time.
  static bool is_set(std::uint32_t& word) {
    return std::atomic_ref(word).load(std::memory_order_acquire) != 0;
  }

  /// Throws for the first level that next() returned and that has been found invalid so far.
  void refuse_invalid_levels() {
    if (!is_set(flags_[0])) return;
    const auto invalid = std::find_if(unconfirmed_.begin(), unconfirmed_.end(),
                                      [this](TimeLevel level) { return is_set(flag_of(level)); });
    if (invalid == unconfirmed_.end()) return;
    const TimeLevel level = *invalid;
    unconfirmed_.clear();  // each error is reported once; a pass over other levels may follow
    refuse(level);
  }

  /// Validates the level again on the host, which throws with the reason.
  [[noreturn]] void refuse(TimeLevel level) const {
    LevelFields<> fields(reader_.info());
    reader_.read_level(level, fields);
    throw RunError(
        fmt::format("{}: time level {} changed while it was read; leave the file alone during a "
                    "run, and start again",
                    reader_.path().string(), level.value));
  }

  const EnvironmentReader& reader_;
  const int device_;
  const LevelBlock block_;

  // State on the device, in the order of stream_'s work.
  DeviceStream stream_;
  std::vector<CacheSlot> slots_;             ///< contents after the work enqueued on stream_
  DeviceArray<std::byte> memory_;            ///< (slot, block)
  std::vector<DeviceEvent> complete_;        ///< (slot) when its level is copied and validated
  std::vector<DeviceEvent> released_marks_;  ///< (slot) when all work that reads it has ended
  std::uint64_t uses_ = 0;
  bool holds_all_ = false;  ///< every level is in a slot, copied and valid
  std::optional<SharedModes<MemorySpace::device>> modes_;  ///< shared by all levels

  // Staging between file and device.
  ReadingWidth width_;
  PinnedArray<std::byte> staging_;  ///< (place, block)
  std::vector<ReadingPlace> places_;
  std::vector<DeviceEvent> copied_;  ///< (place)
  std::size_t levels_read_ = 0;

  /// Flags that the device's validation sets: element 0 for any level, then one per level.
  PinnedArray<std::uint32_t> flags_;
  std::vector<TimeLevel> unconfirmed_;  ///< returned by next(), perhaps not validated yet

  // The current pass; positions count its steps.
  std::vector<TimeLevel> order_;
  std::vector<CacheStep> steps_;
  std::vector<std::size_t> reads_;  ///< steps whose level comes from the file
  std::size_t copied_count_ = 0;    ///< number of reads_ copied
  std::size_t position_ = 0;
  std::size_t released_ = 0;
  double waited_seconds_ = 0;

  std::unique_ptr<LevelReadAhead> reading_;  ///< last: its threads use the members above
};

DeviceEnvironment::DeviceEnvironment(const EnvironmentReader& reader, std::size_t budget)
    : implementation_(std::make_unique<Implementation>(reader, budget)) {}

DeviceEnvironment::~DeviceEnvironment() = default;

const EnvironmentReader& DeviceEnvironment::reader() const { return implementation_->reader(); }
void DeviceEnvironment::begin(std::vector<TimeLevel> order) {
  implementation_->begin(std::move(order));
}
LevelView DeviceEnvironment::next(const DeviceStream& stream) {
  return implementation_->next(stream);
}
void DeviceEnvironment::release(const DeviceStream& stream) { implementation_->release(stream); }
bool DeviceEnvironment::holds_all() const { return implementation_->holds_all(); }
LevelView DeviceEnvironment::resident(TimeLevel k) const { return implementation_->resident(k); }
void DeviceEnvironment::finish() { implementation_->finish(); }
double DeviceEnvironment::waited_seconds() const { return implementation_->waited_seconds(); }
std::size_t DeviceEnvironment::levels_read() const { return implementation_->levels_read(); }

}  // namespace tidewise
