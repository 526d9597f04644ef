#include "mdp/fused/packed_process.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "base/error.h"
#include "base/parallel/team.h"
#include "mdp/fused/sell_process.h"
#include "mdp/fused/slice_writer.h"

namespace tidewise::mdp {
namespace {

/// no_entry and the distinct probabilities of a process, ascending; nothing where they are more
/// than bytes can tell, or a −0 is among them (which compares equal to 0 and has other bits).
template <class Real>
std::vector<Real> distinct_probabilities(const DecisionProcess<Real>& process) {
  std::set<Real> distinct;
  Real last = Real(no_entry);
  for (const Real probability : process.probability) {
    if (probability == last && !std::signbit(probability)) continue;
    if (std::signbit(probability)) return {};
    last = probability;
    distinct.insert(probability);
    if (distinct.size() > 255) return {};
  }
  std::vector<Real> dictionary{Real(no_entry)};
  dictionary.insert(dictionary.end(), distinct.begin(), distinct.end());
  return dictionary;
}

}  // namespace

template <class Real>
PackedProcess<Real>::PackedProcess(const DecisionProcess<Real>& process, std::int32_t threads)
    : state_count_(process.state_count),
      action_count_(process.action_count),
      discount_(static_cast<Real>(process.discount)) {
  const std::size_t coded_units = write_programs(process, threads);
  // Worth writing all again where it would save much.
  if (coded_units < units_.size() / 8 + 1) return;
  dictionary_ = distinct_probabilities(process);
  if (!dictionary_.empty()) write_programs(process, threads);
}

/// Returns how many units hold probabilities that a dictionary would make smaller.
template <class Real>
std::size_t PackedProcess<Real>::write_programs(const DecisionProcess<Real>& process,
                                                std::int32_t threads) {
  const std::int64_t slices = slice_count(state_count_);
  begin_ = Array<std::uint32_t>(std::size_t(slices));
  units_ = {};
  // Every chunk of slices is written for itself, and then all are put one behind the other.
  const std::int64_t chunks = std::min<std::int64_t>(slices, threads);
  std::vector<std::unique_ptr<SliceWriter<Real>>> writers(static_cast<std::size_t>(chunks));
  const auto chunk_begin = [&](std::int64_t chunk) { return slices * chunk / chunks; };
  std::vector<std::size_t> chunk_offset(std::size_t(chunks) + 1, 0);
  constexpr std::size_t most_units = std::numeric_limits<std::uint32_t>::max();
  for_pieces(chunks, threads, [&](std::int64_t chunk, TeamRank) {
    auto& writer = writers[std::size_t(chunk)];
    writer = std::make_unique<SliceWriter<Real>>(process, dictionary_);
    for (std::int64_t slice = chunk_begin(chunk); slice < chunk_begin(chunk + 1); ++slice) {
      const std::size_t begin = writer->write(slice);
      if (begin > most_units) throw RunError("the packed layout takes more than 64 GB");
      begin_[std::size_t(slice)] = static_cast<std::uint32_t>(begin);
    }
  });
  std::size_t plain_units = 0;
  for (std::size_t chunk = 0; chunk < writers.size(); ++chunk) {
    chunk_offset[chunk + 1] = chunk_offset[chunk] + writers[chunk]->units().size();
    plain_units += writers[chunk]->plain_lane_units();
  }
  if (chunk_offset.back() > most_units) throw RunError("the packed layout takes more than 64 GB");
  units_ = Array<SliceUnit>(chunk_offset.back());
  for_pieces(chunks, threads, [&](std::int64_t chunk, TeamRank) {
    const auto& written = writers[std::size_t(chunk)]->units();
    const std::size_t offset = chunk_offset[std::size_t(chunk)];
    std::copy(written.begin(), written.end(), units_.data() + offset);
    for (std::int64_t slice = chunk_begin(chunk); slice < chunk_begin(chunk + 1); ++slice) {
      begin_[std::size_t(slice)] += static_cast<std::uint32_t>(offset);
    }
    writers[std::size_t(chunk)].reset();
  });
  return plain_units;
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
