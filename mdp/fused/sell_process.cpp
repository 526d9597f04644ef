#include "mdp/fused/sell_process.h"

#include <algorithm>

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

// Number of slices per piece of work.
constexpr std::int64_t slices_per_piece = 32;

}  // namespace

template <class Real>
SellProcess<Real>::SellProcess(const DecisionProcess<Real>& process, std::int32_t threads)
    : state_count_(process.state_count),
      action_count_(process.action_count),
      discount_(static_cast<Real>(process.discount)) {
  const std::int64_t slices = slice_count(state_count_);
  const std::int64_t places = slices * action_count_;
  begin_ = Array<std::int64_t>(std::size_t(places) + 1);
  begin_[0] = 0;
  for_each_shared(slices, slices_per_piece, threads, [&](std::int64_t slice) {
    for (std::int32_t a = 0; a < action_count_; ++a) {
      begin_[slice * action_count_ + a + 1] = longest_row(process, slice, a);
    }
  });
  for (std::size_t n = 1; n < begin_.size(); ++n) begin_[n] += begin_[n - 1];
  const auto words = std::size_t(begin_[places] * slice_states);
  lanes_ = Array<std::uint32_t>(std::size_t(places));
  successor_ = Array<std::int32_t>(words);
  probability_ = Array<Real>(words);
  reward_ = Array<Real>(std::size_t(places * slice_states));
  for_each_shared(slices, slices_per_piece, threads,
                  [&](std::int64_t slice) { lay_out(process, slice); });
}

template <class Real>
void SellProcess<Real>::lay_out(const DecisionProcess<Real>& process, std::int64_t slice) {
  const std::int32_t lane_count = lanes_of_slice(slice, state_count_);
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
