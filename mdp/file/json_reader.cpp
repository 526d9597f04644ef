#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/file/json.h"
#include "mdp/file/json_model_parser.h"
#include "mdp/process/row_writer.h"

namespace tidewise::mdp {
namespace {

/// Makes a process from the parsed model.
template <class Real>
class JsonAssembly {
 public:
  JsonAssembly(std::string file, JsonModel<Real> model, TransitionRewards transition_rewards)
      : file_(std::move(file)), model_(std::move(model)), transition_rewards_(transition_rewards) {}

  DecisionProcess<Real> assemble() {
    require_keys();
    rows_ = std::int64_t{*model_.states} * *model_.actions;
    require_shape(*model_.probabilities, "P");
    if (model_.rewards) require_shape(*model_.rewards, "R");
    require_size("row_rewards", model_.row_rewards ? model_.row_rewards->size() : 0, {rows_});
    require_size("initial_values", model_.initial_values.size(), {*model_.states});
    require_size("state_names", model_.state_names.size(), {*model_.states});
    require_size("action_names", model_.action_names.size(), {*model_.actions, rows_});
    DecisionProcess<Real> process = make_rows();
    if (model_.row_rewards) take_row_rewards(process);
    process.discount = model_.discount.value_or(1);
    process.initial_value = std::move(model_.initial_values);
    process.initial_state = model_.initial_state.value_or(0);
    if (process.initial_state >= process.state_count) {
      fail("initial_state", error_text(errors::json_initial_state_outside, process.initial_state,
                                       process.state_count));
    }
    process.state_names = std::move(model_.state_names);
    process.action_names = std::move(model_.action_names);
    take_labels(process);
    return process;
  }

 private:
  [[noreturn]] void fail(const std::string& path, const std::string& why) const {
    throw InputError(fmt::format("{}: {}: {}", file_, path, why));
  }

  void require_keys() const {
    const auto require = [&](bool exists, const char* key) {
      if (!exists) {
        throw input_error(errors::json_model_key_missing, file_, key);
      }
    };
    require(model_.states.has_value(), "S");
    require(model_.actions.has_value(), "A");
    require(model_.probabilities.has_value(), "P");
  }

  void require_size(const char* path, std::size_t size, std::initializer_list<std::int64_t> sizes) {
    if (size == 0) return;
    const auto is_equal = [&](std::int64_t wanted) {
      return static_cast<std::int64_t>(size) == wanted;
    };
    if (std::any_of(sizes.begin(), sizes.end(), is_equal)) return;
    fail(path, error_text(errors::array_length, size, *sizes.begin()));
  }

  /// Checks that are only possible after everything was read.
  void require_shape(const JsonMatrix<Real>& matrix, const std::string& name) const {
    const auto starts = static_cast<std::int64_t>(matrix.indptr.size());
    if (starts != rows_ + 1) {
      fail(name + ".indptr", error_text(errors::json_row_starts_length, starts, *model_.states,
                                        *model_.actions, rows_ + 1));
    }
    const auto entries = static_cast<std::int64_t>(matrix.indices.size());
    if (matrix.indptr.back() != entries) {
      fail(name + ".indptr",
           error_text(errors::json_row_starts_last, matrix.indptr.back(), entries));
    }
    if (matrix.data.size() != matrix.indices.size()) {
      fail(name + ".data", error_text(errors::json_data_length, matrix.data.size(), entries));
    }
    for (std::size_t n = 0; n < matrix.indices.size(); ++n) {
      if (matrix.indices[n] >= *model_.states) {
        fail(fmt::format("{}.indices[{}]", name, n),
             error_text(errors::json_state_outside, matrix.indices[n], *model_.states));
      }
    }
  }

