#include "mdp/interval/sparse_chain.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace tidewise::mdp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A chain as dense arrays: weights of transitions (from, to), weights of leaving, right-hand side.
struct Chain {
  std::vector<std::vector<long double>> weight;
  std::vector<double> leaving;
  std::vector<double> right_side;
};

/// Returns a chain whose states lead to `successors` random states, and out by up to `leaving`.
Chain random_chain(std::mt19937& random, std::size_t states, std::size_t successors,
                   double leaving) {
  std::uniform_real_distribution<double> unit(0, 1);
  Chain chain{{states, std::vector<long double>(states, 0)}, {}, {}};
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t n = 0; n < successors; ++n) chain.weight[s][random() % states] += unit(random);
    chain.leaving.push_back(leaving * unit(random));
    chain.right_side.push_back(unit(random));
  }
  return chain;
}

/// Solves a chain by elimination in extended precision without subtraction (Grassmann, Taksar,
/// Heyman, 1985).
std::vector<long double> reference(Chain chain) {
  const std::size_t n = chain.right_side.size();
  std::vector<long double> leaving(chain.leaving.begin(), chain.leaving.end());
  std::vector<long double> value(chain.right_side.begin(), chain.right_side.end());
  std::vector<long double> pivot(n);
  for (std::size_t k = 0; k < n; ++k) {
    pivot[k] = leaving[k];
    for (std::size_t j = k + 1; j < n; ++j) pivot[k] += chain.weight[k][j];
    for (std::size_t i = k + 1; i < n; ++i) {
      const long double factor = chain.weight[i][k] / pivot[k];
      for (std::size_t j = k + 1; j < n; ++j) chain.weight[i][j] += factor * chain.weight[k][j];
      leaving[i] += factor * leaving[k];
      value[i] += factor * value[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) value[k] += chain.weight[k][j] * value[j];
    value[k] /= pivot[k];
  }
  return value;
}

void fill(const Chain& chain, SparseChain& sparse) {
  for (std::size_t s = 0; s < chain.right_side.size(); ++s) {
    for (std::size_t t = 0; t < chain.right_side.size(); ++t) {
      sparse.add(std::int32_t(s), std::int32_t(t), double(chain.weight[s][t]));
    }
    sparse.add_leaving(std::int32_t(s), chain.leaving[s]);
  }
}

TEST(SparseChain, MatchesEliminationInExtendedPrecision) {
  std::mt19937 random(3);
  for (const double leaving : {1.0, 1e-3, 1e-6}) {
    for (const std::size_t states : {1U, 2U, 5U, 30U, 120U}) {
      for (const std::size_t successors : {1U, 2U, 3U, 40U}) {
        SCOPED_TRACE(testing::Message() << leaving << ", " << states << ", " << successors);
        const Chain chain = random_chain(random, states, successors, leaving);
        const auto exact = reference(chain);
        SparseChain sparse(states);
        fill(chain, sparse);
        ASSERT_TRUE(sparse.factorise(1e9));
        const auto value = sparse.solve(chain.right_side);
        for (std::size_t s = 0; s < states; ++s) {
          EXPECT_NEAR(value[s] / double(exact[s]), 1, 1e-12 / leaving);
        }
      }
    }
  }
}

TEST(SparseChain, KeepsALongWalkSparse) {
  // Neighbours of the walk are far apart in the order of states.
  constexpr std::int32_t states = 20'011;
  const auto state_of = [](std::int64_t s) { return std::int32_t(s * 8'009 % states); };
  SparseChain walk(states);
  for (std::int32_t s = 0; s < states; ++s) {
    for (const std::int32_t to : {s - 1, s + 1}) {
      if (to < 0 || to == states) {
        walk.add_leaving(state_of(s), .5);
      } else {
        walk.add(state_of(s), state_of(to), .5);
      }
    }
  }
  EXPECT_LE(walk.estimate_work(infinity), 4.0 * states);
  ASSERT_TRUE(walk.factorise(1e6));
  const auto value = walk.solve(std::vector<double>(states, 1));
  for (const std::int32_t s : {0, 1000, states / 2, states - 1}) {
    const double steps = double(s + 1) * double(states - s);
    EXPECT_NEAR(value[std::size_t(state_of(s))] / steps, 1, 1e-6);
  }
}

TEST(SparseChain, RefusesTooMuchWork) {
  std::mt19937 random(4);
  const Chain chain = random_chain(random, 200, 8, 1);
  SparseChain sparse(200);
  fill(chain, sparse);
  EXPECT_GT(sparse.estimate_work(infinity), 1e5);
  EXPECT_EQ(sparse.estimate_work(1e5), infinity);
  EXPECT_FALSE(sparse.factorise(1e5));
  EXPECT_TRUE(sparse.factorise(1e9));
}

TEST(SparseChain, RefusesAClosedChain) {
  SparseChain loop(2);
  loop.add(0, 1, 1);
  loop.add(1, 0, 1);
  EXPECT_FALSE(loop.factorise(1e9));
}

}  // namespace
}  // namespace tidewise::mdp
