#include "base/error.h"
#include "base/memory/device.h"
#include "bench/subdomains/run.h"

namespace tidewise {
namespace {

// 64-bit FNV-1a.
// Source: Fowler, Noll, Vo, Eastlake, "The FNV Non-Cryptographic Hash Algorithm".
class Hash {
 public:
  template <class T>
  void add(const T* first, std::size_t count) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(first);
    for (std::size_t n = 0; n < count * sizeof(T); ++n) hash_ = (hash_ ^ bytes[n]) * prime;
  }
  std::uint64_t value() const { return hash_; }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3u;
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

// Sum of the hashes of a level's rows.
std::uint64_t checksum_of(const SolvedLevel& solved, const RowWindow& window, std::size_t nx) {
  std::uint64_t sum = 0;
  for (std::int32_t row = 0; row < window.size(); ++row) {
    const std::int32_t place[2] = {solved.level.value, window.begin + row};
    const std::size_t begin = static_cast<std::size_t>(row) * nx;
    Hash hash;
    hash.add(place, 2);
    hash.add(solved.leg.front().action.data + begin, nx);
    hash.add(solved.leg.front().value.data + begin, nx);
    sum += hash.value();
  }
  return sum;
}

void require_reach(const SolvedLevel& solved, const RowWindow& window) {
  if (solved.flow_refused) throw RunError("bench bands: the device refuses the flow");
  const auto short_of = [](std::int32_t reach, std::int32_t halo) {
    return halo > 0 && reach > halo;
  };
  if (short_of(solved.reach_south, window.begin - window.known_begin) ||
      short_of(solved.reach_north, window.known_end - window.end)) {
    throw RunError("bench bands: a step moves farther than the halo");
  }
}

SubdomainRun run_subdomains_part(DeviceLevelSolver& solver, const EnvironmentInfo& info,
                                 const Mission& mission,
                                 const std::function<LevelView(TimeLevel)>& on_device,
                                 const SubdomainWork& subdomain, Communicator& rank, SumUp sum_up) {
  using Clock = std::chrono::steady_clock;
  SubdomainRun run;
  const auto collect = [&] {
    const SolvedLevel solved = solver.collect();
    subdomain.exchange->validate();
    if (solved.level < mission.last) {
      require_reach(solved, subdomain.window);
      run.times.push_back(solved.times);
    }
    if (sum_up == SumUp::yes) {
      run.checksum += checksum_of(solved, subdomain.window, static_cast<std::size_t>(info.grid.nx));
    }
  };
  wait_for_device();
  rank.barrier();
  run.begun = Clock::now();
  for (TimeLevel k = mission.last; k.value >= 0; --k.value) {
    if (solver.in_flight() == DeviceLevelSolver::depth()) collect();
    solver.submit(k, on_device(k));
  }
  while (solver.in_flight() > 0) collect();
  run.ended = Clock::now();
  rank.barrier();  // a neighbour may read its memory until here
  return run;
}

}  // namespace

SubdomainRun run_subdomain(const EnvironmentInfo& info, const PlanningProblem& problem,
                           const std::function<LevelView(TimeLevel)>& on_device,
                           const SubdomainWork& subdomain, Communicator& rank, SumUp sum_up) {
  DeviceLevelSolver solver(info, problem, Engine::lattice, KeepRows::no, subdomain);
  try {
    return run_subdomains_part(solver, info, problem.mission, on_device, subdomain, rank, sum_up);
  } catch (...) {
    subdomain.exchange->give_up();
    throw;
  }
}

}  // namespace tidewise
