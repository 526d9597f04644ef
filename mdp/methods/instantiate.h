#pragma once

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

/// Makes a method, a function template of the form of those in mdp/methods/functions.h, for float
/// and double.
#define TIDEWISE_INSTANTIATE_METHOD(method)                                                    \
  template ProcessSolution<float> method(const DecisionProcess<float>&, const SolveOptions&,   \
                                         Progress&);                                           \
  template ProcessSolution<double> method(const DecisionProcess<double>&, const SolveOptions&, \
                                          Progress&);
