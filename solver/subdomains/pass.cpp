#include "solver/subdomains/pass.h"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "solver/subdomains/halo_exchange.h"
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
  const bool has_band = communicator.rank() < static_cast<int>(subdomains.size());
  work_and_agree(communicator, [&] {
    if (has_band) pass = make(shared, subdomains);
  });
  SolveReport report;
  if (has_band) {
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
                           SharedMission continued_mission = shared;
                           continued_mission.sink = continued;
                           return solve_by_pass(continued_mission, subdomains, make, pass);
                         });
}

namespace {

template <class T>
View<const std::byte> bytes_of(View<const T> values) {
  return {reinterpret_cast<const std::byte*>(values.data), values.size * sizeof(T)};
}

}  // namespace

SubdomainGather::SubdomainGather(Communicator& communicator, std::vector<RowWindow> windows,
                                 std::int32_t nx)
    : communicator_(communicator), windows_(std::move(windows)), nx_(static_cast<std::size_t>(nx)) {
  if (communicator.rank() != 0) return;
  const std::size_t cells = static_cast<std::size_t>(windows_.back().end) * nx_;
  action_.resize(cells);
  value_.resize(cells);
}

template <class T>
void SubdomainGather::place(int rank, View<const std::byte> rows, std::vector<T>& plane) const {
  const RowWindow& window = windows_[static_cast<std::size_t>(rank)];
  if (rows.size != static_cast<std::size_t>(window.size()) * nx_ * sizeof(T)) {
    throw std::logic_error("a band's rows of another size than its window");
  }
  std::memcpy(plane.data() + static_cast<std::size_t>(window.begin) * nx_, rows.data, rows.size);
}

void SubdomainGather::bring(View<const std::int16_t> action, View<const float> value) {
  if (communicator_.rank() != 0) {
    communicator_.send(0, gather_tag, bytes_of(action));
    communicator_.send(0, gather_tag, bytes_of(value));
    return;
  }
  place(0, bytes_of(action), action_);
  place(0, bytes_of(value), value_);
  for (int rank = 1; rank < static_cast<int>(windows_.size()); ++rank) {
    place(rank, communicator_.receive(rank, gather_tag), action_);
    place(rank, communicator_.receive(rank, gather_tag), value_);
  }
}

void SubdomainGather::hand_over(std::size_t leg, TimeLevel k, PolicySink& sink) const {
  sink.accept(leg, k, action_, value_);
}

}  // namespace tidewise
