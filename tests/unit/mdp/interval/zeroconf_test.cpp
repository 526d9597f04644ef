// A public model with small values: the IPv4 zeroconf protocol with digital clocks of the PRISM
// benchmark suite, built from its guarded commands. The exact answers are those of the quantitative
// verification benchmark set (QVBS). Source: Kwiatkowska, Norman, Parker, Sproston, "Performance
// analysis of probabilistic timed automata using digital clocks", Formal Methods in System Design
// 29, 2006.

#include <gmock/gmock.h>

#include <array>
#include <map>

#include "mdp/graph/proper_policy.h"
#include "mdp/process/direction.h"
#include "mdp/process/terminal_states.h"
#include "mdp/solve/solve_process.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

/// Numbers of hosts and of probes; `reset`: a host that chooses a new address forgets its unsent
/// messages.
struct Zeroconf {
  int hosts = 1000;
  int probes = 8;
  bool reset = true;
};

struct State {
  std::array<int, 8> buffer{};  // addresses of the host's messages
  int n = 0;                    // number of messages in the buffer
  int n0 = 0, n1 = 0;           // messages of others, to another address and to the host's
  int b = 0;                    // the medium: idle, from the host, from others
  int z = 0;                    // clock of the medium
  int ip_mess = 0;              // address of the message being sent
  int x = 0, y = 0;             // the host's clocks
  int coll = 0, sent = 0, mess = 0, defend = 0, ip = 1;
  int l = 1;  // reconfigure, random, waitsp, waitsg, use
  auto operator<=>(const State&) const = default;
};

constexpr double loss = .1;
constexpr int max_collisions = 10, long_wait = 60, defend_time = 10, max_n0 = 20, max_n1 = 8;

using Choice = std::vector<std::pair<double, State>>;

void shift(State& s) {
  --s.n;
  for (std::size_t i = 0; i + 1 < 8; ++i) s.buffer[i] = s.buffer[i + 1];
  s.buffer[7] = 0;
}

/// Adds the choice in which the medium accepts a message or loses it. `remove` takes the message
/// from its queue.
template <class Remove>
void send(const State& s, int sender, int ip_mess, const Remove& remove,
          std::vector<Choice>& choices) {
  State lost = s;
  remove(lost);
  State sent = lost;
  sent.b = sender;
  sent.ip_mess = ip_mess;
  choices.push_back({{1 - loss, sent}, {loss, lost}});
}

/// Adds the moves of the medium only.
void add_medium_moves(const State& s, std::vector<Choice>& choices) {
  if (s.l == 0) return;
  if (s.b == 0 && s.n > 0) send(s, 1, s.buffer[0], shift, choices);
  if (s.b == 0 && s.n0 > 0)
    send(
        s, 2, 0, [](State& after) { --after.n0; }, choices);
  if (s.b == 0 && s.n1 > 0)
    send(
        s, 2, 1, [](State& after) { --after.n1; }, choices);
  if (s.b == 1) {
    State done = s;
    done.b = done.z = done.ip_mess = 0;
    if (s.ip_mess == 0) done.n0 = std::min(s.n0 + 1, max_n0);
    if (s.ip_mess == 1) done.n1 = std::min(s.n1 + 1, max_n1);
    choices.push_back({{1, done}});
  }
}

/// Adds the moves of the host only.
void add_host_moves(const State& s, const Zeroconf& model, std::vector<Choice>& choices) {
  const bool waited = s.coll == max_collisions && s.x == long_wait;
  if (s.l == 1 && (s.coll < max_collisions || waited)) {
    const double used = model.hosts / 65024.0;
    Choice chosen;
    for (const int ip : {1, 2}) {
      for (const int x : {0, 1, 2}) {
        State next = s;
        next.l = 2;
        next.ip = ip;
        next.x = x;
        chosen.emplace_back((ip == 1 ? used : 1 - used) / 3, next);
      }
    }
    choices.push_back(chosen);
  }
  if (s.l == 2 && s.x == 2 && s.sent == model.probes) {
    State next = s;
    next.l = 3;
    next.sent = next.coll = next.x = 0;
    choices.push_back({{1, next}});
  }
}

void add_time_step(const State& s, std::vector<Choice>& choices) {
  State next = s;
  const bool silent = s.b == 0 && s.n == 0 && s.n0 == 0 && s.n1 == 0;
  if (s.l == 0 || !(silent || (s.b > 0 && s.z < 1))) return;
  if (!silent) next.z = 1;
  if (s.l == 1 && s.coll == max_collisions && s.x < long_wait) {
    next.x = s.x + 1;
  } else if (s.l == 2 && s.x < 2) {
    next.x = s.x + 1;
  } else if (s.l == 3 && s.mess == 0 && s.x < 2) {
    next.x = s.x + 1;
    if (s.defend == 1) next.y = std::min(s.y + 1, defend_time);
  } else {
    return;
  }
  choices.push_back({{1, next}});
}

void add_host_send(const State& s, const Zeroconf& model, std::vector<Choice>& choices) {
  State next = s;
  if (s.l == 2 && s.x == 2 && s.sent < model.probes) {
    next.x = 0;
    ++next.sent;
  } else if (s.l == 3 && s.mess == 1) {
    next.mess = 0;
  } else if (s.l == 3 && s.x == 2 && s.sent < 1) {
    next.x = 0;
    ++next.sent;
  } else if (s.l == 3 && s.x == 2 && s.sent == 1) {
    next.l = 4;
    next.x = next.y = next.sent = 0;
  } else {
    return;
  }
  if (s.n < 8) {
    next.buffer[std::size_t(s.n)] = s.ip;
    ++next.n;
  }
  choices.push_back({{1, next}});
}

