#include "solver/subdomains/pass.h"

#include "solver/subdomains/induction.h"

namespace tidewise {

SubdomainPass::SubdomainPass(const SharedMission& shared, const std::vector<RowWindow>& subdomains)
    : options_(shared.options),
      communicator_(shared.communicator),
      progress_(shared.progress),
      window_(subdomains[static_cast<std::size_t>(communicator_.rank())]),
      reader_(shared.whole, window_),
      actions_(shared.problem.actions),
      rule_(shared.problem.rule),
      mission_(subdomain_mission(shared.problem.mission, window_, shared.whole.info().grid)),
      sink_(shared.sink),
      gather_(communicator_, subdomains, shared.whole.info().grid.nx) {}

void SubdomainPass::bring_together(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                                   View<const float> value) {
  gather_.bring(action, value);
  attempt([&] {
    if (sink_ != nullptr) gather_.hand_over(leg, k, *sink_);
    progress_.advance_to(mission_.last.value - k.value);
  });
}

SolveReport solve_by_pass(const SharedMission& shared, const std::vector<RowWindow>& subdomains,
                          const MakeSubdomainPass& make, std::unique_ptr<SubdomainPass>& pass) {
  Communicator& communicator = shared.communicator;
  const bool takes_part = communicator.rank() < static_cast<int>(subdomains.size());
  work_and_agree(communicator, [&] {
    if (takes_part) pass = make(shared, subdomains);
  });
  SolveReport report;
  if (takes_part) {
    report = pass->run();
  } else {
    follow(communicator);
  }
  const EnvironmentInfo& info = shared.whole.info();
  report.subdomains = static_cast<std::int32_t>(subdomains.size());
  report.rows = communicator.all_sum(report.rows);
  report.transitions = report.rows * info.realization_count;
  const Mission& mission = shared.problem.mission;
  report.states = static_cast<std::int64_t>(info.grid.cell_count()) * (mission.last.value + 1) *
                  static_cast<std::int64_t>(mission.via.size() + 1);
  return report;
}

SolveReport solve_by_passes(const SharedMission& shared, const MakeSubdomainPass& make) {
  Communicator& communicator = shared.communicator;
  const std::int32_t halo =
      choose_halo(shared.whole, shared.problem, shared.options.threads, communicator);
  return solve_with_halo(shared.whole.info().grid.ny, communicator.size(), halo, shared.sink,
                         [&](const std::vector<RowWindow>& subdomains, PolicySink* continued) {
                           std::unique_ptr<SubdomainPass> pass;
                           SharedMission again = shared;
                           again.sink = continued;
                           return solve_by_pass(again, subdomains, make, pass);
                         });
}

}  // namespace tidewise