  DecisionProcess<Real> make_rows() {
    JsonMatrix<Real>& p = *model_.probabilities;
    const bool keeps_transition_rewards =
        transition_rewards_ == TransitionRewards::keep && model_.rewards.has_value();
    RowWriter<Real> writer(*model_.states, *model_.actions, keeps_transition_rewards);
    writer.reserve(static_cast<std::int64_t>(p.indices.size()));
    std::vector<Transition> transitions;
    for (std::int64_t row = 0; row < rows_; ++row) {
      const auto index = static_cast<std::size_t>(row);
      const auto begin = static_cast<std::size_t>(p.indptr[index]);
      const auto end = static_cast<std::size_t>(p.indptr[index + 1]);
      transitions.clear();
      for (std::size_t n = begin; n < end; ++n) {
        transitions.push_back({p.indices[n], double(p.data[n]), 0});
      }
      if (model_.rewards) take_rewards(index, transitions);
      const std::string fault = writer.add_row(transitions);
      if (!fault.empty()) {
        fail(fmt::format("P.indptr[{}]", row),
             error_text(errors::row_invalid, row / *model_.actions, row % *model_.actions, fault));
      }
      p.indptr.release_before(index);
      p.indices.release_before(end);
      p.data.release_before(end);
    }
    return writer.finish();
  }

  void take_rewards(std::size_t row, std::vector<Transition>& transitions) {
    JsonMatrix<Real>& r = *model_.rewards;
    const auto begin = static_cast<std::size_t>(r.indptr[row]);
    const auto end = static_cast<std::size_t>(r.indptr[row + 1]);
    bool has_same_successors = end - begin == transitions.size();
    for (std::size_t n = 0; has_same_successors && n < transitions.size(); ++n) {
      has_same_successors = r.indices[begin + n] == transitions[n].successor;
    }
    if (has_same_successors) {
      for (std::size_t n = 0; n < transitions.size(); ++n) {
        transitions[n].reward = double(r.data[begin + n]);
      }
    } else {
      take_rewards_by_successor(begin, end, transitions);
    }
    r.indptr.release_before(row);
    r.indices.release_before(end);
    r.data.release_before(end);
  }

  void take_rewards_by_successor(std::size_t begin, std::size_t end,
                                 std::vector<Transition>& transitions) {
    const JsonMatrix<Real>& r = *model_.rewards;
    by_successor_.clear();
    for (std::size_t n = begin; n < end; ++n) by_successor_.emplace_back(r.indices[n], n);
    std::sort(by_successor_.begin(), by_successor_.end());
    for (std::size_t n = 1; n < by_successor_.size(); ++n) {
      const auto& [successor, entry] = by_successor_[n];
      if (by_successor_[n - 1].first != successor ||
          r.data[by_successor_[n - 1].second] == r.data[entry]) {
        continue;
      }
      fail(fmt::format("R.indices[{}]", entry), error_text(errors::json_second_reward, successor));
    }
    for (Transition& transition : transitions) {
      const auto match =
          std::lower_bound(by_successor_.begin(), by_successor_.end(),
                           std::pair<std::int32_t, std::size_t>(transition.successor, 0));
      if (match != by_successor_.end() && match->first == transition.successor) {
        transition.reward = double(r.data[match->second]);
      }
    }
  }

  void take_row_rewards(DecisionProcess<Real>& process) {
    for (std::int64_t row = 0; row < rows_; ++row) {
      const auto index = static_cast<std::size_t>(row);
      if (process.is_allowed(row)) process.reward[index] = (*model_.row_rewards)[index];
    }
  }

  void take_labels(DecisionProcess<Real>& process) {
    for (StateLabel& label : model_.labels) {
      for (std::size_t n = 0; n < label.states.size(); ++n) {
        if (label.states[n] < process.state_count) continue;
        fail(fmt::format("labels.{}[{}]", label.name, n),
             error_text(errors::json_state_outside, label.states[n], process.state_count));
      }
      std::sort(label.states.begin(), label.states.end());
      label.states.erase(std::unique(label.states.begin(), label.states.end()), label.states.end());
    }
    process.labels = std::move(model_.labels);
  }

  std::string file_;
  JsonModel<Real> model_;
  TransitionRewards transition_rewards_;
  std::int64_t rows_ = 0;
  std::vector<std::pair<std::int32_t, std::size_t>> by_successor_;  // entries of a row of R
};

}  // namespace

template <class Real>
DecisionProcess<Real> read_json_process(ByteStream& bytes, const ReadOptions& options) {
  JsonModel<Real> model = parse_json_model<Real>(bytes);
  DecisionProcess<Real> process =
      JsonAssembly<Real>(bytes.name(), std::move(model), options.transition_rewards).assemble();
  apply_discount(options, process);
  return process;
}

template DecisionProcess<float> read_json_process(ByteStream&, const ReadOptions&);
template DecisionProcess<double> read_json_process(ByteStream&, const ReadOptions&);

}  // namespace tidewise::mdp
