#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/golden_section.h"
#include "mdp/savings/view.h"

namespace tidewise::mdp {

// Steps of value iteration on the savings problem, for one state each: trivially copyable functors
// for host and device. n: a state, productivity · assets + asset.

/// Computes `expected` from `value`.
struct ExpectSavings {
  SavingsView view;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const std::size_t count = view.asset_count();
    const std::size_t e = n / count;
    const std::size_t i = n % count;
    const std::size_t states = view.productivity.size;
    double sum = 0;
    for (std::size_t to = 0; to < states; ++to) {
      sum = std::fma(view.transition[e * states + to], view.value[to * count + i], sum);
    }
    view.expected[n] = sum;
  }
};

/// Computes `slope` from `expected`.
struct SlopeSavings {
  SavingsView view;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const std::size_t count = view.asset_count();
    const std::size_t i = n % count;
    view.slope[n] = monotone_slope(view.assets, view.expected.data + (n - i), i);
  }
};

/// The best a' among the assets, for the states of each productivity whose asset is first +
/// 2·stride·m. Resources and a' are complements in a concave u(c), so the best a' increases with a
/// for any values: it lies between those of the assets `stride` to either side, which an earlier
/// round has found. So every asset except the first one examines only a few, and values need not be
/// concave. The lowest wins a tie.
struct SaveOnGrid {
  SavingsView view;
  std::size_t first = 0;
  std::size_t stride = 1;  ///< `first` is 0, or equal to this

  /// Number of such states of one productivity.
  TIDEWISE_HOST_DEVICE std::size_t count() const {
    const std::size_t assets = view.asset_count();
    if (first == 0) return 1;
    return first < assets ? (assets - first + 2 * stride - 1) / (2 * stride) : 0;
  }

  TIDEWISE_HOST_DEVICE void operator()(std::size_t m) const {
    const std::size_t assets = view.asset_count();
    const std::size_t e = m / count();
    const std::size_t i = first + 2 * stride * (m % count());
    const std::size_t n = e * assets + i;
    const std::size_t low = i == 0 ? 0 : static_cast<std::size_t>(view.place[n - stride]);
    const std::size_t high = i == 0 || i + stride >= assets
                                 ? assets - 1
                                 : static_cast<std::size_t>(view.place[n + stride]);
    const double resources = view.resources(e, i);
    std::size_t best = low;
    double best_utility =
        view.total_utility(resources - view.assets[low], view.expected[e * assets + low]);
    for (std::size_t j = low + 1; j <= high; ++j) {
      const double utility =
          view.total_utility(resources - view.assets[j], view.expected[e * assets + j]);
      if (utility > best_utility) {
        best = j;
        best_utility = utility;
      }
    }
    view.place[n] = static_cast<std::int32_t>(best);
    view.saving[n] = view.assets[best];
    view.value_next[n] = best_utility;
  }
};

/// The best a' between the assets, by golden section.
struct SaveOffGrid {
  SavingsView view;
  std::int32_t steps = 0;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const std::size_t count = view.asset_count();
    const std::size_t e = n / count;
    const double resources = view.resources(e, n % count);
    const double end = view.assets[count - 1];
    const Maximum best = golden_section(
        [&](double a) { return view.total_utility(resources - a, view.expected_at(e, a)); },
        view.assets[0], resources < end ? resources : end, steps);
    view.saving[n] = best.at;
    view.value_next[n] = best.value;
  }
};

/// One evaluation sweep (Howard 1960): value_next from `expected` and `saving`.
struct FollowSaving {
  SavingsView view;
  bool on_grid = false;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const std::size_t count = view.asset_count();
    const std::size_t e = n / count;
    const double saving = view.saving[n];
    const double later = on_grid
                             ? view.expected[e * count + static_cast<std::size_t>(view.place[n])]
                             : view.expected_at(e, saving);
    view.value_next[n] = view.total_utility(view.resources(e, n % count) - saving, later);
  }
};

/// The greatest |value_next − value| of a part of the states: every n-th state, where n is the
/// number of parts.
struct ChangeOfSavings {
  SavingsView view;
  View<double> largest;  ///< (part)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t part) const {
    double max = 0;
    for (std::size_t n = part; n < view.state_count(); n += largest.size) {
      const double change = std::fabs(view.value_next[n] - view.value[n]);
      if (!(change <= max)) max = change;  // keeps NaN
    }
    largest[part] = max;
  }
};

}  // namespace tidewise::mdp
