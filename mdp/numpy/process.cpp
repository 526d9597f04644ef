#include "mdp/numpy/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "mdp/numpy/array.h"
#include "mdp/numpy/sparse_matrix.h"
#include "mdp/process/row_writer.h"
#include "mdp/text/file_text.h"
#include "mdp/text/row_limit.h"

namespace tidewise::mdp {
namespace {

namespace fs = std::filesystem;

/// Of name.P12.npz, 12; nothing for other names.
std::optional<std::int64_t> action_of(const fs::path& path) {
  const std::string part = path.stem().extension().string();
  if (!part.starts_with(".P") || !is_plain_index(std::string_view(part).substr(2))) return {};
  return to_integer(std::string_view(part).substr(2));
}

fs::path beside(const fs::path& stem, const std::string& ending) {
  fs::path path = stem;
  return path += ending;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// stem.LETTERn.npz for n = 0, 1, … as long as there are any.
std::vector<std::unique_ptr<ByteSource>> open_numbered(const fs::path& stem, char letter) {
  std::vector<std::unique_ptr<ByteSource>> sources;
  for (;;) {
    const fs::path path = beside(stem, fmt::format(".{}{}.npz", letter, sources.size()));
    if (!is_there(path)) return sources;
    sources.push_back(std::make_unique<ByteSource>(path));
  }
}

bool is_numpy_array(const ByteSource& source) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (source.size() < magic.size()) return false;
  const auto front = source.read(0, magic.size());
  return std::equal(front.begin(), front.end(), magic.begin(),
                    [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); });
}

/// What rows bring: in any case, and by where they lead.
class NumpyRewards {
 public:
  NumpyRewards(const NumpyFiles& files, std::int64_t states, std::int64_t actions)
      : states_(states), actions_(actions) {
    if (files.rewards.empty()) return;
    const ByteSource& first = *files.rewards.front();
    name_ = first.name();
    if (files.rewards.size() == 1 && is_numpy_array(first)) {
      take_array(first);
      return;
    }
    for (const auto& source : files.rewards) {
      matrices_.push_back(read_sparse_matrix(*source));
      const SparseMatrix& matrix = matrices_.back();
      const bool is_of_pairs = files.rewards.size() == 1 && matrix.row_count == states &&
                               matrix.column_count == actions && !(states == 1 && actions == 1);
      if (is_of_pairs) {
        take_pairs(matrix);
        matrices_.clear();
        return;
      }
    }
    const bool are_whole = matrices_.size() == files.probabilities.size();
    for (std::size_t n = 0; n < matrices_.size(); ++n) {
      const std::int64_t rows = files.probabilities.size() == 1 ? states * actions : states;
      if (are_whole && matrices_[n].row_count == rows && matrices_[n].column_count == states) {
        continue;
      }
      refuse_shape(fmt::format("{} matrices, of ({}, {}) here", matrices_.size(),
                               matrices_[n].row_count, matrices_[n].column_count));
    }
  }

  double of_row(std::int64_t row) const {
    return of_row_.empty() ? 0 : of_row_[static_cast<std::size_t>(row)];
  }

  /// To the transitions of a row, by their successors.
  void give(std::int64_t state, std::int64_t action, std::vector<Transition>& transitions) {
    if (matrices_.empty()) return;
    const bool is_one = matrices_.size() == 1 && actions_ != 1;
    const SparseMatrix& matrix = matrices_[is_one ? 0 : static_cast<std::size_t>(action)];
    const auto row = static_cast<std::size_t>(is_one ? state * actions_ + action : state);
    entries_.clear();
    for (auto n = matrix.begin[row]; n < matrix.begin[row + 1]; ++n) {
      const auto at = static_cast<std::size_t>(n);
      entries_.emplace_back(matrix.column[at], matrix.value[at]);
    }
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (Transition& transition : transitions) {
      auto entry = std::lower_bound(
          entries_.begin(), entries_.end(), transition.successor,
          [](const auto& one, std::int32_t successor) { return one.first < successor; });
      for (; entry != entries_.end() && entry->first == transition.successor; ++entry) {
        transition.reward += entry->second;  // scipy's own sum of what stands twice
      }
    }
  }

 private:
  [[noreturn]] void refuse_shape(const std::string& has) const {
    throw InputError(fmt::format(
        "{}: the rewards are {}; with {} states and {} actions they must be ({}, {}), or of the "
        "shape of what is beside them",
        name_, has, states_, actions_, states_, actions_));
  }

  void take_array(const ByteSource& source) {
    const NumpyArray array(source.read(0, source.size()), source.name());
    const auto& shape = array.shape();
    const auto states = static_cast<std::uint64_t>(states_);
    const auto actions = static_cast<std::uint64_t>(actions_);
    const bool is_of_rows = (shape.size() == 2 && shape[0] == states && shape[1] == actions) ||
                            (shape.size() == 1 && shape[0] == states * actions);
    const bool is_of_states = shape.size() == 1 && shape[0] == states;
    if (!is_of_rows && !is_of_states) {
      refuse_shape(fmt::format("an array of the shape ({})", fmt::join(shape, ", ")));
    }
    of_row_ = array.numbers();
    if (is_of_rows) return;
    std::vector<double> of_states = std::move(of_row_);
    of_row_.clear();
    for (const double one : of_states) of_row_.insert(of_row_.end(), actions, one);
  }

  void take_pairs(const SparseMatrix& matrix) {
    of_row_.assign(static_cast<std::size_t>(states_ * actions_), 0);
    for (std::int64_t state = 0; state < states_; ++state) {
      const auto s = static_cast<std::size_t>(state);
      for (auto n = matrix.begin[s]; n < matrix.begin[s + 1]; ++n) {
        const auto at = static_cast<std::size_t>(n);
        of_row_[static_cast<std::size_t>(state * actions_ + matrix.column[at])] += matrix.value[at];
      }
    }
  }

