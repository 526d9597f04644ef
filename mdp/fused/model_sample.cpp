#include "mdp/fused/model_sample.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "mdp/fused/packed_process.h"
#include "mdp/fused/slice_writer.h"

namespace tidewise::mdp {
namespace {

constexpr std::int64_t sampled_pairs = 32;
constexpr std::int64_t estimated_pairs = 64;
// A warp processes a unit of a program in the time in which the device reads about this number of
// bytes of the sliced layout (one H200: 330 to 600, the largest for long programs).
constexpr double bytes_per_unit = 350;

/// Calls take(slice) for one slice in each of several equal parts, at varying positions, because
/// fixed ones might all be at the border of a world; and for its neighbour, because a slice may
/// share its program only with a neighbour.
template <class Take>
void for_sampled_slices(std::int64_t slices, std::int64_t max_pairs, const Take& take) {
  const std::int64_t pairs = std::min(max_pairs, (slices + 1) / 2);
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    const std::int64_t first = slices * pair / pairs;
    const std::int64_t end = slices * (pair + 1) / pairs;
    const auto place = static_cast<std::uint32_t>(pair) * 0x9e3779b9u;  // in units of 2⁻³²
    const std::int64_t slice = first + ((end - first) * std::int64_t{place} >> 32);
    take(slice);
    if (slice + 1 < end) take(slice + 1);
  }
}

/// The first entry of the states of a slice; for a slice after the last, the number of entries.
template <class Real>
std::int64_t first_entry(const DecisionProcess<Real>& process, std::int64_t slice) {
  const std::int64_t state = std::min<std::int64_t>(slice * slice_states, process.state_count);
  return process.row_begin[state * process.action_count];
}

template <class Real>
std::int64_t entries_of(const DecisionProcess<Real>& process, std::int64_t slice) {
  return first_entry(process, slice + 1) - first_entry(process, slice);
}

/// Adds the probabilities of a slice to `found`, up to one more than a dictionary can hold.
template <class Real>
void take_probabilities(const DecisionProcess<Real>& process, std::int64_t slice,
                        std::set<Real>& probabilities) {
  const std::int64_t end = first_entry(process, slice + 1);
  for (std::int64_t n = first_entry(process, slice);
       n < end && probabilities.size() <= max_coded_probabilities; ++n) {
    probabilities.insert(process.probability[n]);
  }
}

/// Mean number of entries of the rows of some states, one from each of several equal parts.
template <class Real>
void take_mean_entries(const DecisionProcess<Real>& process, ModelSample& sample) {
  constexpr std::int64_t max_states = 1024;
  const std::int64_t count = std::min<std::int64_t>(max_states, process.state_count);
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
  const auto mean_per = [&](std::int64_t divisor) {
    return divisor > 0 ? static_cast<double>(entries) / static_cast<double>(divisor) : 0;
  };
  sample.row_entries = mean_per(rows);
  sample.state_entries = mean_per(states);
}

}  // namespace

template <class Real>
ModelSample sample_model(const DecisionProcess<Real>& process) {
  ModelSample sample;
  take_mean_entries(process, sample);
  if (sample.is_dense()) return sample;  // its slices are large, and packing does not shrink them
  const std::int64_t slices = slice_count(process.state_count);
  const std::vector<Real> no_dictionary;
  SliceWriter<Real> sharing_writer(process, no_dictionary);
  std::size_t units = 0;
  std::size_t plain_units = 0;
  std::int64_t entries = 0;
  std::set<Real> probabilities;
  for_sampled_slices(slices, sampled_pairs, [&](std::int64_t slice) {
    SliceWriter<Real> unshared_writer(
        process, no_dictionary);  // shares nothing, so that it counts all units
    unshared_writer.write(slice);
    units += unshared_writer.units().size;
    plain_units += unshared_writer.plain_lane_units();
    sharing_writer.write(slice);
    entries += entries_of(process, slice);
    take_probabilities(process, slice, probabilities);
  });
  sample.has_few_probabilities = probabilities.size() <= max_coded_probabilities;
  if (entries > 0) {
    sample.units_per_entry = static_cast<double>(units) / static_cast<double>(entries);
    sample.plain = static_cast<double>(plain_units) / static_cast<double>(units);
    sample.unshared = static_cast<double>(sharing_writer.units().size) / static_cast<double>(units);
  }
  return sample;
}

template <class Real>
FusedLayout host_layout(const DecisionProcess<Real>& process) {
  const ModelSample sample = sample_model(process);
  const bool is_packed = sample.has_structure() || sample.has_few_probabilities;
  return !sample.is_dense() && is_packed ? FusedLayout::packed : FusedLayout::rows;
}

template <class Real>
bool is_packing_faster(const DecisionProcess<Real>& process) {
  const std::int64_t slices = slice_count(process.state_count);
  const std::vector<Real> no_dictionary;
  SliceWriter<Real> writer(process, no_dictionary);
  struct Program {
    std::size_t size = 0;  // units
    int slices = 0;        // in the sample
  };
  std::map<std::size_t, Program> programs;  // (begin)
  std::int64_t sampled = 0;
  for_sampled_slices(slices, estimated_pairs, [&](std::int64_t slice) {
    const std::size_t units_before = writer.units().size;
    Program& program = programs[writer.write(slice)];
    program.size += writer.units().size - units_before;
    ++program.slices;
    ++sampled;
  });
  double units = 0;  // number of units that warps process
  for (const auto& [begin, program] : programs) {
    const int slices_per_run = program.slices > 1 ? slices_of_task<Real> : 1;
    units += static_cast<double>(program.size) * program.slices / slices_per_run;
  }
  const auto entries = static_cast<double>(process.successor.size());
  const auto rows = static_cast<double>(process.reward.size());
  const double sell_bytes =
      entries * (sizeof(std::int32_t) + sizeof(Real)) + rows * sizeof(Real);  // at least
  return units * bytes_per_unit * static_cast<double>(slices) <=
         sell_bytes * static_cast<double>(sampled);
}

template bool is_packing_faster(const DecisionProcess<float>&);
template bool is_packing_faster(const DecisionProcess<double>&);
template FusedLayout host_layout(const DecisionProcess<float>&);
template FusedLayout host_layout(const DecisionProcess<double>&);
template ModelSample sample_model(const DecisionProcess<float>&);
template ModelSample sample_model(const DecisionProcess<double>&);

}  // namespace tidewise::mdp
