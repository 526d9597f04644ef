#include "mdp/fused/packing_estimate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "mdp/fused/slice_writer.h"

namespace tidewise::mdp {
namespace {

/// A warp goes through a unit of a program in the time in which the device reads about so many
/// bytes of the sliced layout (measured on one H200: 330 to 600, the most where programs are long).
constexpr double bytes_of_a_unit = 350;

constexpr std::int64_t estimated_pairs = 64;

}  // namespace

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
  const auto look_at = [&](std::int64_t slice) {
    const std::size_t written = writer.units().size;
    Program& program = programs[writer.write(slice)];
    program.size += writer.units().size - written;
    ++program.slices;
    ++sampled;
  };
  // One in each of so many equal parts, never at the same place of it, or all might lie at the
  // border of a world; and its neighbour, which may have a program in common that no others have.
  const std::int64_t pairs = std::min(estimated_pairs, (slices + 1) / 2);
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    const std::int64_t first = slices * pair / pairs;
    const std::int64_t end = slices * (pair + 1) / pairs;
    const auto place = static_cast<std::uint32_t>(pair) * 0x9e3779b9u;  // of 2³²
    const std::int64_t slice = first + ((end - first) * std::int64_t{place} >> 32);
    look_at(slice);
    if (slice + 1 < end) look_at(slice + 1);
  }
  double units = 0;  // that warps go through
  for (const auto& [begin, program] : programs) {
    const int at_once = program.slices > 1 ? slices_of_task<Real> : 1;
    units += static_cast<double>(program.size) * program.slices / at_once;
  }
  const auto entries = static_cast<double>(process.successor.size());
  const auto rows = static_cast<double>(process.reward.size());
  const double sell_bytes =
      entries * (sizeof(std::int32_t) + sizeof(Real)) + rows * sizeof(Real);  // at least
  return units * bytes_of_a_unit * static_cast<double>(slices) <=
         sell_bytes * static_cast<double>(sampled);
}

template bool is_packing_faster(const DecisionProcess<float>&);
template bool is_packing_faster(const DecisionProcess<double>&);

}  // namespace tidewise::mdp
