#include "solver/policy/device_stream.h"

#include <algorithm>
#include <limits>
#include <map>

#include "solver/policy/policy.h"

namespace tidewise {
namespace {

constexpr std::size_t not_wanted = std::numeric_limits<std::size_t>::max();

}  // namespace

DevicePolicyStream::DevicePolicyStream(const std::vector<const PolicySource*>& policies,
                                       std::size_t action_count, std::size_t cell_count,
                                       std::int32_t threads)
    : action_count_(action_count), cell_count_(cell_count), threads_(threads) {
  std::map<const PolicySource*, std::size_t> index_of;
  for (const PolicySource* policy : policies) {
    const auto [place, is_new] = index_of.try_emplace(policy, policies_.size());
    if (is_new) policies_.push_back(policy);
    policy_of_.push_back(place->second);
  }
  place_.assign(policies_.size(), not_wanted);
  failure_.resize(policies_.size());
  for (Slot& slot : slots_) {
    slot.host = PinnedArray<std::int16_t>(policies_.size() * cell_count);
    slot.device = DeviceArray<std::int16_t>(policies_.size() * cell_count);
  }
}

void DevicePolicyStream::begin() {
  ++begun_;
  slots_[place()].done.synchronize();
}

void DevicePolicyStream::read_policies(TimeLevel k, const std::vector<std::size_t>& members,
                                       const DeviceStream& stream) {
  wanted_.clear();
  std::fill(place_.begin(), place_.end(), not_wanted);
  for (const std::size_t member : members) {
    const std::size_t policy = policy_of_[member];
    if (place_[policy] != not_wanted) continue;
    place_[policy] = wanted_.size();
    wanted_.push_back(policy);
  }
  Slot& slot = slots_[place()];
  // Other threads may be busy: waiting for a core costs more than a copy of this size.
  constexpr std::size_t min_cells_per_thread = std::size_t{1} << 18;  // cells
  const std::size_t max_threads = wanted_.size() * cell_count_ / min_cells_per_thread + 1;
  const auto readers =
      static_cast<std::int32_t>(std::min(max_threads, static_cast<std::size_t>(threads_)));
#pragma omp parallel for schedule(static) num_threads(readers) if (readers > 1)
  for (std::size_t n = 0; n < wanted_.size(); ++n) {
    std::exception_ptr& failure = failure_[wanted_[n]];
    failure = nullptr;
    try {
      read_policy(*policies_[wanted_[n]], k, action_count_,
                  slot.host.view().part(n * cell_count_, cell_count_));
    } catch (...) {
      failure = std::current_exception();
    }
  }
  copy_bytes(MemorySpace::device, slot.device.data(), MemorySpace::pinned, slot.host.data(),
             wanted_.size() * cell_count_ * sizeof(std::int16_t), stream);
}

View<const std::int16_t> DevicePolicyStream::policy(std::size_t member) const {
  return slots_[place()].device.view().part(place_[policy_of_[member]] * cell_count_, cell_count_);
}

View<const std::int16_t> DevicePolicyStream::host_policy(std::size_t member) const {
  return slots_[place()].host.view().part(place_[policy_of_[member]] * cell_count_, cell_count_);
}

void DevicePolicyStream::end(const DeviceStream& stream) { slots_[place()].done.record(stream); }

}  // namespace tidewise
