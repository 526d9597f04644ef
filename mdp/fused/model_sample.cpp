#include "mdp/fused/model_sample.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "mdp/fused/packed_process.h"
#include "mdp/fused/slice_writer.h"

namespace tidewise::mdp {
namespace {

constexpr std::int64_t sampled_pairs = 32;

/// The first entry of the states of a slice, or of those behind the last.
template <class Real>
std::int64_t first_entry(const DecisionProcess<Real>& process, std::int64_t slice) {
  const std::int64_t state = std::min<std::int64_t>(slice * slice_states, process.state_count);
  return process.row_begin[std::size_t(state * process.action_count)];
}

template <class Real>
std::int64_t entries_of(const DecisionProcess<Real>& process, std::int64_t slice) {
  return first_entry(process, slice + 1) - first_entry(process, slice);
}

/// Adds the probabilities of a slice to `found`, up to one more than a dictionary holds.
template <class Real>
void take_probabilities(const DecisionProcess<Real>& process, std::int64_t slice,
                        std::set<Real>& found) {
  const std::int64_t end = first_entry(process, slice + 1);
  for (std::int64_t n = first_entry(process, slice);
       n < end && found.size() <= most_coded_probabilities; ++n) {
    found.insert(process.probability[std::size_t(n)]);
  }
}

/// Mean entries of the rows of some states, one in each of equal parts.
template <class Real>
void take_mean_entries(const DecisionProcess<Real>& process, ModelSample& sample) {
  constexpr std::int64_t most_states = 1024;
  const std::int64_t count = std::min<std::int64_t>(most_states, process.state_count);
  std::int64_t states = 0;
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  for (std::int64_t n = 0; n < count; ++n) {
    const auto state = static_cast<std::int32_t>(process.state_count * n / count);
    states += process.is_terminal(state) ? 0 : 1;
    for (std::int32_t a = 0; a < process.action_count; ++a) {
      const auto row = static_cast<std::size_t>(process.row(state, a));
      const std::int64_t length = process.row_begin[row + 1] - process.row_begin[row];
      rows += length > 0 ? 1 : 0;
      entries += length;
    }
  }
  const auto each = [&](std::int64_t of) {
    return of > 0 ? static_cast<double>(entries) / static_cast<double>(of) : 0;
  };
  sample.row_entries = each(rows);
  sample.state_entries = each(states);
}

}  // namespace

template <class Real>
ModelSample sample_model(const DecisionProcess<Real>& process) {
  ModelSample sample;
  take_mean_entries(process, sample);
  if (sample.is_dense()) return sample;  // whose slices are large, and packed no smaller
  const std::int64_t slices = slice_count(process.state_count);
  const std::vector<Real> no_dictionary;
  SliceWriter<Real> sharing(process, no_dictionary);
  std::size_t units = 0;
  std::size_t plain_units = 0;
  std::int64_t entries = 0;
  std::set<Real> probabilities;
  const std::int64_t pairs = std::min(sampled_pairs, (slices + 1) / 2);
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    const std::int64_t first = slices * pair / pairs;
    const std::int64_t end = slices * (pair + 1) / pairs;
    // Never at the same place of a part, or all might lie at the border of a world.
    const auto place = static_cast<std::uint32_t>(pair) * 0x9e3779b9u;  // of 2³²
    const std::int64_t at = first + ((end - first) * std::int64_t{place} >> 32);
    for (std::int64_t slice = at; slice < std::min(at + 2, end); ++slice) {
      SliceWriter<Real> alone(process, no_dictionary);  // shares with no other: all of its units
      alone.write(slice);
      units += alone.units().size;
      plain_units += alone.plain_lane_units();
      sharing.write(slice);
      entries += entries_of(process, slice);
      take_probabilities(process, slice, probabilities);
    }
  }
  sample.has_few_probabilities = probabilities.size() <= most_coded_probabilities;
  if (entries > 0) {
    sample.units_an_entry = static_cast<double>(units) / static_cast<double>(entries);
    sample.plain = static_cast<double>(plain_units) / static_cast<double>(units);
    sample.unshared = static_cast<double>(sharing.units().size) / static_cast<double>(units);
  }
  return sample;
}

template <class Real>
FusedLayout host_layout(const DecisionProcess<Real>& process) {
  const ModelSample sample = sample_model(process);
  const bool is_packed = sample.has_structure() || sample.has_few_probabilities;
  return !sample.is_dense() && is_packed ? FusedLayout::packed : FusedLayout::rows;
}

template FusedLayout host_layout(const DecisionProcess<float>&);
template FusedLayout host_layout(const DecisionProcess<double>&);
template ModelSample sample_model(const DecisionProcess<float>&);
template ModelSample sample_model(const DecisionProcess<double>&);

}  // namespace tidewise::mdp
