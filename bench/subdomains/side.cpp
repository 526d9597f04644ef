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
  DeviceArray<T> device_rows(planes * part);
  for (std::size_t n = 0; n < planes; ++n) {
    copy_bytes(MemorySpace::device, device_rows.data() + n * part, MemorySpace::host,
               field.data() + n * plane + static_cast<std::size_t>(window.known_begin) * nx,
               part * sizeof(T));
  }
  return device_rows;
}

LevelFields<MemorySpace::device> upload_window(const LevelFields<>& level, const RowWindow& window,
                                               const Grid& grid) {
  LevelFields<MemorySpace::device> device_fields;
  device_fields.u_mean = upload_rows(level.u_mean, window, grid);
  device_fields.v_mean = upload_rows(level.v_mean, window, grid);
  device_fields.u_mode = upload_rows(level.u_mode, window, grid);
  device_fields.v_mode = upload_rows(level.v_mode, window, grid);
  copy(device_fields.coefficient, level.coefficient);
  device_fields.scalar = upload_rows(level.scalar, window, grid);
  device_fields.masked = upload_rows(level.masked, window, grid);
  device_fields.dry = upload_rows(level.dry, window, grid);
  return device_fields;
}

}  // namespace

SubdomainSide::SubdomainSide(const PlannerCase& problem, const std::vector<LevelFields<>>& levels,
                             const std::vector<RowWindow>& subdomains,
                             const std::vector<int>& devices)
    : problem_(problem), subdomains_(subdomains), devices_(devices) {
  const Grid& grid = problem.info().grid;
  const int previous_device = current_device();
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
  use_device(previous_device);
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
    const Mission band_mission = subdomain_mission(mission, subdomains_[n], problem_.info().grid);
    runs[n] = run_subdomain(
        work.info, {actions, band_mission, problem_.rule()},
        [&](TimeLevel k) { return work.levels[problem_.place(k)].view(work.info); },
        {subdomains_[n], halos_[n].get(), KeepTimes::yes}, rank, sum_up);
  });
  return runs;
}

}  // namespace tidewise
