#include "mdp/file/listed.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "mdp/file/process_listing.h"
#include "mdp/file/transition_rewards.h"
#include "mdp/text/file_text.h"
#include "mdp/text/line_reader.h"
#include "mdp/text/state_ids.h"
#include "mdp/text/text_output.h"

namespace tidewise::mdp {
namespace {

template <class Real>
class ListedProcessReader {
 public:
  ListedProcessReader(ByteStream& bytes, const ReadOptions& options)
      : lines_(bytes),
        listing_(bytes.name(), options.transition_rewards == TransitionRewards::keep) {}

  DecisionProcess<Real> read() {
    while (lines_.next()) take_line();
    require_none_left("actions", actions_left_, "A", state_line_);
    require_none_left("divergences", divergences_left_, "D", action_line_);
    return listing_.finish();
  }

 private:
  /// Splits the line at its colons into `count` fields, the letter among them.
  void split(std::size_t count, const char* form) {
    std::string_view rest = lines_.text();
    for (std::size_t n = 0; n < count; ++n) {
      const auto colon = rest.find(':');
      const bool is_last = n + 1 == count;
      if (is_last != (colon == std::string_view::npos)) {
        lines_.refuse(fmt::format("{} is not of the form {}", in_quotes(lines_.text()), form));
      }
      field_[n] = trimmed(rest.substr(0, colon));
      if (field_[n].empty()) {
        lines_.refuse(fmt::format("{} lacks a field of {}", in_quotes(lines_.text()), form));
      }
      if (!is_last) rest.remove_prefix(colon + 1);
    }
  }

  double number(std::size_t n, const char* what) const {
    const auto value = to_number(field_[n]);
    if (!value) lines_.refuse(fmt::format("the {} {} is no number", what, in_quotes(field_[n])));
    return *value;
  }

  std::int64_t count(std::size_t n, const char* what) const {
    const auto value = to_integer(field_[n]);
    if (!value || *value < 0) {
      lines_.refuse(
          fmt::format("the number of {} {} is no integer from 0 on", what, in_quotes(field_[n])));
    }
    return *value;
  }

  void require_none_left(const char* what, std::int64_t left, const char* letter,
                         std::int64_t line) const {
    if (left == 0) return;
    lines_.refuse_at(
        line, fmt::format("{} more {} are claimed than {} lines follow", left, what, letter));
  }

  void take_line() {
    const std::string_view text = lines_.text();
    const char letter = text.size() > 1 && text[1] == ':' ? text[0] : '\0';
    if (letter == 'S') {
      take_state();
    } else if (letter == 'A') {
      take_action();
    } else if (letter == 'D') {
      take_divergence();
    } else {
      lines_.refuse(fmt::format("{} begins with none of S:, A: and D:", in_quotes(text)));
    }
  }

  void take_state() {
    split(4, "S:id:value:actions");
    require_none_left("divergences", divergences_left_, "D", action_line_);
    require_none_left("actions", actions_left_, "A", state_line_);
    const double value = number(2, "value");
    if (!std::isfinite(static_cast<Real>(value))) lines_.refuse("its value is too large");
    actions_left_ = count(3, "actions");
    state_line_ = lines_.number();
    listing_.begin_state(field_[1], value, state_line_);
  }

  void take_action() {
    split(3, "A:id:divergences");
    require_none_left("divergences", divergences_left_, "D", action_line_);
    if (state_line_ == 0) lines_.refuse("an action comes before any state");
    if (actions_left_ == 0) {
      lines_.refuse(
          fmt::format("this is one action more than the state of line {} claims", state_line_));
    }
    --actions_left_;
    divergences_left_ = count(2, "divergences");
    action_line_ = lines_.number();
    listing_.begin_action(field_[1], action_line_);
  }

  void take_divergence() {
    split(4, "D:successor:probability:reward");
    if (divergences_left_ == 0) {
      lines_.refuse(action_line_ == 0
                        ? std::string("a divergence comes before any action")
                        : fmt::format("this is one divergence more than the action of line {} "
                                      "claims",
                                      action_line_));
    }
    --divergences_left_;
    listing_.add_transition(field_[1], number(2, "probability"), number(3, "reward"),
                            lines_.number());
  }

  LineReader lines_;
  ProcessListing<Real> listing_;
  std::array<std::string_view, 4> field_;
  std::int64_t actions_left_ = 0;
  std::int64_t divergences_left_ = 0;
  std::int64_t state_line_ = 0;
  std::int64_t action_line_ = 0;
};

}  // namespace

template <class Real>
DecisionProcess<Real> read_listed_process(ByteStream& bytes, const ReadOptions& options) {
  DecisionProcess<Real> process = ListedProcessReader<Real>(bytes, options).read();
  apply_discount(options, process);
  return process;
}

template <class Real>
void write_listed_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                          Progress& progress) {
  const StateIds ids(process.state_names, process.state_count, ":#");
  TextOutput text(path, &progress);
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    std::int32_t actions = 0;
    for (std::int32_t a = 0; a < process.action_count; ++a) {
      if (process.is_allowed(process.row(s, a))) ++actions;
    }
    const Real value =
        process.initial_value.empty() ? Real{0} : process.initial_value[std::size_t(s)];
    text.put("S:{}:{}:{}\n", ids.id(s), value, actions);
    for (std::int32_t a = 0; a < process.action_count; ++a) {
      const std::int64_t row = process.row(s, a);
      if (!process.is_allowed(row)) continue;
      const auto begin = process.row_begin[std::size_t(row)];
      const auto end = process.row_begin[std::size_t(row) + 1];
      text.put("A:{}:{}\n", a, end - begin);
      const RowRewards<Real> rewards(process, row);
      for (auto n = begin; n < end; ++n) {
        text.put("D:{}:{}:{}\n", ids.id(process.successor[std::size_t(n)]),
                 process.probability[std::size_t(n)], rewards.of(n));
      }
    }
  }
  text.finish();
}

template DecisionProcess<float> read_listed_process(ByteStream&, const ReadOptions&);
template DecisionProcess<double> read_listed_process(ByteStream&, const ReadOptions&);
template void write_listed_process(const std::filesystem::path&, const DecisionProcess<float>&,
                                   Progress&);
template void write_listed_process(const std::filesystem::path&, const DecisionProcess<double>&,
                                   Progress&);

}  // namespace tidewise::mdp
