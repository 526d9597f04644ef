#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace tidewise::mdp {

/// Solves v = b + A v for `Parts` right sides b at once, A being what a chain leads to within some
/// states, without any subtraction: what leads out of a state is the sum of its entries and of what
/// leaves. States are taken out one after another, those first that lead to few and that few lead
/// to (Markowitz); once what is left leads nearly everywhere it is a dense matrix. Memory and time
/// are those of the entries that so come about. Sources: as in policy_elimination.h; Markowitz,
/// Management Science 3, 1957.
template <std::size_t Parts>
class StateElimination {
 public:
  using Right = std::array<double, Parts>;

  /// `watches`: fails where a product leaves the range in which doubles are rounded by a share.
  StateElimination(std::size_t count, bool watches)
      : right(count), leaving(count, 0), rows_(count), watches_(watches) {}

  std::vector<Right> right;     ///< (state): b, then v
  std::vector<double> leaving;  ///< (state): to nowhere else among them

  void add(std::int32_t from, std::int32_t to, double share) {
    if (from != to && share > 0) rows_[static_cast<std::size_t>(from)].push_back({to, share});
  }

  /// False where a state is not left, a number is not finite, or more than `most_work`
  /// multiplications would be needed.
  bool solve(double most_work) { return prepare() && eliminate(most_work) && substitute(); }

  /// Of the last solve(): states in the order in which they went, and the entries that each led to
  /// then.
  const std::vector<std::int32_t>& order() const { return order_; }
  std::int64_t entries_of(std::int32_t state) const {
    return entries_[static_cast<std::size_t>(state)];
  }
  double work() const { return work_; }

  static constexpr double least_number = 1e-280;  // products of greater ones lose nothing
  /// Whether a product of `number` is too small to be rounded by a share.
  static bool is_lost(double product, double number) {
    return number != 0 && !(std::abs(product) > least_number);
  }

 private:
  struct Entry {
    std::int32_t to;
    double share;
  };
  using Row = std::vector<Entry>;

  static constexpr double most_entries = 1e7;  // 160 MB
  static constexpr std::size_t least_dense = 16;

