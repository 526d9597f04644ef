#include "solver/mdp/packing_estimate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "solver/mdp/slice_writer.h"
#include "solver/mdp/sliced_process.h"

namespace tidewise {
namespace {

/// A warp goes through a unit of a program in the time in which the device reads about so many
/// bytes of the sliced layout (measured on one H200: 330 to 600, the most where programs are long).
constexpr double bytes_of_a_unit = 350;

constexpr std::int64_t sampled_pairs = 128;

}  // namespace

template <class Real>
bool is_packing_faster(const DecisionProcess<Real>& process) {
  const std::int64_t slices = slice_count(process.state_count);
  const std::vector<Real> no_dictionary;
  SliceWriter<Real> writer(process, no_dictionary);
  std::map<std::size_t, std::size_t> size_of_program;  // (begin)
  double units = 0;                                    // that warps go through
  std::int64_t sampled = 0;
  const auto look_at = [&](std::int64_t slice) {
    const std::size_t written = writer.units().size();
    const std::size_t begin = writer.write(slice);
    const bool is_known = writer.units().size() == written;
    if (!is_known) size_of_program[begin] = writer.units().size() - begin;
    const auto size = static_cast<double>(size_of_program[begin]);
    units += is_known ? size / slices_of_task<Real> : size;
    ++sampled;
  };
  // Neighbours too, which may have a program in common that no others have.
  const std::int64_t pairs = std::min(sampled_pairs, (slices + 1) / 2);
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    const std::int64_t slice = slices * pair / pairs;
    look_at(slice);
    if (slice + 1 < slices * (pair + 1) / pairs) look_at(slice + 1);
  }
  if (sampled == 0) return true;
  const auto entries = static_cast<double>(process.successor.size());
  const auto rows = static_cast<double>(process.reward.size());
  const double sliced_bytes =
      entries * (sizeof(std::int32_t) + sizeof(Real)) + rows * sizeof(Real);  // at least
  return units * bytes_of_a_unit * static_cast<double>(slices) <=
         sliced_bytes * static_cast<double>(sampled);
}

template bool is_packing_faster(const DecisionProcess<float>&);
template bool is_packing_faster(const DecisionProcess<double>&);

}  // namespace tidewise
