#include "mdp/api/named_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/methods/table.h"
#include "mdp/process/options.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

template <class Number>
std::string take_number(std::string_view text, Number& number) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) {
    return fmt::format("{} is beyond {}", text, std::numeric_limits<Number>::max());
  }
  if (error == std::errc() && rest == text.data() + text.size()) return {};
  return fmt::format("{} is no {}", in_quotes(text),
                     std::is_integral_v<Number> ? "whole number" : "number");
}

template <class Number>
constexpr const char* kind_of() {
  if (std::is_floating_point_v<Number>) return "FLOAT";
  return std::is_unsigned_v<Number> ? "UINT" : "INT";
}

// Returns the variable that an option sets.
template <class T>
T& variable(NamedRequest& request, T ReadRequest::*member) {
  return request.read.*member;
}
template <class T>
T& variable(NamedRequest& request, T SolverOptions::*member) {
  return request.solver.*member;
}
template <class T>
T& variable(NamedRequest& request, T BlockOptions::*member) {
  return request.solver.blocks.*member;
}
template <class T>
T& variable(NamedRequest& request, T QLearningOptions::*member) {
  return request.solver.q_learning.*member;
}

template <class Number, class Owner>
NamedOption number(std::string_view name, OptionUse use, Number Owner::*member,
                   std::string_view description) {
  NamedRequest defaults;
  return {name,
          use,
          kind_of<Number>(),
          {},
          description,
          [member](std::string_view text, NamedRequest& request) {
            return take_number(text, variable(request, member));
          },
          fmt::format("{}", variable(defaults, member))};
}

std::string not_among(std::string_view text, const std::vector<std::string_view>& words) {
  return fmt::format("{} is not one of {}", in_quotes(text), fmt::join(words, ", "));
}

template <class Choice>
using Words = std::vector<std::pair<std::string_view, Choice>>;

template <class Choice, class Owner>
NamedOption choice(std::string_view name, OptionUse use, Choice Owner::*member,
                   const Words<Choice>& words, std::string_view description) {
  NamedOption option{name, use, "", {}, description, {}};
  NamedRequest defaults;
  for (const auto& [word, value] : words) {
    option.words.push_back(word);
    if (variable(defaults, member) == value) option.default_value = word;
  }
  option.take = [member, words, names = option.words](std::string_view text,
                                                      NamedRequest& request) -> std::string {
    for (const auto& [word, value] : words) {
      if (word != text) continue;
      variable(request, member) = value;
      return {};
    }
    return not_among(text, names);
  };
  return option;
}

std::vector<NamedOption> reading_options() {
  return {{"gamma",
           OptionUse::reading,
           "FLOAT",
           {},
           "Discount, replaces the model's",
           [](std::string_view text, NamedRequest& request) {
             return take_number(text, request.read.discount.emplace());
           }},
          choice("minimize", OptionUse::reading, &ReadRequest::direction,
                 Words<Direction>{{"false", Direction::maximize}, {"true", Direction::minimize}},
                 "Minimize: rewards are costs"),
          {"target",
           OptionUse::reading,
           "LIST",
           {},
           "Terminal states: labels and numbers, comma-separated",
           [](std::string_view text, NamedRequest& request) -> std::string {
             request.read.target = text;
             return {};
           }},
          choice("goal", OptionUse::reading, &ReadRequest::goal,
                 Words<Goal>{{"reward", Goal::reward}, {"probability", Goal::probability}},
                 "Maximize the total reward, or the probability of the target"),
          {"initial",
           OptionUse::reading,
           "SOLUTION",
           {},
           "Start from the values of this solution",
           [](std::string_view text, NamedRequest& request) -> std::string {
             request.solver.first_value = read_solution_values(text).value;
             return {};
           }}};
}