  std::int64_t states_;
  std::int64_t actions_;
  std::string name_;
  std::vector<double> of_row_;  // or empty
  std::vector<SparseMatrix> matrices_;
  std::vector<std::pair<std::int32_t, double>> entries_;
};

struct Extent {
  std::int64_t states;
  std::int64_t actions;
};

Extent judge_shapes(const NumpyFiles& files, const std::vector<SparseMatrix>& matrices) {
  const SparseMatrix& first = matrices.front();
  const std::int64_t states = first.column_count;
  const bool is_one = matrices.size() == 1;
  std::int64_t entries = 0;
  for (std::size_t n = 0; n < matrices.size(); ++n) {
    const SparseMatrix& matrix = matrices[n];
    const bool fits = states > 0 && matrix.row_count > 0 && matrix.column_count == states &&
                      (is_one ? matrix.row_count % states == 0 : matrix.row_count == states);
    if (!fits) {
      throw InputError(fmt::format(
          "{}: is of the shape ({}, {}); it must be {}", files.probabilities[n]->name(),
          matrix.row_count, matrix.column_count,
          is_one ? "(states · actions, states)" : fmt::format("({0}, {0}) as the first", states)));
    }
    entries += static_cast<std::int64_t>(matrix.value.size());
  }
  const std::int64_t actions =
      is_one ? first.row_count / states : static_cast<std::int64_t>(matrices.size());
  if (actions > std::numeric_limits<std::int32_t>::max() - 1) {
    throw InputError(
        fmt::format("{}: has {} actions, too many", files.probabilities[0]->name(), actions));
  }
  require_rows_in_proportion(files.probabilities.front()->name(), states, actions, entries);
  return {states, actions};
}

}  // namespace

fs::path numpy_stem(const fs::path& path) {
  fs::path stem = path;
  stem.replace_extension();
  if (action_of(path)) stem.replace_extension();
  return stem;
}

NumpyFiles open_numpy_files(const fs::path& path) {
  const fs::path stem = numpy_stem(path);
  const auto action = action_of(path);
  NumpyFiles files;
  if (action) {
    files.probabilities = open_numbered(stem, 'P');
    const auto count = static_cast<std::int64_t>(files.probabilities.size());
    if (count <= *action && is_there(path)) {
      throw InputError(fmt::format("{}: {} is not there; actions are numbered from 0 on",
                                   path.string(),
                                   beside(stem, fmt::format(".P{}.npz", count)).string()));
    }
  }
  if (files.probabilities.empty()) {
    files.probabilities.push_back(std::make_unique<ByteSource>(path));
  }
  std::vector<std::string> forms;
  for (const char* ending : {".R.npy", ".R.npz", ".R0.npz"}) {
    if (is_there(beside(stem, ending))) forms.push_back(beside(stem, ending).string());
  }
  if (forms.size() > 1) {
    throw InputError(fmt::format("{}: has rewards in two forms beside it, {} and {}; remove one",
                                 path.string(), forms[0], forms[1]));
  }
  if (forms.empty()) return files;
  if (forms.front().ends_with(".R0.npz")) {
    files.rewards = open_numbered(stem, 'R');
  } else {
    files.rewards.push_back(std::make_unique<ByteSource>(fs::path(forms.front())));
  }
  return files;
}

template <class Real>
DecisionProcess<Real> read_numpy_process(const NumpyFiles& files, bool keep_rewards) {
  std::vector<SparseMatrix> matrices;
  for (const auto& source : files.probabilities) matrices.push_back(read_sparse_matrix(*source));
  const Extent extent = judge_shapes(files, matrices);
  NumpyRewards rewards(files, extent.states, extent.actions);
  RowWriter<Real> writer(static_cast<std::int32_t>(extent.states),
                         static_cast<std::int32_t>(extent.actions), keep_rewards);
  std::int64_t entries = 0;
  for (const SparseMatrix& matrix : matrices) entries += matrix.begin.back();
  writer.reserve(entries);
  std::vector<Transition> transitions;
  for (std::int64_t state = 0; state < extent.states; ++state) {
    for (std::int64_t action = 0; action < extent.actions; ++action) {
      const bool is_one = matrices.size() == 1;
      const auto which = static_cast<std::size_t>(is_one ? 0 : action);
      const SparseMatrix& matrix = matrices[which];
      const auto row = static_cast<std::size_t>(is_one ? state * extent.actions + action : state);
      const double reward = rewards.of_row(state * extent.actions + action);
      transitions.clear();
      constexpr double never = -std::numeric_limits<double>::infinity();
      for (auto n = matrix.begin[row]; n < matrix.begin[row + 1] && reward != never; ++n) {
        const auto at = static_cast<std::size_t>(n);
        if (matrix.value[at] != 0) {
          transitions.push_back({matrix.column[at], matrix.value[at], 0});
        }
      }
      rewards.give(state, action, transitions);
      const std::string fault = writer.add_row(transitions, transitions.empty() ? 0 : reward);
      if (!fault.empty()) {
        throw InputError(fmt::format("{}: state {}, action {}: {}",
                                     files.probabilities[which]->name(), state, action, fault));
      }
    }
  }
  return writer.finish();
}

template DecisionProcess<float> read_numpy_process(const NumpyFiles&, bool);
template DecisionProcess<double> read_numpy_process(const NumpyFiles&, bool);

}  // namespace tidewise::mdp
