#include "bench/missions/problem.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/file/temporary_name.h"
#include "bench/planner/problem.h"
#include "solver/step/target_circles.h"

namespace tidewise {
namespace {

// Uses several sums in turn, so that no multiplication waits for the one before it.
template <class T>
std::uint64_t checksum(View<const T> numbers, std::uint64_t seed) {
  constexpr std::size_t sums = 8;
  constexpr std::uint64_t prime = 0x100000001b3u;  // prime of FNV-1a, 64 bits
  std::uint64_t sum[sums];
  for (std::size_t n = 0; n < sums; ++n) sum[n] = seed + n;
  const auto* bytes = reinterpret_cast<const unsigned char*>(numbers.data);
  const std::size_t size = numbers.size * sizeof(T);
  std::size_t at = 0;
  for (; at + sizeof sum <= size; at += sizeof sum) {
    std::uint64_t word[sums];
    std::memcpy(word, bytes + at, sizeof word);
    for (std::size_t n = 0; n < sums; ++n) sum[n] = (sum[n] ^ word[n]) * prime;
  }
  for (; at < size; ++at) sum[0] = (sum[0] ^ bytes[at]) * prime;
  std::uint64_t all = 0;
  for (const std::uint64_t partial : sum) all = (all ^ partial) * prime;
  return all;
}

}  // namespace

std::vector<Mission> various_missions(const Grid& grid, TimeLevel last, std::int32_t count) {
  constexpr Objective objectives[] = {Objective::time, Objective::energy, Objective::net_energy,
                                      Objective::weighted};
  std::vector<Mission> missions;
  for (std::int32_t n = 0; n < count; ++n) {
    Mission mission;
    mission.objective = objectives[n % 4];
    mission.energy = {
        .c_f = 1 + 0.01 * n, .c_t = 0.1, .c_r = 0.5 + 0.005 * n, .alpha = n % 20 / 20.0};
    // Steps of 37 and 61 hundredths of a side reach every hundredth once in a hundred steps.
    const std::int32_t column = (n * 37 + 50) % 100 * grid.nx / 100;
    const std::int32_t row = (n * 61 + 80) % 100 * grid.ny / 100;
    mission.target = target_cells(grid, grid.x(column), grid.y(row), n % 4 * grid.dx);
    mission.last = last;
    missions.push_back(std::move(mission));
  }
  return missions;
}

Mission by_via_points(const Grid& grid, Mission mission, std::int32_t count) {
  const auto in_target = std::find(mission.target.begin(), mission.target.end(), 1);
  const CellIndex target(static_cast<std::int32_t>(in_target - mission.target.begin()));
  const double x = grid.x(grid.column(target));
  const double length = grid.y(grid.row(target)) - grid.y(0);
  for (std::int32_t n = 1; n <= count; ++n) {
    const double part = static_cast<double>(n) / (count + 1);
    const auto inside = target_cells(grid, x, grid.y(0) + part * length, 3 * grid.dx);
    ViaPlace place;
    place.cells = place_cells(inside);
    place.circles = target_circles(grid, inside);
    place.rest = (1 - part) * length;
    mission.via.push_back(std::move(place));
  }
  return mission;
}

void ChecksumSink::accept(std::size_t /*leg*/, TimeLevel, View<const std::int16_t> action,
                          View<const float> value) {
  sum_ = checksum(value, checksum(action, sum_));
}

TemporaryGyre::TemporaryGyre(const BenchmarkSize& size, Progress& progress)
    : path_(std::filesystem::temp_directory_path() / temporary_name("tidewise_missions.h5")) {
  write_double_gyre(path_, gyre_of(size), progress);
}

TemporaryGyre::~TemporaryGyre() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace tidewise
