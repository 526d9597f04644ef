#include "env/tools/merge_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "env/file/time_reference.h"
#include "env/tools/each_profile.h"
#include "env/tools/merge_agreement.h"

namespace tidewise {
namespace {

/// A cycle before the cycles are in order.
struct Cycle {
  const EnvironmentReader* reader;
  EnvironmentExtras extras;
  std::optional<double>
      reference;     ///< [s since 1970] what its times count from, where that is known
  double first = 0;  ///< its first time, from the reference of the first file given
};

class MergePlanner {
 public:
  MergePlanner(const std::vector<const EnvironmentReader*>& readers, Prevailing prevailing)
      : prevailing_(prevailing) {
    for (const EnvironmentReader* reader : readers) {
      cycles_.push_back({reader, read_environment_extras(*reader), {}, 0});
    }
  }

  MergePlan plan() {
    for (std::size_t n = 1; n < cycles_.size(); ++n) {
      require_agreement({*cycles_[0].reader, cycles_[0].extras},
                        {*cycles_[n].reader, cycles_[n].extras});
    }
    place_in_time();
    std::stable_sort(cycles_.begin(), cycles_.end(),
                     [](const Cycle& a, const Cycle& b) { return a.first < b.first; });
    find_levels();
    MergePlan plan;
    plan.info = cycles_.front().reader->info();
    plan.parts = divide_levels(plan.shared_levels);
    describe_times(plan.info);
    plan.info.obstacles = join_masks();
    for (Cycle& cycle : cycles_) {
      plan.cycles.push_back(cycle.reader);
      plan.extras.push_back(std::move(cycle.extras));
    }
    return plan;
  }

 private:
  const EnvironmentInfo& info(std::size_t cycle) const { return cycles_[cycle].reader->info(); }

  /// Brings all first times to one origin. Equal units need no calendar, and keep their bits.
  void place_in_time() {
    const std::string& units = info(0).time_units;
    const std::string& variable = cycles_[0].reader->names().time;
    const bool one_origin = std::all_of(cycles_.begin(), cycles_.end(), [&](const Cycle& cycle) {
      return cycle.reader->info().time_units == units &&
             cycle.extras.calendar == cycles_[0].extras.calendar;
    });
    for (Cycle& cycle : cycles_) {
      cycle.first = cycle.reader->info().time.first;
      if (one_origin) continue;
      cycle.reference = reference_of(cycle);
      if (cycle.reference.has_value() != cycles_[0].reference.has_value()) {
        refuse_merge(*cycles_[0].reader, *cycle.reader, variable,
                     fmt::format("counts in \"{}\" in one and in \"{}\" in the other, one of them "
                                 "from no date; give both the units 'seconds since …'",
                                 units, cycle.reader->info().time_units));
      }
      if (cycle.reference) cycle.first += *cycle.reference - *cycles_[0].reference;
    }
  }

  static std::optional<double> reference_of(const Cycle& cycle) {
    try {
      return time_reference(cycle.reader->info().time_units, cycle.extras.calendar);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: variable {}: {}", cycle.reader->path().string(),
                                   cycle.reader->names().time, error.what()));
    }
  }

  /// The level of the merged axis at which each cycle begins.
  void find_levels() {
    const double step = info(0).time.step;
    constexpr double most = std::numeric_limits<std::int32_t>::max() / 4;
    for (std::size_t n = 0; n < cycles_.size(); ++n) {
      const double level = (cycles_[n].first - cycles_[0].first) / step;
      if (!(level < most) || std::abs(level - std::round(level)) > axis_tolerance) {
        refuse_merge(*cycles_[0].reader, *cycles_[n].reader, time_name(n),
                     fmt::format("they begin {:.10g} steps of {:.10g} apart, not a whole number; "
                                 "bring both in with times on one axis (--from)",
                                 level, step));
      }
      begin_.push_back(static_cast<std::int32_t>(std::lround(level)));
      if (n > 0 && begin_[n] == begin_[n - 1]) {
        refuse_merge(*cycles_[n - 1].reader, *cycles_[n].reader, time_name(n),
                     fmt::format("both begin at {:.10g}, so neither is the later cycle; leave one "
                                 "out",
                                 info(n).time.first));
      }
    }
  }

