#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

template <class Real>
using SolveFunction = ProcessSolution<Real> (*)(const DecisionProcess<Real>&, const SolveOptions&,
                                                Progress&);
using SolveFunctions = std::tuple<SolveFunction<float>, SolveFunction<double>>;

/// All that the door, the command line, the library and Python know of a method.
struct MethodRow {
  Method method;
  std::string_view name;
  SolveFunctions host = {};
  SolveFunctions device = {};
  std::vector<std::string_view> options = {};  ///< of the command line that others do not take
  std::string_view host_alone = {};  ///< why no GPU does it, and what to do; empty where one does
  bool has_fixed_point = true;
};

/// A row each, as they are listed for people; Method::automatic, which has no functions, first.
const std::vector<MethodRow>& method_rows();
const MethodRow& row_of(Method method);

}  // namespace tidewise::mdp
