#include "mdp/fused/slice_writer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/memory/host_memory.h"

namespace tidewise::mdp {
namespace {

constexpr std::int32_t at_end = std::numeric_limits<std::int32_t>::max();

/// A lane-wise position costs about as much time as this number of terms.
constexpr std::int64_t terms_per_position = 6;

template <class Real>
bool same_bits(Real a, Real b) {
  return std::memcmp(&a, &b, sizeof(Real)) == 0;
}

/// A hash over whole words; fast, not strong.
std::uint64_t hash_of(const SliceUnit* units, std::size_t count) {
  std::uint64_t hash = count;
  for (std::size_t n = 0; n < count; ++n) {
    std::uint64_t word[2];
    std::memcpy(word, units + n, sizeof word);
    for (const std::uint64_t w : word) {
      hash = (hash ^ w) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29u;
    }
  }
  return hash;
}

}  // namespace

template <class Real>
unsigned char* SliceWriter<Real>::add_bytes(std::size_t bytes) {
  const std::size_t begin = size_;
  size_ += bytes / unit_bytes;
  if (size_ > units_.size()) {
    constexpr std::size_t min_size = 256;
    Array<SliceUnit> larger(std::max({size_, 2 * units_.size(), min_size}));
    move_pages(larger.data(), units_.data(), begin * unit_bytes);
    units_ = std::move(larger);
  }
  std::memset(units_[begin].byte, 0, bytes);
  return units_[begin].byte;
}

template <class Real>
std::size_t SliceWriter<Real>::write(std::int64_t slice) {
  if (is_recent(slice)) return recent_.front().begin;
  std::size_t begin = size_;
  for (std::int32_t a = 0; a < process_.action_count; ++a) write_action(slice, a);
  begin = share(begin);
  std::rotate(recent_.begin(), recent_.end() - 1, recent_.end());
  recent_.front() = {slice, begin};
  return begin;
}

/// True if one of recent_ equals the slice; it is then moved to the front. For most slices of a
/// world this is true, so that nothing needs to be written and hashed.
template <class Real>
bool SliceWriter<Real>::is_recent(std::int64_t slice) {
  // After a long run without matches only the previous slice is compared.
  constexpr int max_mismatches = 16;
  const auto end = mismatches_ < max_mismatches ? recent_.end() : recent_.begin() + 1;
  for (auto recent = recent_.begin(); recent != end && recent->slice >= 0; ++recent) {
    if (!are_alike(slice, recent->slice)) continue;
    std::rotate(recent_.begin(), recent, recent + 1);
    recent_.front().slice = slice;
    mismatches_ = 0;
    return true;
  }
  mismatches_ = std::min(mismatches_ + 1, max_mismatches);
  return false;
}

template <class Real>
void SliceWriter<Real>::forget_before(std::int64_t slice) {
  const auto forgotten = std::stable_partition(
      recent_.begin(), recent_.end(), [&](const Recent& recent) { return recent.slice >= slice; });
  std::fill(forgotten, recent_.end(), Recent{});
}

/// True if rows of two slices are equal by distance, so that their programs are equal. False
/// although programs are equal if rewards of absent rows differ. Also false if one of the slices is
/// not full.
template <class Real>
bool SliceWriter<Real>::are_alike(std::int64_t slice, std::int64_t other) const {
  if (std::max(slice, other) * slice_states + slice_states > process_.state_count) return false;
  const auto rows = std::size_t(std::int64_t{slice_states} * process_.action_count);
  const std::size_t row = std::size_t(slice) * rows;
  const std::size_t other_row = std::size_t(other) * rows;
  const std::int64_t* const begin = process_.row_begin.data() + row;
  const std::int64_t* const other_begin = process_.row_begin.data() + other_row;
  const std::int64_t entries = begin[rows] - begin[0];
  if (entries != other_begin[rows] - other_begin[0]) return false;
  if (std::memcmp(process_.reward.data() + row, process_.reward.data() + other_row,
                  rows * sizeof(Real)) != 0) {
    return false;
  }
  const auto first = std::size_t(begin[0]);
  const auto other_first = std::size_t(other_begin[0]);
  // A process without entries has no array.
  if (entries > 0 &&
      std::memcmp(process_.probability.data() + first, process_.probability.data() + other_first,
                  std::size_t(entries) * sizeof(Real)) != 0) {
    return false;
  }
  const std::int64_t shift = begin[0] - other_begin[0];
  std::int64_t wrong_rows = 0;  // no early exit, so that compilers vectorize the loops
  for (std::size_t n = 0; n < rows; ++n) wrong_rows |= begin[n] - other_begin[n] - shift;
  if (wrong_rows != 0) return false;
  const auto distance = static_cast<std::uint32_t>((slice - other) * slice_states);
  const std::int32_t* const successor = process_.successor.data() + first;
  const std::int32_t* const other_successor = process_.successor.data() + other_first;
  std::uint32_t wrong_successors = 0;
  for (std::int64_t n = 0; n < entries; ++n) {
    wrong_successors |= static_cast<std::uint32_t>(successor[n]) -
                        static_cast<std::uint32_t>(other_successor[n]) - distance;
  }
  return wrong_successors == 0;
}

template <class Real>
typename SliceWriter<Real>::Rows SliceWriter<Real>::rows_of(std::int64_t slice,
                                                            std::int32_t action) const {
  Rows rows;
  for (std::int32_t lane = 0; lane < slice_states; ++lane) {
    const std::int64_t state = slice * slice_states + lane;
    rows.begin[lane] = rows.end[lane] = 0;
    if (state >= process_.state_count) continue;
    const auto row = std::size_t(state * process_.action_count + action);
    rows.begin[lane] = process_.row_begin[row];
    rows.end[lane] = process_.row_begin[row + 1];
    const std::int64_t length = rows.end[lane] - rows.begin[lane];
    if (length > 0) rows.lanes |= 1u << static_cast<unsigned>(lane);
    rows.longest = std::max(rows.longest, length);
  }
  return rows;
}

template <class Real>
void SliceWriter<Real>::write_action(std::int64_t slice, std::int32_t action) {
  const Rows rows = rows_of(slice, action);
  if (rows.longest > std::int64_t{slice_kind::count_mask}) {
    throw RunError("a row has 2^26 entries or more, which the packed layout does not support");
  }
  const std::size_t head_index = size_;
  add_bytes(unit_bytes);
  SliceAction<Real> head{0, rows.lanes, Real(0)};
  Real reward[slice_states] = {};
  bool is_first = true;
  bool rewards_differ = false;
  for (std::int32_t lane = 0; lane < slice_states; ++lane) {
    if ((rows.lanes >> static_cast<unsigned>(lane) & 1u) == 0) continue;
    const std::int64_t state = slice * slice_states + lane;
    reward[lane] = process_.reward[state * process_.action_count + action];
    if (is_first) head.reward = reward[lane];
    is_first = false;
    rewards_differ = rewards_differ || !same_bits(reward[lane], head.reward);
  }
  if (rewards_differ) {
    head.count_and_kind |= slice_kind::lane_rewards;
    head.reward = 0;
    std::memcpy(add_bytes(sizeof reward), reward, sizeof reward);
  }
  if (merge_terms(slice, rows)) {
    head.count_and_kind |= static_cast<std::uint32_t>(terms_.size());
    const bool whole = std::all_of(terms_.begin(), terms_.end(),
                                   [](const auto& term) { return term.lanes == ~0u; });
    if (whole && rows.lanes == ~0u) head.count_and_kind |= slice_kind::whole;
    if (!terms_.empty()) {
      std::memcpy(add_bytes(terms_.size() * unit_bytes), terms_.data(), terms_.size() * unit_bytes);
    }
  } else {
    write_lanes(slice, rows, head.count_and_kind);
  }
  std::memcpy(units_[head_index].byte, &head, sizeof head);
}

/// Merges the lanes' rows by distance; false if that needs too many terms.
template <class Real>
bool SliceWriter<Real>::merge_terms(std::int64_t slice, const Rows& rows) {
  terms_.clear();
  const auto max = static_cast<std::size_t>(terms_per_position * rows.longest + 2);
  const auto first = static_cast<std::int32_t>(slice * slice_states);
  std::int64_t entry[slice_states];
  std::int32_t distance[slice_states];
  for (std::int32_t lane = 0; lane < slice_states; ++lane) {
    entry[lane] = rows.begin[lane];
    distance[lane] =
        entry[lane] < rows.end[lane] ? process_.successor[entry[lane]] - (first + lane) : at_end;
  }
  for (;;) {
    std::int32_t min = at_end;
    for (const std::int32_t d : distance) min = std::min(min, d);
    if (min == at_end) return true;
    std::uint32_t remaining = 0;
    for (std::int32_t lane = 0; lane < slice_states; ++lane) {
      remaining |= static_cast<std::uint32_t>(distance[lane] == min ? 1 : 0)
                   << static_cast<unsigned>(lane);
    }
    while (remaining != 0) {
      if (terms_.size() == max) return false;
      SliceTerm<Real> term;
      std::memset(&term, 0,
                  sizeof term);  // also its padding, because programs are compared as bytes
      term.distance = min;
      term.probability = process_.probability[entry[__builtin_ctz(remaining)]];
      for (std::uint32_t lanes = remaining; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        const auto n = std::size_t(entry[lane]);
        if (!same_bits(process_.probability[n], term.probability)) continue;
        term.lanes |= 1u << static_cast<unsigned>(lane);
        distance[lane] =
            ++entry[lane] < rows.end[lane] ? process_.successor[n + 1] - (first + lane) : at_end;
      }
      remaining &= ~term.lanes;
      terms_.push_back(term);
    }
  }
}

template <class Real>
bool SliceWriter<Real>::is_narrow(std::int64_t slice, const Rows& rows) const {
  for (std::int32_t lane = 0; lane < slice_states; ++lane) {
    if (rows.begin[lane] == rows.end[lane]) continue;
    // Successors ascend, so that the ends of the row suffice.
    for (const std::int64_t n : {rows.begin[lane], rows.end[lane] - 1}) {
      const std::int64_t from_first = process_.successor[n] - slice * slice_states;
      if (from_first != static_cast<std::int16_t>(from_first)) return false;
    }
  }
  return true;
}

template <class Real>
void SliceWriter<Real>::write_lanes(std::int64_t slice, const Rows& rows, std::uint32_t& kind) {
  kind |= slice_kind::lanewise | static_cast<std::uint32_t>(rows.longest);
  if (is_narrow(slice, rows)) kind |= slice_kind::narrow;
  if (!dictionary_.empty()) kind |= slice_kind::coded;
  const bool narrow = (kind & slice_kind::narrow) != 0;
  const std::size_t stride = position_bytes<Real>(kind);
  const std::size_t bytes = static_cast<std::size_t>(rows.longest) * stride;
  if (dictionary_.empty()) plain_lane_units_ += bytes / unit_bytes;
  unsigned char* to = add_bytes(bytes);
  for (std::int64_t n = 0; n < rows.longest; ++n, to += stride) {
    unsigned char* const probabilities = to + slice_states * (narrow ? 2 : 4);
    for (std::int32_t lane = 0; lane < slice_states; ++lane) {
      const bool is_entry = rows.begin[lane] + n < rows.end[lane];
      const auto from = std::size_t(rows.begin[lane] + n);
      const auto successor =
          is_entry ? static_cast<std::int32_t>(process_.successor[from] - slice * slice_states)
                   : lane;
      if (narrow) {
        const auto near = static_cast<std::int16_t>(successor);
        std::memcpy(to + 2 * lane, &near, sizeof near);
      } else {
        std::memcpy(to + 4 * lane, &successor, sizeof successor);
      }
      const Real probability = is_entry ? process_.probability[from] : Real(no_entry);
      if (dictionary_.empty()) {
        std::memcpy(probabilities + sizeof(Real) * static_cast<unsigned>(lane), &probability,
                    sizeof probability);
      } else {
        const auto code = std::lower_bound(dictionary_.begin(), dictionary_.end(), probability);
        probabilities[lane] = static_cast<unsigned char>(code - dictionary_.begin());
      }
    }
  }
}

/// Removes the program that begins at `begin` if an equal one is known.
template <class Real>
std::size_t SliceWriter<Real>::share(std::size_t begin) {
  const std::size_t size = size_ - begin;
  const std::uint64_t hash = hash_of(units_.data() + begin, size);
  Known& known = known_[hash >> 52u];
  if (known.hash == hash && known.size == size && known.begin != begin &&
      std::memcmp(units_.data() + known.begin, units_.data() + begin, size * unit_bytes) == 0) {
    size_ = begin;
    return known.begin;
  }
  known = {hash, begin, size};
  return begin;
}

template class SliceWriter<float>;
template class SliceWriter<double>;

}  // namespace tidewise::mdp
