#include "mdp/fused/packed_process.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/memory/host_memory.h"
#include "base/parallel/team.h"
#include "mdp/fused/model_sample.h"
#include "mdp/fused/slice_writer.h"

namespace tidewise::mdp {
namespace {

constexpr std::size_t max_program_units = std::numeric_limits<std::uint32_t>::max();
constexpr const char* too_many_program_units = "the packed layout needs more than 64 GB";

/// no_entry and the distinct probabilities of a process, ascending; empty if there are more than a
/// byte can index, or a −0 among them (which equals 0 but has other bits).
template <class Real>
std::vector<Real> distinct_probabilities(const DecisionProcess<Real>& process) {
  std::set<Real> distinct;
  Real last = Real(no_entry);
  for (const Real probability : process.probability) {
    if (probability == last && !std::signbit(probability)) continue;
    if (std::signbit(probability)) return {};
    last = probability;
    distinct.insert(probability);
    if (distinct.size() > max_coded_probabilities) return {};
  }
  std::vector<Real> dictionary{Real(no_entry)};
  dictionary.insert(dictionary.end(), distinct.begin(), distinct.end());
  return dictionary;
}

}  // namespace

template <class Real>
PackedProcess<Real>::PackedProcess(const DecisionProcess<Real>& process, std::int32_t threads)
    : PackedProcess(process, threads, nullptr) {}

template <class Real>
PackedProcess<Real> PackedProcess<Real>::unload(DecisionProcess<Real>& process,
                                                std::int32_t threads) {
  return PackedProcess(process, threads, &process);
}

template <class Real>
PackedProcess<Real>::PackedProcess(const DecisionProcess<Real>& process, std::int32_t threads,
                                   DecisionProcess<Real>* unloaded)
    : state_count_(process.state_count),
      action_count_(process.action_count),
      discount_(static_cast<Real>(process.discount)),
      chunks_(std::min<std::int64_t>(slice_count(state_count_), threads)) {
  // All probabilities are searched only if a dictionary is likely to save much memory.
  if (sample_model(process).plain > 0.125) dictionary_ = distinct_probabilities(process);
  write_programs(process, threads, unloaded);
}

template <class Real>
std::int64_t PackedProcess<Real>::chunk_begin(std::int64_t chunk) const {
  return slice_count(state_count_) * chunk / chunks_;
}

// Each chunk of slices is written separately; then all are concatenated.
template <class Real>
void PackedProcess<Real>::write_programs(const DecisionProcess<Real>& process, std::int32_t threads,
                                         DecisionProcess<Real>* unloaded) {
  begin_ = Array<std::uint32_t>(std::size_t(slice_count(state_count_)));
  const auto chunks = static_cast<std::size_t>(chunks_);
  std::vector<std::unique_ptr<SliceWriter<Real>>> writers(chunks);
  std::vector<std::int64_t> unloaded_end(chunks);  // slice
  std::vector<std::size_t> offset(chunks + 1, 0);
  try {
    for_pieces(chunks_, threads, [&](std::int64_t chunk, TeamRank) {
      SliceWriter<Real>& writer =
          *(writers[chunk] = std::make_unique<SliceWriter<Real>>(process, dictionary_));
      unloaded_end[chunk] = chunk_begin(chunk);
      for_slices_in_parts(chunk, [&](std::int64_t first, std::int64_t end) {
        for (std::int64_t slice = first; slice < end; ++slice) {
          const std::size_t begin = writer.write(slice);
          if (begin > max_program_units) throw RunError(too_many_program_units);
          begin_[slice] = static_cast<std::uint32_t>(begin);
        }
        if (unloaded == nullptr) return;
        writer.forget_before(end);
        release(*unloaded, first, end);
        unloaded_end[chunk] = end;
      });
    });
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      offset[chunk + 1] = offset[chunk] + writers[chunk]->units().size;
    }
    if (offset.back() > max_program_units) throw RunError(too_many_program_units);
    units_ = Array<SliceUnit>(offset.back());
  } catch (...) {
    for (std::int64_t chunk = 0; chunk < chunks_ && unloaded != nullptr; ++chunk) {
      for (std::int64_t s = chunk_begin(chunk); s < unloaded_end[chunk]; ++s) {
        restore_slice(*unloaded, s, writers[chunk]->data() + begin_[s]);
      }
    }
    throw;
  }
  for_pieces(chunks_, threads, [&](std::int64_t chunk, TeamRank) {
    auto& writer = writers[chunk];
    const std::size_t to = offset[chunk];
    move_pages(units_.data() + to, writer->data(), writer->units().size * unit_bytes);
    for (std::int64_t slice = chunk_begin(chunk); slice < chunk_begin(chunk + 1); ++slice) {
      begin_[slice] += static_cast<std::uint32_t>(to);
    }
    writer.reset();
  });
}

/// Calls body(first, end) for the slices of a chunk in order, with enough slices per call that
/// their rows fill many pages; only pages at the ends are shared with others.
template <class Real>
template <class Body>
void PackedProcess<Real>::for_slices_in_parts(std::int64_t chunk, const Body& body) const {
  constexpr std::int64_t slices_per_call = 512;
  const std::int64_t end = chunk_begin(chunk + 1);
  for (std::int64_t first = chunk_begin(chunk); first < end; first += slices_per_call) {
    body(first, std::min(first + slices_per_call, end));
  }
}