std::vector<NamedOption> method_options() {
  constexpr auto use = OptionUse::method;
  Words<Method> methods;
  for (const MethodRow& row : method_rows()) methods.emplace_back(row.name, row.method);
  Words<Evaluator> evaluators;
  for (const auto evaluator :
       {Evaluator::automatic, Evaluator::serial, Evaluator::cuda, Evaluator::block,
        Evaluator::cusparse, Evaluator::sweeps, Evaluator::krylov}) {
    evaluators.emplace_back(name_of(evaluator), evaluator);
  }
  const std::vector<std::string_view> stops{"error", "relative", "change", "policy"};
  const NamedOption stop{
      "stop",
      use,
      "",
      stops,
      "When to end: the value is known to be within --tolerance of the optimum (with a discount of "
      "1: or within that share of it, if finer), or within that share of each state's value, or a "
      "sweep changes every value by less, or (policy-iteration) the policy is stable, each "
      "evaluated until a sweep changes every value by less",
      [stops](std::string_view text, NamedRequest& request) -> std::string {
        if (std::find(stops.begin(), stops.end(), text) == stops.end()) {
          return not_among(text, stops);
        }
        request.solver.stop = text == "change"   ? StoppingRule::change
                              : text == "policy" ? StoppingRule::policy
                                                 : StoppingRule::error;
        request.solver.error_measure =
            text == "relative" ? ErrorMeasure::relative : ErrorMeasure::automatic;
        return {};
      },
      "error"};
  NamedOption horizon = number("horizon", use, &SolverOptions::horizon, "backward: steps");
  horizon.kind = "STEPS";
  horizon.default_value.clear();
  return {
      choice("method", use, &SolverOptions::method, methods, "Solution method"),
      choice("evaluator", use, &SolverOptions::evaluator, evaluators,
             "Policy evaluation: policy-iteration's serial (on the CPU), cuda or cusparse (on "
             "a GPU), or block (on a GPU a block of threads per state); inexact-policy-iteration's "
             "sweeps, or krylov (BiCGSTAB), where auto takes the second if the first are slow"),
      choice("layout", use, &SolverOptions::layout,
             Words<FusedLayout>{{"auto", FusedLayout::automatic},
                                {"rows", FusedLayout::rows},
                                {"sliced", FusedLayout::sell},
                                {"packed", FusedLayout::packed}},
             "fused, backward: layout of the model in memory (sliced: on a GPU)"),
      stop,
      choice("endings", use, &SolverOptions::endings,
             Words<Endings>{{"sure", Endings::sure}, {"free", Endings::free}},
             "With a discount of 1, admissible policies: those that surely terminate, or also "
             "those that loop for ever without reward or cost (default: sure with "
             "--target, else free). States without one have the value -inf, or inf for costs; by "
             "default "
             "they are refused, but not with --target and --minimize"),
      number("tolerance", use, &SolverOptions::tolerance, "Tolerance of the value"),
      number("max-sweeps", use, &SolverOptions::max_sweeps,
             "Limit of sweeps; with --stop policy, of each evaluation"),
      horizon,
      number("agents", use, &QLearningOptions::agents, "q-learning: agents"),
      number("steps", use, &QLearningOptions::steps, "q-learning: steps of each agent"),
      number("seed", use, &QLearningOptions::seed, "q-learning: seed of random numbers"),
  };
}

std::vector<NamedOption> machine_options() {
  constexpr auto use = OptionUse::machine;
  return {
      choice("precision", use, &SolverOptions::precision,
             Words<Precision>{{"float", Precision::float32}, {"double", Precision::float64}},
             "Precision of probabilities and values"),
      choice("backend", use, &SolverOptions::backend,
             Words<BackendChoice>{{"auto", BackendChoice::automatic},
                                  {"cpu", BackendChoice::cpu},
                                  {"cuda", BackendChoice::cuda}},
             "Backend"),
      number("devices", use, &SolverOptions::device, "Number of the GPU"),
      number("threads", use, &SolverOptions::threads, "CPU threads; 0: all cores"),
  };
}

