#include "mdp/fused/sell_process.h"

#include <algorithm>
#include <utility>

#include "base/memory/host_memory.h"
#include "base/parallel/team.h"

namespace tidewise::mdp {
namespace {

std::int32_t lanes_of_slice(std::int64_t slice, std::int32_t state_count) {
  return static_cast<std::int32_t>(
      std::min<std::int64_t>(slice_states, state_count - slice * slice_states));
}

/// The longest row of one action in a slice.
template <class Real>
std::int64_t longest_row(const DecisionProcess<Real>& process, std::int64_t slice,
                         std::int32_t action) {
  std::int64_t longest = 0;
  const std::int32_t lanes = lanes_of_slice(slice, process.state_count);
  for (std::int32_t lane = 0; lane < lanes; ++lane) {
    const auto row = std::size_t((slice * slice_states + lane) * process.action_count + action);
    longest = std::max(longest, process.row_begin[row + 1] - process.row_begin[row]);
  }
  return longest;
}

// That a thread takes at a time.
constexpr std::int64_t slices_at_once = 32;
// Entries of what a thread takes at a time where memory goes from one layout to the other: many
// pages, of which those at the ends are shared with others and stay.
constexpr std::int64_t entries_at_once = 1 << 18;

/// Calls body(first, end) for pieces of `slices` that have `entries` entries in all.
template <class Body>
void for_large_pieces(std::int64_t slices, std::int64_t entries, std::int32_t threads,
                      const Body& body) {
  const std::int64_t pieces = std::clamp(entries / entries_at_once, std::int64_t{1}, slices);
  for_pieces(pieces, threads, [&](std::int64_t piece, TeamRank) {
    body(slices * piece / pieces, slices * (piece + 1) / pieces);
  });
}

template <class T>
void release_elements(T* values, std::int64_t begin, std::int64_t end) {
  release_pages(values + begin, static_cast<std::size_t>(end - begin) * sizeof(T));
}

}  // namespace

template <class Real>
SellProcess<Real>::SellProcess(const DecisionProcess<Real>& process, std::int32_t threads)
    : SellProcess(process, threads, nullptr) {}

template <class Real>
SellProcess<Real> SellProcess<Real>::unload(DecisionProcess<Real>& process, std::int32_t threads) {
  return SellProcess(process, threads, &process);
}

template <class Real>
SellProcess<Real>::SellProcess(const DecisionProcess<Real>& process, std::int32_t threads,
                               DecisionProcess<Real>* unloaded)
    : state_count_(process.state_count),
      action_count_(process.action_count),
      discount_(static_cast<Real>(process.discount)) {
  const std::int64_t slices = slice_count(state_count_);
  const std::int64_t places = slices * action_count_;
  begin_ = Array<std::int64_t>(std::size_t(places) + 1);
  begin_[0] = 0;
  for_each_shared(slices, slices_at_once, threads, [&](std::int64_t slice) {
    for (std::int32_t a = 0; a < action_count_; ++a) {
      begin_[std::size_t(slice * action_count_ + a) + 1] = longest_row(process, slice, a);
    }
  });
  for (std::size_t n = 1; n < begin_.size(); ++n) begin_[n] += begin_[n - 1];
  const auto words = std::size_t(begin_[std::size_t(places)] * slice_states);
  lanes_ = Array<std::uint32_t>(std::size_t(places));
  successor_ = Array<std::int32_t>(words);
  probability_ = Array<Real>(words);
  reward_ = Array<Real>(std::size_t(places * slice_states));
  if (unloaded != nullptr) entry_ = Array<std::int64_t>(std::size_t(slices));
  for_large_pieces(slices, process.entry_count(), threads,
                   [&](std::int64_t first, std::int64_t end) {
                     for (std::int64_t slice = first; slice < end; ++slice) lay_out(process, slice);
                     if (unloaded != nullptr) release(*unloaded, first, end);
                   });
  // Others look at the ends of a piece's rows; nobody now.
  if (unloaded != nullptr) release_elements(unloaded->row_begin.data(), 0, process.row_count());
}

/// The process's own memory of slices [first, end).
template <class Real>
void SellProcess<Real>::release(DecisionProcess<Real>& process, std::int64_t first,
                                std::int64_t end) const {
  const std::int64_t row = first * slice_states * action_count_;
  const std::int64_t row_end =
      std::min<std::int64_t>(end * slice_states, state_count_) * action_count_;
  const std::int64_t* const row_begin = std::as_const(process.row_begin).data();
  const std::int64_t entry = row_begin[row];
  const std::int64_t entry_end = row_begin[row_end];
  release_elements(process.successor.data(), entry, entry_end);
  release_elements(process.probability.data(), entry, entry_end);
  release_elements(process.reward.data(), row, row_end);
}

/// The layout's of the same.
template <class Real>
void SellProcess<Real>::release(std::int64_t first, std::int64_t end) {
  const std::int64_t place = first * action_count_;
  const std::int64_t place_end = end * action_count_;
  const std::int64_t word = begin_[std::size_t(place)] * slice_states;
  const std::int64_t word_end = begin_[std::size_t(place_end)] * slice_states;
  release_elements(successor_.data(), word, word_end);
  release_elements(probability_.data(), word, word_end);
  release_elements(reward_.data(), place * slice_states, place_end * slice_states);
}

template <class Real>
void SellProcess<Real>::restore(DecisionProcess<Real>& process, std::int32_t threads) {
  for_large_pieces(slice_count(state_count_), process.entry_count(), threads,
                   [&](std::int64_t first, std::int64_t end) {
                     for (std::int64_t slice = first; slice < end; ++slice)
                       put_back(process, slice);
                     release(first, end);
                   });
}

/// What lay_out() took, from where it went.
template <class Real>
void SellProcess<Real>::put_back(DecisionProcess<Real>& process, std::int64_t slice) const {
  const std::int32_t lane_count = lanes_of_slice(slice, state_count_);
  std::int64_t* const row_begin = process.row_begin.data();
  std::int32_t* const successor = process.successor.data();
  Real* const probability = process.probability.data();
  Real* const reward = process.reward.data();
  std::int64_t entry = entry_[std::size_t(slice)];
  for (std::int32_t lane = 0; lane < lane_count; ++lane) {
    for (std::int32_t a = 0; a < action_count_; ++a) {
      const auto place = std::size_t(slice * action_count_ + a);
      const std::int64_t row = (slice * slice_states + lane) * action_count_ + a;
      row_begin[row] = entry;
      reward[row] = reward_[place * slice_states + std::size_t(lane)];
      for (std::int64_t n = begin_[place]; n < begin_[place + 1]; ++n) {
        const auto from = std::size_t(n * slice_states + lane);
        if (probability_[from] == Real(no_entry)) break;
        successor[entry] = successor_[from];
        probability[entry++] = probability_[from];
      }
    }
  }
}

template <class Real>
void SellProcess<Real>::lay_out(const DecisionProcess<Real>& process, std::int64_t slice) {
  const std::int32_t lane_count = lanes_of_slice(slice, state_count_);
  if (!entry_.empty()) {
    const auto row = std::size_t(slice * slice_states * action_count_);
    entry_[std::size_t(slice)] = process.row_begin[row];
  }
  for (std::int32_t a = 0; a < action_count_; ++a) {
    const auto place = std::size_t(slice * action_count_ + a);
    std::uint32_t lanes = 0;
    for (std::int32_t lane = 0; lane < slice_states; ++lane) {
      const std::int64_t state =
          std::min<std::int64_t>(slice * slice_states + lane, std::int64_t{state_count_} - 1);
      const bool is_state = lane < lane_count;
      const auto row = std::size_t(state * action_count_ + a);
      const std::int64_t first = process.row_begin[row];
      const std::int64_t length = is_state ? process.row_begin[row + 1] - first : 0;
      if (length > 0) lanes |= 1u << static_cast<unsigned>(lane);
      reward_[place * slice_states + std::size_t(lane)] = is_state ? process.reward[row] : Real(0);
      const std::int64_t positions = begin_[place + 1] - begin_[place];
      for (std::int64_t n = 0; n < positions; ++n) {
        const auto to = std::size_t((begin_[place] + n) * slice_states + lane);
        const bool is_entry = n < length;
        const auto from = std::size_t(first + n);
        successor_[to] = is_entry ? process.successor[from] : static_cast<std::int32_t>(state);
        probability_[to] = is_entry ? process.probability[from] : Real(no_entry);
      }
    }
    lanes_[place] = lanes;
  }
}

template <class Real>
SellSlices<Real> SellProcess<Real>::slices() const {
  return {state_count_,  action_count_,     discount_,           begin_.data(),
          lanes_.data(), successor_.data(), probability_.data(), reward_.data()};
}

template <class Real>
std::int64_t SellProcess<Real>::model_bytes() const {
  return static_cast<std::int64_t>(begin_.size() * sizeof(std::int64_t) +
                                   lanes_.size() * sizeof(std::uint32_t) +
                                   successor_.size() * sizeof(std::int32_t) +
                                   (probability_.size() + reward_.size()) * sizeof(Real));
}

template class SellProcess<float>;
template class SellProcess<double>;

}  // namespace tidewise::mdp
