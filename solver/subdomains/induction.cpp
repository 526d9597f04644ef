#include "solver/subdomains/induction.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/stopwatch.h"
#include "env/file/file_in_error.h"
#include "env/levels/level_stream.h"
#include "solver/induction/cpu_level_solver.h"
#include "solver/pass/backward.h"
#include "solver/subdomains/halo_exchange.h"
#include "solver/subdomains/pass.h"

namespace tidewise {
namespace {

// The pass on the CPU.
class CpuPass final : public SubdomainPass {
 public:
  CpuPass(const SharedMission& shared, const std::vector<RowWindow>& subdomains)
      : SubdomainPass(shared, subdomains),
        sides_(halo_sides(window_, communicator_.rank(), reader_.info().grid.nx)),
        count_(count_by_engine(options_.engine, reader_.info(), rule_, actions_, options_.threads,
                               options_.subgrid_radius)),
        solver_(reader_.info(), window_, actions_, rule_, members_of_legs(mission_),
                options_.threads,
                [this](TimeLevel k, const LevelView& level, View<const CellIndex> cells,
                       CountSink& counts) {
                  require_halo(level, cells);
                  count_(k, level, cells, counts);
                }),
        levels_(reader_, levels_between(mission_.last, TimeLevel(0))) {}

  SolveReport run() override {
    attempt([&] { progress_.begin("planning", mission_.last.value, "levels"); });
    SilentProgress silent;  // an error of the progress display must reach all ranks
    walk_backward(mission_.last, TimeLevel(0), "", silent, [&](TimeLevel k) {
      std::int32_t needed_halo = 0;
      attempt([&] {
        try {
          solve(k);
        } catch (const HaloExceeded& step) {
          needed_halo = step.needed;
        }
      });
      agree(needed_halo);
      if (k != mission_.last && k.value > 0) {
        for (const View<float> plane : solver_.planes_to_exchange(k)) {
          exchange_halos(communicator_, sides_, plane);
        }
      }
      for (std::size_t m = solver_.member_count(); m-- > 0;) {
        if (!solver_.hands_over(m, k)) continue;
        bring_together(solver_.leg_of(m), k, own_rows(solver_.action(m)),
                       own_rows(solver_.value(m)));
      }
      return true;
    });
    agree_at_end();
    progress_.end();
    return report_;
  }

 private:
  // Thrown before a level is counted whose step would leave the halo.
  struct HaloExceeded {
    std::int32_t needed;
  };

  void solve(TimeLevel k) {
    const Stopwatch reading;
    const LevelFields<>& fields = levels_.next();
    report_.read_seconds += reading.seconds();
    const Stopwatch solving;
    if (k == mission_.last) {
      solver_.start(fields);
    } else {
      with_file_in_error(reader_, [&] { solver_.step(k, fields); });
      report_.rows += solver_.decided() * static_cast<std::int64_t>(actions_.size());
    }
    report_.solve_seconds += solving.seconds();
  }

  void require_halo(const LevelView& level, View<const CellIndex> cells) const {
    // At the grid's own border there is no halo.
    const std::int32_t halo = std::max(window_.south_halo(), window_.north_halo());
    if (halo == 0) return;
    const std::int32_t reach =
        reach_in_rows(level, reader_.info().time, cells, actions_, rule_, options_.threads);
    if (reach > halo) throw HaloExceeded{reach};
  }

  // The band's own rows of a plane of the window.
  template <class T>
  View<T> own_rows(View<T> plane) const {
    const auto nx = static_cast<std::size_t>(reader_.info().grid.nx);
    return plane.part(static_cast<std::size_t>(window_.south_halo()) * nx,
                      static_cast<std::size_t>(window_.size()) * nx);
  }

  std::vector<HaloSide> sides_;
  CountLevel count_;
  CpuLevelSolver solver_;
  LevelStream levels_;
  SolveReport report_;
};

std::unique_ptr<SubdomainPass> make_cpu_pass(const SharedMission& shared,
                                             const std::vector<RowWindow>& subdomains) {
  return std::make_unique<CpuPass>(shared, subdomains);
}

}  // namespace

SolveReport solve_subdomain(const EnvironmentReader& whole,
                            const std::vector<RowWindow>& subdomains,
                            const PlanningProblem& problem, const PlannerOptions& options,
                            Communicator& communicator, PolicySink* sink, Progress& progress) {
  std::unique_ptr<SubdomainPass> pass;
  return solve_by_pass({whole, problem, options, communicator, sink, progress}, subdomains,
                       make_cpu_pass, pass);
}

SolveReport solve_in_subdomains(const EnvironmentReader& whole, const PlanningProblem& problem,
                                const PlannerOptions& options, Communicator& communicator,
                                PolicySink* sink, Progress& progress) {
  return solve_by_passes({whole, problem, options, communicator, sink, progress}, make_cpu_pass);
}

}  // namespace tidewise