std::vector<NamedOption> settings() {
  constexpr auto use = OptionUse::setting;
  return {
      choice("block-divided.variant", use, &BlockOptions::variant,
             Words<BlockVariant>{{"plain", BlockVariant::plain},
                                 {"buffering", BlockVariant::buffering},
                                 {"prioritising", BlockVariant::prioritising},
                                 {"both", BlockVariant::both}},
             "Variant"),
      number("block-divided.states", use, &BlockOptions::states, "States per block; 0: 256"),
      number("block-divided.sweeps", use, &BlockOptions::sweeps,
             "Sweeps within a block per launch"),
      number("block-divided.states-per-thread", use, &BlockOptions::states_per_thread,
             "prioritising: states per thread"),
      number("block-divided.changed-states", use, &BlockOptions::changed_states,
             "prioritising: states that a thread changes per sweep; 0: as many as it has"),
      number("q-learning.episode-steps", use, &QLearningOptions::episode_steps,
             "Steps of an episode"),
      number("q-learning.learning-rate", use, &QLearningOptions::learning_rate,
             "Initial learning rate"),
      number("q-learning.learning-decay", use, &QLearningOptions::learning_decay,
             "Decay of the learning rate by visits"),
      number("q-learning.exploration", use, &QLearningOptions::exploration,
             "Initial share of random actions"),
      number("q-learning.exploration-end", use, &QLearningOptions::exploration_end,
             "Final share of random actions"),
      number("q-learning.exploration-decrement", use, &QLearningOptions::exploration_decrement,
             "Decrease of the share of random actions per step; 0: geometric"),
      number("q-learning.averaged-share", use, &QLearningOptions::averaged_share,
             "Last share of steps over which Q is averaged"),
      choice(
          "q-learning.begin", use, &QLearningOptions::begins,
          Words<EpisodeStart>{{"random", EpisodeStart::random}, {"initial", EpisodeStart::initial}},
          "First state of an episode"),
  };
}

/// True if an option belongs to this method. The name of a setting begins with the method.
bool belongs_to(const MethodRow& row, std::string_view name) {
  if (std::find(row.options.begin(), row.options.end(), name) != row.options.end()) return true;
  const std::size_t dot = name.find('.');
  return dot != std::string_view::npos && name.substr(0, dot) == row.name;
}

}  // namespace

const std::vector<NamedOption>& named_options() {
  static const std::vector<NamedOption> options = [] {
    std::vector<NamedOption> all;
    for (auto part : {reading_options(), method_options(), machine_options(), settings()}) {
      std::move(part.begin(), part.end(), std::back_inserter(all));
    }
    return all;
  }();
  return options;
}

void set_option(NamedRequest& request, std::string_view name, std::string_view value,
                std::optional<OptionUse> use) {
  std::vector<std::string_view> names;
  for (const NamedOption& option : named_options()) {
    if (use && option.use != *use) continue;
    names.push_back(option.name);
    if (option.name != name) continue;
    const std::string fault = option.take(value, request);
    if (!fault.empty()) throw input_error(errors::solve_option_invalid, name, fault);
    request.given.push_back(option.name);
    return;
  }
  throw input_error(errors::solve_option_unknown, in_quotes(name), fmt::join(names, ", "));
}

void settle_method(NamedRequest& request) {
  Method& method = request.solver.method;
  const auto& given = request.given;
  const bool has_layout = std::find(given.begin(), given.end(), "layout") != given.end();
  if (method == Method::automatic && has_layout) method = Method::fused;
  if (method == Method::automatic && request.solver.stop == StoppingRule::policy) {
    method = Method::policy_iteration;
  }
  const MethodRow& chosen = row_of(method);
  for (const MethodRow& row : method_rows()) {
    for (const std::string_view name : given) {
      if (!belongs_to(row, name) || belongs_to(chosen, name)) continue;
      throw input_error(errors::option_of_other_method, name, row.name, chosen.name);
    }
  }
}

}  // namespace tidewise::mdp
