#include "bench/subdomains/side.h"

#include "base/memory/device.h"
#include "solver/subdomains/induction.h"

namespace tidewise {
namespace {

// Copies the known rows of a field of any number of planes to the current device.
template <class T>
DeviceArray<T> upload_rows(const Array<T>& field, const RowWindow& window, const Grid& grid) {
  const auto nx = static_cast<std::size_t>(grid.nx);
  const std::size_t plane = static_cast<std::size_t>(grid.cell_count());
  const std::size_t planes = field.size() / plane;
  const std::size_t part = static_cast<std::size_t>(window.known_size()) * nx;
  DeviceArray<T> there(planes * part);
  for (std::size_t n = 0; n < planes; ++n) {
    copy_bytes(MemorySpace::device, there.data() + n * part, MemorySpace::host,
               field.data() + n * plane + static_cast<std::size_t>(window.known_begin) * nx,
               part * sizeof(T));
  }
  return there;
}

LevelFields<MemorySpace::device> upload_window(const LevelFields<>& level, const RowWindow& window,
                                               const Grid& grid) {
  LevelFields<MemorySpace::device> there;
  there.u_mean = upload_rows(level.u_mean, window, grid);
  there.v_mean = upload_rows(level.v_mean, window, grid);
  there.u_mode = upload_rows(level.u_mode, window, grid);
  there.v_mode = upload_rows(level.v_mode, window, grid);
  copy(there.coefficient, level.coefficient);
  there.scalar = upload_rows(level.scalar, window, grid);
  there.masked = upload_rows(level.masked, window, grid);
  there.dry = upload_rows(level.dry, window, grid);
  return there;
}

}  // namespace

SubdomainSide::SubdomainSide(const PlannerCase& problem, const std::vector<LevelFields<>>& levels,
                             const std::vector<RowWindow>& subdomains,
                             const std::vector<int>& devices)
    : problem_(problem), subdomains_(subdomains), devices_(devices) {
  const Grid& grid = problem.info().grid;
  const int before = current_device();
  for (std::size_t subdomain = 0; subdomain < subdomains_.size(); ++subdomain) {
    use_device(devices_[subdomain]);
    Subdomain work;
    work.info = problem.info();
    work.info.grid = window_grid(grid, subdomains_[subdomain]);
    for (const LevelFields<>& level : levels) {
      work.levels.push_back(upload_window(level, subdomains_[subdomain], grid));
    }
    work_.push_back(std::move(work));
  }
  use_device(before);
  ranks_ = make_thread_communicators(static_cast<int>(subdomains_.size()));
  halos_ = make_device_halos(HaloTransport::nccl, ranks_, subdomains_, grid.nx, devices_);
}

std::vector<SubdomainRun> SubdomainSide::run(const std::vector<Action>& actions,
                                             const Mission& mission, SumUp sum_up) {
  std::vector<SubdomainRun> runs(subdomains_.size());
  work_as_ranks(ranks_, [&](Communicator& rank) {
    const auto n = static_cast<std::size_t>(rank.rank());
    use_device(devices_[n]);
    const Subdomain& work = work_[n];
    const Mission own = subdomain_mission(mission, subdomains_[n], problem_.info().grid);
    runs[n] = run_subdomain(
        work.info, {actions, own, problem_.rule()},
        [&](TimeLevel k) { return work.levels[problem_.place(k)].view(work.info); },
        {subdomains_[n], halos_[n].get(), KeepTimes::yes}, rank, sum_up);
  });
  return runs;
}

}  // namespace tidewise