void add_host_receive(const State& s, std::vector<Choice>& choices) {
  if (s.l == 0 || s.b != 2) return;
  State next = s;
  next.b = next.z = next.ip_mess = 0;
  const bool has_host_address = s.ip_mess == s.ip;
  if (s.l == 1 || (s.l == 2 && !has_host_address) ||
      (s.l == 3 && s.mess == 0 && !has_host_address)) {
    choices.push_back({{1, next}});
  } else if (s.l == 2) {
    next.l = next.x = next.sent = 0;
    next.coll = std::min(s.coll + 1, max_collisions);
    choices.push_back({{1, next}});
  } else if (s.l == 3 && s.mess == 0) {
    State defending = next;
    defending.defend = defending.mess = 1;
    defending.y = 0;
    if (s.defend == 0 || s.y >= defend_time) choices.push_back({{1, defending}});
    State deferring = next;
    deferring.l = deferring.sent = deferring.defend = deferring.x = deferring.y = 0;
    if (s.defend == 0 || s.y < defend_time) choices.push_back({{1, deferring}});
  }
}

std::vector<Choice> choices_of(const State& s, const Zeroconf& model) {
  std::vector<Choice> choices;
  if (s.l == 4) return choices;  // the rest is irrelevant
  if (s.l == 0) {
    State next = s;
    next.l = 1;
    next.n1 = next.ip_mess = 0;
    next.n0 = std::min(max_n0, s.n0 + s.n1);
    if (model.reset) next.n = 0;
    next.buffer = {};
    choices.push_back({{1, next}});
    return choices;
  }
  add_time_step(s, choices);
  add_host_send(s, model, choices);
  add_host_receive(s, choices);
  add_medium_moves(s, choices);
  add_host_moves(s, model, choices);
  return choices;
}

/// Returns a process whose value is the probability of using an address that another host has. The
/// value is 0 where that is unreachable, or avoidable for the minimum.
template <class Real>
DecisionProcess<Real> zeroconf_process(const Zeroconf& model, Direction direction) {
  std::map<State, std::int32_t> numbers{{State{}, 0}};
  std::vector<State> states{State{}};
  std::vector<std::vector<test::Row>> rows;
  std::size_t actions = 1;
  std::vector<std::int32_t> targets;
  for (std::size_t n = 0; n < states.size(); ++n) {
    if (states[n].l == 4 && states[n].ip == 1) targets.push_back(std::int32_t(n));
    rows.emplace_back();
    for (const Choice& choice : choices_of(State(states[n]), model)) {
      test::Row row;
      for (const auto& [probability, state] : choice) {
        const auto [entry, is_new] = numbers.emplace(state, std::int32_t(states.size()));
        if (is_new) states.push_back(state);
        row.to.emplace_back(entry->second, probability);
      }
      rows.back().push_back(row);
    }
    actions = std::max(actions, rows.back().size());
  }
  auto process = test::rows_process<Real>(std::int32_t(states.size()), std::int32_t(actions), rows);
  process = make_terminal(std::move(process), targets, Real{1});
  const auto may_reach_target = may_reach(
      process, targets,
      direction == Direction::maximize ? Quantifier::some_policy : Quantifier::every_policy);
  std::vector<std::int32_t> without_target;
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    if (may_reach_target[std::size_t(s)] == 0) without_target.push_back(s);
  }
  process = make_terminal(std::move(process), without_target, Real{0});
  if (direction == Direction::minimize) negate_rewards(process);
  return process;
}

/// Returns the solution, with the sign restored for the minimum.
ProcessSolution<double> solve_zeroconf(const Zeroconf& model, Direction direction,
                                       const SolverOptions& options) {
  SilentProgress progress;
  auto solution =
      solve_process(zeroconf_process<double>(model, direction), SolveOptions(options), progress);
  if (direction == Direction::minimize) negate_rewards(solution);
  EXPECT_TRUE(solution.converged);
  EXPECT_TRUE(solution.is_within_tolerance);
  return solution;
}

/// Exact answers of QVBS: Storm.exact.…, 2018-10-17.
struct KnownAnswer {
  Zeroconf model;
  double max;
  double min;
};

class ZeroconfModel : public testing::TestWithParam<KnownAnswer> {};

TEST_P(ZeroconfModel, MatchesSmallProbabilities) {
  const KnownAnswer& known = GetParam();
  for (const auto direction : {Direction::maximize, Direction::minimize}) {
    const double exact = direction == Direction::maximize ? known.max : known.min;
    for (const auto method : {Method::fused, Method::gauss_seidel}) {
      const auto coarse = solve_zeroconf(known.model, direction, {.method = method});
      EXPECT_LE(coarse.lower[0], exact * (1 + 1e-15));
      EXPECT_GE(coarse.upper[0], exact * (1 - 1e-15));
      EXPECT_LE(coarse.upper[0] - coarse.lower[0], 1e-4 * exact);
      const auto fine =
          solve_zeroconf(known.model, direction, {.method = method, .tolerance = 1e-10});
      EXPECT_NEAR(fine.value[0], exact, 1e-10 * exact);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ZeroconfModel,
    testing::Values(KnownAnswer{{1000, 2, true}, 65341.0 / 64089341, 6859.0 / 64030859},
                    KnownAnswer{
                        {20, 4, true}, 23588101.0 / 32502023588101, 2476099.0 / 32502002476099},
                    KnownAnswer{{1000, 8, true},
                                3074024910421.0 / 64024003074024910421.0,
                                322687697779.0 / 64024000322687697779.0}),
    [](const auto& instance) {
      return std::to_string(instance.param.model.hosts) + "_" +
             std::to_string(instance.param.model.probes);
    });

}  // namespace
}  // namespace tidewise::mdp