  /// Entries in order, one for each successor; who leads to whom.
  bool prepare() {
    from_.resize(rows_.size());
    entries_.assign(rows_.size(), 0);
    pivot_.assign(rows_.size(), 0);
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      Row& row = rows_[n];
      std::sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.to < b.to; });
      std::size_t kept = 0;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (kept > 0 && row[kept - 1].to == row[i].to) {
          row[kept - 1].share += row[i].share;
        } else {
          row[kept++] = row[i];
        }
      }
      row.resize(kept);
      held_ += static_cast<double>(kept);
      for (const Entry& entry : row) {
        from_[static_cast<std::size_t>(entry.to)].push_back(static_cast<std::int32_t>(n));
      }
    }
    return held_ <= most_entries;
  }

  double cost_of(std::int32_t state) const {
    const auto n = static_cast<std::size_t>(state);
    return static_cast<double>(from_[n].size()) * static_cast<double>(rows_[n].size());
  }

  bool eliminate(double most_work) {
    using Candidate = std::pair<double, std::int32_t>;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      const auto state = static_cast<std::int32_t>(n);
      queue.emplace(cost_of(state), state);
    }
    while (!queue.empty()) {
      const auto [cost, state] = queue.top();
      queue.pop();
      const double now = cost_of(state);
      if (now > cost) {
        queue.emplace(now, state);
        continue;
      }
      const std::size_t left = rows_.size() - order_.size();
      const std::size_t width = rows_[static_cast<std::size_t>(state)].size();
      if (left > least_dense && 2 * width > left) return eliminate_dense(most_work);
      if (work_ > most_work || held_ > most_entries) return false;
      if (!take_out(state)) return false;
    }
    return true;
  }

  /// Of all that leads on from a state; whether there is any.
  bool close(std::int32_t state, double within, std::int64_t entries) {
    const auto n = static_cast<std::size_t>(state);
    pivot_[n] = leaving[n] + within;
    entries_[n] = entries;
    order_.push_back(state);
    return pivot_[n] > (watches_ ? least_number : 0) && std::isfinite(pivot_[n]);
  }

  bool take_out(std::int32_t state) {
    const auto k = static_cast<std::size_t>(state);
    const Row& row = rows_[k];
    double within = 0;
    for (const Entry& entry : row) within += entry.share;
    if (!close(state, within, static_cast<std::int64_t>(row.size()))) return false;
    for (const Entry& entry : row) {
      std::vector<std::int32_t>& from = from_[static_cast<std::size_t>(entry.to)];
      *std::find(from.begin(), from.end(), state) = from.back();
      from.pop_back();
    }
    bool is_sound = true;
    for (const std::int32_t before : from_[k]) {
      is_sound = lead_past(before, state) && is_sound;
    }
    from_[k] = {};
    return is_sound;
  }

  /// Takes the way by `through` from the row of `from`, in whose place come those of `through`;
  /// what so comes back to `from` is left out.
  bool lead_past(std::int32_t from, std::int32_t through) {
    Row& old = rows_[static_cast<std::size_t>(from)];
    const Row& more = rows_[static_cast<std::size_t>(through)];
    const auto way =
        std::lower_bound(old.begin(), old.end(), through,
                         [](const Entry& entry, std::int32_t to) { return entry.to < to; });
    const double factor = way->share / pivot_[static_cast<std::size_t>(through)];
    work_ += static_cast<double>(old.size() + more.size() + Parts);
    merged_.clear();
    bool is_sound = is_factor(factor);
    auto one = old.begin();
    const auto keep_before = [&](std::int32_t to) {
      for (; one != old.end() && one->to < to; ++one) {
        if (one->to != through) merged_.push_back(*one);
      }
    };
    for (const Entry& entry : more) {
      if (entry.to == from) continue;
      keep_before(entry.to);
      const double product = factor * entry.share;
      is_sound = is_sound && !(watches_ && is_lost(product, entry.share));
      if (one != old.end() && one->to == entry.to) {
        merged_.push_back({entry.to, one->share + product});
        ++one;
      } else {
        merged_.push_back({entry.to, product});
        from_[static_cast<std::size_t>(entry.to)].push_back(from);
      }
    }
    keep_before(std::numeric_limits<std::int32_t>::max());
    held_ += static_cast<double>(merged_.size()) - static_cast<double>(old.size());
    old.assign(merged_.begin(), merged_.end());
    return move_sides(from, through, factor) && is_sound;
  }

  bool is_factor(double factor) const {
    return !watches_ || (factor > least_number && std::isfinite(factor));
  }

  /// What `through` brings, and what leaves there.
  bool move_sides(std::int32_t from, std::int32_t through, double factor) {
    bool is_sound = true;
    const auto moved = [&](double number) {
      const double product = factor * number;
      is_sound = is_sound && !(watches_ && is_lost(product, number));
      return product;
    };
    const auto to = static_cast<std::size_t>(from);
    const auto k = static_cast<std::size_t>(through);
    leaving[to] += moved(leaving[k]);
    for (std::size_t part = 0; part < Parts; ++part) right[to][part] += moved(right[k][part]);
    return is_sound;
  }

  /// The states that are left, each leading to nearly each.
  bool eliminate_dense(double most_work) {
    std::vector<std::uint8_t> is_gone(rows_.size(), 0);
    for (const std::int32_t state : order_) is_gone[static_cast<std::size_t>(state)] = 1;
    std::vector<std::int32_t> place(rows_.size(), -1);
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      if (is_gone[n] != 0) continue;
      place[n] = static_cast<std::int32_t>(dense_.size());
      dense_.push_back(static_cast<std::int32_t>(n));
    }
    const std::size_t count = dense_.size();
    const auto size = static_cast<double>(count);
    work_ += size * size * size / 3;
    if (work_ > most_work || held_ + size * size > most_entries) return false;
    matrix_.assign(count * count, 0);
    for (std::size_t n = 0; n < count; ++n) {
      for (const Entry& entry : rows_[static_cast<std::size_t>(dense_[n])]) {
        matrix_[n * count + static_cast<std::size_t>(place[static_cast<std::size_t>(entry.to)])] =
            entry.share;
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      const double* const row = matrix_.data() + k * count;
      double within = 0;
      for (std::size_t j = k + 1; j < count; ++j) within += row[j];
      if (!close(dense_[k], within, static_cast<std::int64_t>(count - k - 1))) return false;
      for (std::size_t i = k + 1; i < count; ++i) {
        if (!lead_past_dense(i, k)) return false;
      }
    }
    return true;
  }

  bool lead_past_dense(std::size_t from, std::size_t through) {
    const std::size_t count = dense_.size();
    double* const own = matrix_.data() + from * count;
    const double* const row = matrix_.data() + through * count;
    if (own[through] == 0) return true;
    const double factor = own[through] / pivot_[static_cast<std::size_t>(dense_[through])];
    // What so comes back to `from` is on the diagonal, which nobody reads.
    double least = std::numeric_limits<double>::infinity();
    if (watches_) {
      for (std::size_t j = through + 1; j < count; ++j) {
        const double product = factor * row[j];
        least = row[j] != 0 ? std::min(least, product) : least;
        own[j] += product;
      }
    } else {
      for (std::size_t j = through + 1; j < count; ++j) own[j] += factor * row[j];
    }
    const bool is_sound = is_factor(factor) && !(watches_ && !(least > least_number));
    return move_sides(dense_[from], dense_[through], factor) && is_sound;
  }

  /// v, from the state that went last on.
  bool substitute() {
    bool is_sound = true;
    const auto take = [&](std::size_t state, std::int32_t to, double share) {
      for (std::size_t part = 0; part < Parts; ++part) {
        const double other = right[static_cast<std::size_t>(to)][part];
        const double product = share * other;
        is_sound = is_sound && !(watches_ && is_lost(product, other));
        right[state][part] += product;
      }
    };
    for (std::size_t n = order_.size(); n-- > 0;) {
      const auto state = static_cast<std::size_t>(order_[n]);
      const std::size_t sparse = order_.size() - dense_.size();
      if (n >= sparse) {
        const std::size_t k = n - sparse;
        for (std::size_t j = k + 1; j < dense_.size(); ++j) {
          const double share = matrix_[k * dense_.size() + j];
          if (share != 0) take(state, dense_[j], share);
        }
      } else {
        for (const Entry& entry : rows_[state]) take(state, entry.to, entry.share);
      }
      for (double& one : right[state]) {
        one /= pivot_[state];
        is_sound = is_sound && std::isfinite(one);
      }
      if (!is_sound) return false;
    }
    return true;
  }

  std::vector<Row> rows_;                        // (state), by where they lead to
  std::vector<std::vector<std::int32_t>> from_;  // (state): of those that are left
  std::vector<double> pivot_;                    // (state)
  std::vector<std::int64_t> entries_;            // (state)
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> dense_;  // states that went as a dense matrix
  std::vector<double> matrix_;       // (place in dense_, place)
  Row merged_;
  double work_ = 0;
  double held_ = 0;  // entries
  bool watches_;
};

}  // namespace tidewise::mdp
