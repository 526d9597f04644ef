#include "bench/subdomains/side.h"

#include "base/memory/device.h"
#include "base/parallel/first_error.h"
#include "base/parallel/start_thread.h"
#include "solver/subdomains/induction.h"
#include "solver/subdomains/nccl_halo_group.h"

namespace tidewise {
namespace {

/// The known rows of a field of any number of planes, to the current device.
template <class T>
Array<T, MemorySpace::device> upload_rows(const Array<T>& field, const RowWindow& window,
                                          const Grid& grid) {
  const auto nx = static_cast<std::size_t>(grid.nx);
  const std::size_t plane = static_cast<std::size_t>(grid.cell_count());
  const std::size_t planes = field.size() / plane;
  const std::size_t part = static_cast<std::size_t>(window.known_size()) * nx;
  Array<T, MemorySpace::device> there(planes * part);
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
  there.closed = upload_rows(level.closed, window, grid);
  there.dry = upload_rows(level.dry, window, grid);
  return there;
}

}  // namespace

BandSide::BandSide(const PlannerCase& problem, const std::vector<LevelFields<>>& levels,
                   const std::vector<RowWindow>& bands, const std::vector<int>& devices,
                   HaloTransport transport)
    : problem_(problem), bands_(bands), devices_(devices) {
  const Grid& grid = problem.info().grid;
  const int before = current_device();
  for (std::size_t band = 0; band < bands_.size(); ++band) {
    use_device(devices_[band]);
    Band work;
    work.info = problem.info();
    work.info.grid = window_grid(grid, bands_[band]);
    for (const LevelFields<>& level : levels) {
      work.levels.push_back(upload_window(level, bands_[band], grid));
    }
    work_.push_back(std::move(work));
  }
  use_device(before);
  group_ = transport == HaloTransport::nccl && bands_.size() > 1
               ? make_nccl_halo_group(bands_, grid.nx, devices_)
               : make_copying_halo_group(bands_, grid.nx);
}

std::vector<BandRun> BandSide::run(const std::vector<Action>& actions, const Mission& mission,
                                   SumUp sum_up) {
  std::vector<BandRun> runs(bands_.size());
  FirstError error;
  const auto solve = [&](std::size_t band) {
    try {
      use_device(devices_[band]);
      const Band& work = work_[band];
      const Mission own = band_mission(mission, bands_[band], problem_.info().grid);
      runs[band] = run_band(
          work.info, actions, own,
          [&](TimeLevel k) { return work.levels[problem_.place(k)].view(work.info); },
          {bands_[band], &group_->of_band(band), KeepTimes::yes}, sum_up);
    } catch (const BandsEnded&) {  // the band that failed says why
    }
  };
  start_threads(bands_.size(), [&](std::size_t band) {
    error.run([&] { solve(band); });
  }).clear();  // waits for them
  error.rethrow();
  return runs;
}

}  // namespace tidewise