/// Releases the process's memory of slices [first, end).
template <class Real>
void PackedProcess<Real>::release(DecisionProcess<Real>& process, std::int64_t first,
                                  std::int64_t end) const {
  const std::int64_t state_end = std::min<std::int64_t>(end * slice_states, state_count_);
  const std::int64_t* const row_begin = std::as_const(process.row_begin).data();
  const std::int64_t entry = row_begin[first * slice_states * action_count_];
  const auto count = static_cast<std::size_t>(row_begin[state_end * action_count_] - entry);
  release_pages(process.successor.data() + entry, count * sizeof(std::int32_t));
  release_pages(process.probability.data() + entry, count * sizeof(Real));
}

template <class Real>
void PackedProcess<Real>::restore(DecisionProcess<Real>& process, std::int32_t threads) {
  for_pieces(chunks_, threads, [&](std::int64_t chunk, TeamRank) {
    // Programs of other chunks are stored elsewhere. Later slices may still read programs that they
    // share with earlier ones.
    std::vector<std::uint32_t> min;  // first unit that slices from here on read
    for_slices_in_parts(chunk, [&](std::int64_t first, std::int64_t end) {
      min.push_back(*std::min_element(begin_.data() + first, begin_.data() + end));
    });
    for (std::size_t n = min.size() - 1; n-- > 0;) min[n] = std::min(min[n], min[n + 1]);
    std::size_t part = 0;
    for_slices_in_parts(chunk, [&](std::int64_t first, std::int64_t end) {
      for (std::int64_t slice = first; slice < end; ++slice) {
        restore_slice(process, slice, units_.data() + begin_[slice]);
      }
      if (++part == min.size()) return;
      release_pages(units_.data() + min[part - 1], (min[part] - min[part - 1]) * unit_bytes);
    });
  });
}

/// Restores a slice's rows from its program.
template <class Real>
void PackedProcess<Real>::restore_slice(DecisionProcess<Real>& process, std::int64_t slice,
                                        const SliceUnit* program) const {
  const std::int64_t* const row_begin = std::as_const(process.row_begin).data();
  std::int32_t* const successor = process.successor.data();
  Real* const probability = process.probability.data();
  const std::int64_t first = slice * slice_states;
  const auto lane_count = std::min<std::int64_t>(slice_states, state_count_ - first);
  const unsigned char* from = program->byte;
  const auto read = [&]<class T>(T& value, std::size_t n = 0) {
    std::memcpy(&value, from + n * sizeof(T), sizeof(T));
  };
  for (std::int32_t a = 0; a < action_count_; ++a) {
    std::int64_t to[slice_states];
    for (std::int64_t lane = 0; lane < lane_count; ++lane) {
      to[lane] = row_begin[(first + lane) * action_count_ + a];
    }
    SliceAction<Real> head;
    read(head);
    from += unit_bytes;
    const std::uint32_t kind = head.count_and_kind;
    const std::uint32_t count = kind & slice_kind::count_mask;
    if ((kind & slice_kind::lane_rewards) != 0) from += slice_states * sizeof(Real);
    if ((kind & slice_kind::lanewise) == 0) {
      for (std::uint32_t n = 0; n < count; ++n, from += unit_bytes) {
        SliceTerm<Real> term;
        read(term);
        for (std::uint32_t lanes = term.lanes; lanes != 0; lanes &= lanes - 1) {
          const int lane = __builtin_ctz(lanes);
          successor[to[lane]] = static_cast<std::int32_t>(first + lane + term.distance);
          probability[to[lane]++] = term.probability;
        }
      }
      continue;
    }
    const bool narrow = (kind & slice_kind::narrow) != 0;
    for (std::uint32_t n = 0; n < count; ++n) {
      for (std::int64_t lane = 0; lane < lane_count; ++lane) {
        const std::int64_t row_end = row_begin[(first + lane) * action_count_ + a + 1];
        if (to[lane] == row_end) continue;
        const auto l = static_cast<std::size_t>(lane);
        if (narrow) {
          std::int16_t near_distance = 0;
          read(near_distance, l);
          successor[to[lane]] = static_cast<std::int32_t>(first + near_distance);
        } else {
          std::int32_t far_distance = 0;
          read(far_distance, l);
          successor[to[lane]] = static_cast<std::int32_t>(first + far_distance);
        }
        const unsigned char* const probabilities = from + slice_states * (narrow ? 2 : 4);
        if ((kind & slice_kind::coded) != 0) {
          probability[to[lane]] = dictionary_[probabilities[l]];
        } else {
          std::memcpy(&probability[to[lane]], probabilities + l * sizeof(Real), sizeof(Real));
        }
        ++to[lane];
      }
      from += position_bytes<Real>(kind);
    }
  }
}

template <class Real>
PackedSlices<Real> PackedProcess<Real>::slices() const {
  return {state_count_,
          action_count_,
          discount_,
          begin_.data(),
          units_.empty() ? nullptr : units_.data()->byte,
          dictionary_.data()};
}

template <class Real>
std::int64_t PackedProcess<Real>::model_bytes() const {
  return static_cast<std::int64_t>(begin_.size() * sizeof(std::uint32_t) +
                                   units_.size() * sizeof(SliceUnit) +
                                   dictionary_.size() * sizeof(Real));
}

template class PackedProcess<float>;
template class PackedProcess<double>;

}  // namespace tidewise::mdp
