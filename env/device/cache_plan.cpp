#include "env/device/cache_plan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tidewise {
namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

// Number of steps for which a level stays in its slot: two in progress, and three read ahead.
constexpr std::size_t longest_stay = 5;

/// Simulates the pass step by step.
class Planner {
 public:
  Planner(const std::vector<TimeLevel>& order, const std::vector<CacheSlot>& slots)
      : order_(order), slots_(slots.size()), stay_length_(std::min(longest_stay, slots.size())) {
    find_needs();
    for (std::size_t s = 0; s < slots.size(); ++s) {
      Slot& slot = slots_[s];
      slot.recency = slots[s].last_use;
      newest_ = std::max(newest_, slot.recency);
      if (slots[s].level) {
        slot.level = *slots[s].level;
        slot.next_need = first_need(slot.level);
        slot_of_[slot.level] = s;
      }
      free_.insert(replacement_key(s));
    }
  }

  std::vector<CacheStep> plan() {
    std::vector<CacheStep> steps;
    steps.reserve(order_.size());
    for (std::size_t step = 0; step < order_.size(); ++step) {
      if (step >= stay_length_)
        make_replaceable(steps[step - stay_length_].slot, step - stay_length_);
      steps.push_back(assign_slot(step));
    }
    return steps;
  }

 private:
  struct Slot {
    TimeLevel level{-1};
    std::size_t next_need = never;  ///< step
    std::size_t last_step = never;  ///< the last step of this pass that used the slot
    std::uint64_t recency = 0;      ///< as CacheSlot::last_use
  };
  using Key = std::tuple<std::size_t, std::uint64_t, std::size_t>;

  /// Sets next_need_[step] to the next step that needs the same level.
  void find_needs() {
    next_need_.assign(order_.size(), never);
    for (std::size_t step = order_.size(); step-- > 0;) {
      const auto [need, is_new] = first_need_.try_emplace(order_[step], step);
      if (!is_new) next_need_[step] = std::exchange(need->second, step);
    }
  }

  std::size_t first_need(TimeLevel level) const {
    const auto found = first_need_.find(level);
    return found == first_need_.end() ? never : found->second;
  }

  /// Sort key of a slot; slots with smaller keys are replaced first.
  Key replacement_key(std::size_t s) const {
    return {never - slots_[s].next_need, slots_[s].recency, s};
  }

  /// Makes slot `s` replaceable if no step after `step` has used it.
  void make_replaceable(std::size_t s, std::size_t step) {
    if (slots_[s].last_step == step) free_.insert(replacement_key(s));
  }

  CacheStep assign_slot(std::size_t step) {
    const TimeLevel level = order_[step];
    CacheStep result;
    const auto found = slot_of_.find(level);
    if (found != slot_of_.end()) {
      result.slot = found->second;
      free_.erase(replacement_key(result.slot));
    } else {
      result.slot = std::get<2>(*free_.begin());
      result.source = CacheStep::Source::file;
      const Slot& old = slots_[result.slot];
      result.free_after = old.last_step == never ? 0 : old.last_step + 1;
      free_.erase(free_.begin());
      slot_of_.erase(old.level);
      slot_of_[level] = result.slot;
    }
    slots_[result.slot] = {level, next_need_[step], step, ++newest_};
    return result;
  }

  const std::vector<TimeLevel>& order_;
  std::vector<Slot> slots_;
  std::size_t stay_length_;
  std::vector<std::size_t> next_need_;
  std::map<TimeLevel, std::size_t> first_need_;
  std::map<TimeLevel, std::size_t> slot_of_;
  std::set<Key> free_;  ///< replaceable slots, the next one first
  std::uint64_t newest_ = 0;
};

}  // namespace

std::vector<CacheStep> plan_cache(const std::vector<TimeLevel>& order,
                                  const std::vector<CacheSlot>& slots) {
  return Planner(order, slots).plan();
}

}  // namespace tidewise
