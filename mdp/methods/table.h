#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// The function of a method, for one precision or both.
template <class Real>
using SolveFunction = ProcessSolution<Real> (*)(const DecisionProcess<Real>&, const SolveOptions&,
                                                Progress&);
using SolveFunctions = std::tuple<SolveFunction<float>, SolveFunction<double>>;

/// Properties of a method, for solve_process(), the command line, the library and Python.
struct MethodRow {
  Method method;
  std::string_view name;
  SolveFunctions host = {};
  SolveFunctions device = {};
  std::vector<std::string_view> options = {};  ///< options of the command line specific to it
  std::string_view host_alone = {};  ///< why no GPU supports it, and the remedy; else empty
  bool has_fixed_point = true;
};

/// All methods in the order of listings; first Method::automatic, which has no functions.
const std::vector<MethodRow>& method_rows();
const MethodRow& row_of(Method method);

}  // namespace tidewise::mdp