  const std::string& time_name(std::size_t cycle) const {
    return cycles_[cycle].reader->names().time;
  }
  std::int32_t end(std::size_t cycle) const { return begin_[cycle] + info(cycle).time.level_count; }
  bool holds(std::size_t cycle, std::int32_t level) const {
    return begin_[cycle] <= level && level < end(cycle);
  }

  /// Each level from the cycle that prevails, neighbours of one cycle together.
  std::vector<MergePart> divide_levels(std::int32_t& shared) const {
    std::vector<MergePart> parts;
    std::int32_t levels = 0;
    for (std::size_t n = 0; n < cycles_.size(); ++n) levels = std::max(levels, end(n));
    for (std::int32_t level = 0; level < levels; ++level) {
      std::optional<std::size_t> owner;
      bool is_shared = false;
      for (std::size_t n = 0; n < cycles_.size(); ++n) {
        if (!holds(n, level)) continue;
        is_shared = is_shared || owner;
        if (!owner || prevailing_ == Prevailing::later) owner = n;
      }
      if (!owner) refuse_gap(level);
      shared += is_shared ? 1 : 0;
      const TimeLevel own(level - begin_[*owner]);
      if (!parts.empty() && parts.back().cycle == *owner &&
          parts.back().last.value + 1 == own.value) {
        parts.back().last = own;
      } else {
        parts.push_back({*owner, own, own, TimeLevel(level)});
      }
    }
    return parts;
  }

  [[noreturn]] void refuse_gap(std::int32_t level) const {
    std::size_t before = 0;
    std::size_t after = cycles_.size() - 1;
    for (std::size_t n = 0; n < cycles_.size(); ++n) {
      if (end(n) <= level && end(n) > end(before)) before = n;
      if (begin_[n] > level && begin_[n] < begin_[after]) after = n;
    }
    const std::int32_t missing = begin_[after] - end(before);
    refuse_merge(
        *cycles_[before].reader, *cycles_[after].reader, time_name(after),
        fmt::format("between the end of one and the beginning of the other {} level(s) are "
                    "missing; add the cycle that holds them",
                    missing));
  }

  void describe_times(EnvironmentInfo& merged) const {
    std::int32_t levels = 0;
    for (std::size_t n = 0; n < cycles_.size(); ++n) levels = std::max(levels, end(n));
    merged.time.level_count = levels;
  }

  /// A mask that holds for all levels stays one only where it is the same in every cycle.
  Obstacles join_masks() const {
    const auto all = [&](Obstacles kind) {
      return std::all_of(cycles_.begin(), cycles_.end(), [&](const Cycle& cycle) {
        return cycle.reader->info().obstacles == kind;
      });
    };
    if (all(Obstacles::none)) return Obstacles::none;
    if (!all(Obstacles::fixed)) return Obstacles::moving;
    const auto masks_of = [](const Cycle& cycle) {
      std::vector<std::vector<std::uint8_t>> masks;  // (profile)
      for_each_profile(*cycle.reader, [&](const EnvironmentReader& own, std::size_t) {
        masks.push_back(own.read_masked(TimeLevel(0)));
      });
      return masks;
    };
    const auto masks = masks_of(cycles_[0]);
    const bool same = std::all_of(cycles_.begin(), cycles_.end(),
                                  [&](const Cycle& cycle) { return masks_of(cycle) == masks; });
    return same ? Obstacles::fixed : Obstacles::moving;
  }

  Prevailing prevailing_;
  std::vector<Cycle> cycles_;
  std::vector<std::int32_t> begin_;  // (cycle): its level 0 on the merged axis
};

}  // namespace

MergePlan plan_merge(const std::vector<const EnvironmentReader*>& readers, Prevailing prevailing) {
  if (readers.size() < 2) {
    throw InputError("there is nothing to join; name two environments or more");
  }
  return MergePlanner(readers, prevailing).plan();
}

}  // namespace tidewise
