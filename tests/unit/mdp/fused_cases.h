#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "mdp/process/options.h"
#include "mdp/process/row_writer.h"
#include "support/mdp/process_cases.h"

// Processes for the fused method, on host and device.

namespace tidewise::mdp {
namespace {

constexpr FusedLayout host_layouts[] = {FusedLayout::automatic, FusedLayout::rows,
                                        FusedLayout::packed};

template <class Real>
testing::AssertionResult same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  if (a.size() != b.size()) return testing::AssertionFailure() << a.size() << " and " << b.size();
  for (std::size_t n = 0; n < a.size(); ++n) {
    if (std::memcmp(&a[n], &b[n], sizeof(Real)) != 0) {
      return testing::AssertionFailure() << "at " << n << ": " << a[n] << " and " << b[n];
    }
  }
  return testing::AssertionSuccess();
}

/// A row as a list of {successor, probability}; it is empty if the action is not allowed.
using Row = std::vector<Transition>;
template <class Real>
DecisionProcess<Real> process_of(std::int32_t states, std::int32_t actions,
                                 const std::function<Row(std::int32_t, std::int32_t)>& row,
                                 const std::function<double(std::int32_t, std::int32_t)>& reward) {
  RowWriter<Real> writer(states, actions);
  for (std::int32_t s = 0; s < states; ++s) {
    for (std::int32_t a = 0; a < actions; ++a) {
      Row transitions = row(s, a);
      const std::string fault = writer.add_row(transitions, transitions.empty() ? 0 : reward(s, a));
      if (!fault.empty()) throw std::logic_error(fault);
    }
  }
  DecisionProcess<Real> process = writer.finish();
  process.discount = 0.9;
  return process;
}

/// Returns an n × n slip world with walls, whose last corner is a goal without actions.
template <class Real>
DecisionProcess<Real> square_slip_world(std::int32_t n, double walls, double slip = 0.1) {
  std::mt19937 random(7);
  std::vector<bool> is_wall(std::size_t(n * n));
  for (std::size_t s = 1; s + 1 < is_wall.size(); ++s) is_wall[s] = random() < walls * 0x1p32;
  const auto destination = [&, n](std::int32_t s, std::int32_t d) {
    const std::int32_t x = s % n + (d == 1) - (d == 3);
    const std::int32_t y = s / n + (d == 2) - (d == 0);
    if (x < 0 || y < 0 || x >= n || y >= n || is_wall[std::size_t(y * n + x)]) return s;
    return y * n + x;
  };
  return process_of<Real>(
      n * n, 4,
      [&](std::int32_t s, std::int32_t a) -> Row {
        if (s == n * n - 1) return {};
        return {{destination(s, a), 1 - slip, 0},
                {destination(s, (a + 1) % 4), slip / 2, 0},
                {destination(s, (a + 3) % 4), slip / 2, 0}};
      },
      [](std::int32_t s, std::int32_t) { return s % 9700 == 5 ? -3.0 : -1.0; });
}

/// A named process with properties that are difficult for layouts.
struct FusedCase {
  const char* name;
  std::function<DecisionProcess<double>()> make;
};
std::ostream& operator<<(std::ostream& stream, const FusedCase& fused_case) {
  return stream << fused_case.name;
}

Row near_and_far(std::int32_t s, std::int32_t states, std::mt19937& random) {
  Row row;
  const auto count = 1 + random() % 40;
  for (unsigned n = 0; n < count; ++n) {
    const auto near = std::int64_t{s} + std::int64_t(random() % 9) - 4;
    const auto destination =
        random() % 8 == 0 ? std::int64_t(random() % std::uint32_t(states)) : near;
    row.push_back(
        {std::int32_t(std::clamp<std::int64_t>(destination, 0, states - 1)), 1.0 / count, 0});
  }
  return row;
}

const FusedCase fused_cases[] = {
    {"three_states", [] { return test::three_state_process<double>(); }},
    {"four_cells", [] { return test::four_cell_world<double>(); }},
    {"one_state",
     [] {
       return process_of<double>(
           1, 1,
           [](auto, auto) {
             return Row{{0, 1, 0}};
           },
           [](auto, auto) { return 2.5; });
     }},
    {"nothing_but_ends",
     [] {
       auto process = process_of<double>(
           70, 2, [](auto, auto) { return Row{}; }, [](auto, auto) { return 0.0; });
       process.initial_value.assign(70, -1.5);
       return process;
     }},
    {"random", [] { return test::make_process<double>({.seed = 3, .states = 1000}); }},
    {"random_local",
     [] {
       return test::make_process<double>({.seed = 4, .states = 1003, .actions = 7, .local = true});
     }},
    {"random_sparse",
     [] {
       return test::make_process<double>({.seed = 5,
                                          .states = 333,
                                          .actions = 3,
                                          .successors = 40,
                                          .discount = 0.95,
                                          .terminal_share = 0.3,
                                          .lacking_share = 0.6});
     }},
    {"slip_world", [] { return square_slip_world<double>(37, 0); }},
    {"wide_slip_world", [] { return square_slip_world<double>(300, 0); }},
    {"rewired_world",
     [] {
       auto process = square_slip_world<double>(200, 0.02);
       std::mt19937 random(17);  // a few rows lead far away
       for (std::int64_t row = 0; row < process.row_count(); ++row) {
         if (!process.is_allowed(row) || random() % 50 != 0) continue;
         const auto last_entry = std::size_t(process.row_begin[std::size_t(row) + 1]) - 1;
         const auto remaining = std::uint32_t(process.state_count - process.successor[last_entry]);
         process.successor[last_entry] += std::int32_t(random() % remaining);
       }
       return process;
     }},
    {"slip_world_with_walls", [] { return square_slip_world<double>(64, 0.3); }},
    {"deterministic_world", [] { return square_slip_world<double>(33, 0.1, 0); }},
    {"near_and_far",
     [] {
       std::mt19937 random(11);
       return process_of<double>(
           600, 3, [&](std::int32_t s, std::int32_t) { return near_and_far(s, 600, random); },
           [](std::int32_t s, std::int32_t a) { return std::sin(s * 3 + a); });
     }},
    {"few_probabilities_far_away",
     [] {
       std::mt19937 random(12);
       const auto random_state = [&] { return std::int32_t(random() % 70'000); };
       return process_of<double>(
           70'000, 2,
           [&](auto, auto) {
             return Row{
                 {random_state(), .25, 0}, {random_state(), .25, 0}, {random_state(), .5, 0}};
           },
           [](std::int32_t s, std::int32_t) { return s % 3; });
     }},
    {"many_probabilities_far_away",
     [] {
       std::mt19937 random(13);
       return process_of<double>(
           40'000, 2,
           [&](auto, auto) {
             const double p = (random() % 4096 + 1) / 5000.0;
             return Row{{std::int32_t(random() % 40'000), p, 0},
                        {std::int32_t(random() % 40'000), 1 - p, 0}};
           },
           [](std::int32_t s, std::int32_t a) { return (s + a) % 5; });
     }},
};

}  // namespace
}  // namespace tidewise::mdp
