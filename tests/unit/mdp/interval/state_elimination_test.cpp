#include "mdp/interval/state_elimination.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <vector>

namespace tidewise::mdp {
namespace {

using Shares = std::vector<std::vector<long double>>;

/// A chain of which each state leads to `successors` others, and out by `leaving`.
struct Chain {
  Shares share;
  std::vector<double> leaving;
  std::vector<double> right;
};

Chain random_chain(std::mt19937& random, std::size_t states, std::size_t successors,
                   double leaving) {
  std::uniform_real_distribution<double> unit(0, 1);
  Chain chain{Shares(states, std::vector<long double>(states, 0)), {}, {}};
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t n = 0; n < successors; ++n) {
      chain.share[s][random() % states] += unit(random);
    }
    chain.leaving.push_back(leaving * unit(random));
    chain.right.push_back(unit(random));
  }
  return chain;
}

/// Elimination in extended precision, in order of numbers, by the same pivots.
std::vector<long double> reference(Chain chain) {
  const std::size_t n = chain.right.size();
  std::vector<long double> leaving(chain.leaving.begin(), chain.leaving.end());
  std::vector<long double> value(chain.right.begin(), chain.right.end());
  std::vector<long double> pivot(n);
  for (std::size_t k = 0; k < n; ++k) {
    pivot[k] = leaving[k];
    for (std::size_t j = k + 1; j < n; ++j) pivot[k] += chain.share[k][j];
    for (std::size_t i = k + 1; i < n; ++i) {
      const long double factor = chain.share[i][k] / pivot[k];
      for (std::size_t j = k + 1; j < n; ++j) chain.share[i][j] += factor * chain.share[k][j];
      leaving[i] += factor * leaving[k];
      value[i] += factor * value[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) value[k] += chain.share[k][j] * value[j];
    value[k] /= pivot[k];
  }
  return value;
}

template <std::size_t Parts>
StateElimination<Parts> elimination_of(const Chain& chain, bool watches) {
  StateElimination<Parts> elimination(chain.right.size(), watches);
  for (std::size_t s = 0; s < chain.right.size(); ++s) {
    for (std::size_t t = 0; t < chain.right.size(); ++t) {
      elimination.add(std::int32_t(s), std::int32_t(t), double(chain.share[s][t]));
    }
    elimination.leaving[s] = chain.leaving[s];
    for (std::size_t part = 0; part < Parts; ++part) {
      elimination.right[s][part] = chain.right[s] * double(part + 1);
    }
  }
  return elimination;
}

TEST(StateElimination, IsThatInExtendedPrecision) {
  std::mt19937 random(3);
  for (const double leaving : {1.0, 1e-6, 1e-14}) {
    for (const std::size_t states : {1U, 2U, 5U, 30U, 120U}) {
      for (const std::size_t successors : {1U, 2U, 3U, 40U}) {
        SCOPED_TRACE(testing::Message() << leaving << ", " << states << ", " << successors);
        const Chain chain = random_chain(random, states, successors, leaving);
        const auto exact = reference(chain);
        auto alone = elimination_of<1>(chain, false);
        auto four = elimination_of<4>(chain, true);
        ASSERT_TRUE(alone.solve(1e9));
        ASSERT_TRUE(four.solve(1e9));
        EXPECT_EQ(four.order().size(), states);
        for (std::size_t s = 0; s < states; ++s) {
          // However seldom a state is left: nothing is subtracted.
          EXPECT_NEAR(alone.right[s][0] / double(exact[s]), 1, 1e-12);
          EXPECT_NEAR(four.right[s][3] / double(exact[s]), 4, 4e-12);
        }
      }
    }
  }
}

TEST(StateElimination, ALongWalkFillsUpNothing) {
  // Over states in an order in which neighbours are far from each other.
  constexpr std::int32_t states = 100'003;
  const auto at = [](std::int64_t s) { return std::int32_t(s * 40'009 % states); };
  StateElimination<1> walk(states, true);
  for (std::int32_t s = 0; s < states; ++s) {
    const auto place = std::size_t(at(s));
    for (const std::int32_t to : {s - 1, s + 1}) {
      if (to < 0 || to == states) {
        walk.leaving[place] += .5;
      } else {
        walk.add(at(s), at(to), .5);
      }
    }
    walk.right[place][0] = 1;
  }
  ASSERT_TRUE(walk.solve(1e6));
  for (const std::int32_t s : {0, 1000, states / 2, states - 1}) {
    const double steps = double(s + 1) * double(states - s);
    EXPECT_NEAR(walk.right[std::size_t(at(s))][0] / steps, 1, 1e-10);
  }
}

TEST(StateElimination, SaysWhereItDoesNot) {
  std::mt19937 random(4);
  const Chain chain = random_chain(random, 200, 8, 1);
  EXPECT_FALSE(elimination_of<1>(chain, false).solve(1000));  // too much work
  StateElimination<1> round(2, false);                        // for ever
  round.add(0, 1, 1);
  round.add(1, 0, 1);
  EXPECT_FALSE(round.solve(1e9));
  for (const bool watches : {false, true}) {  // a product is not rounded by a share any more
    StateElimination<1> tiny(3, watches);
    for (const std::int32_t s : {0, 1, 2}) tiny.add(s, (s + 1) % 3, 1e-200);
    tiny.leaving = {1, 1, 1};
    tiny.right = {{1}, {1}, {1}};
    EXPECT_EQ(tiny.solve(1e9), !watches);
  }
}

}  // namespace
}  // namespace tidewise::mdp
