#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/error.h"
#include "mdp/api/named_options.h"
#include "mdp/error/codes.h"
#include "tidewise/mdp.h"
#include "tidewise/process.h"

namespace mdp = tidewise::mdp;

struct tw_mdp_options {
  mdp::NamedRequest request;
};
struct tw_mdp_model {
  mdp::Process process;
};
struct tw_mdp_solution {
  mdp::Solution solution;
  std::string method;
};

static_assert(int(TW_MDP_WITHIN_TOLERANCE) == int(mdp::Outcome::within_tolerance));
static_assert(int(TW_MDP_LIMITED_BY_ROUNDING) == int(mdp::Outcome::limited_by_rounding));
static_assert(int(TW_MDP_GAVE_UP) == int(mdp::Outcome::gave_up));
static_assert(int(TW_MDP_ENDLESS) == int(mdp::Outcome::endless));

namespace {

thread_local std::string last_error;

tw_mdp_status fail(tw_mdp_status status, const char* text) noexcept {
  try {
    last_error = text;
  } catch (...) {
    last_error.clear();
  }
  return status;
}

/// Runs `work` and converts exceptions to a status.
template <class Work>
tw_mdp_status guard(const Work& work) noexcept {
  try {
    work();
    return TW_MDP_OK;
  } catch (const tidewise::InputError& error) {
    return fail(TW_MDP_INPUT_ERROR, error.what());
  } catch (const std::bad_alloc&) {
    return fail(TW_MDP_NO_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return fail(TW_MDP_RUN_ERROR, error.what());
  } catch (...) {
    return fail(TW_MDP_RUN_ERROR, "an unknown failure");
  }
}

template <class T>
T& require(T* pointer, const char* what) {
  if (pointer == nullptr) throw tidewise::input_error(tidewise::errors::null_pointer, what);
  return *pointer;
}

mdp::NamedRequest request_of(const tw_mdp_options* options) {
  return options != nullptr ? options->request : mdp::NamedRequest{};
}

}  // namespace

extern "C" {

const char* tw_mdp_error(void) { return last_error.c_str(); }

tw_mdp_options* tw_mdp_new_options(void) {
  tw_mdp_options* options = nullptr;
  (void)guard([&] { options = new tw_mdp_options; });
  return options;
}

tw_mdp_status tw_mdp_set(tw_mdp_options* options, const char* name, const char* value) {
  return guard([&] {
    mdp::set_option(require(options, "options").request, &require(name, "name"),
                    &require(value, "value"));
  });
}

void tw_mdp_free_options(tw_mdp_options* options) { delete options; }

tw_mdp_status tw_mdp_read(const char* path, const tw_mdp_options* options, tw_mdp_model** model) {
  return guard([&] {
    require(model, "model") = nullptr;
    *model = new tw_mdp_model{mdp::Process::read(&require(path, "path"), request_of(options).read)};
  });
}

int32_t tw_mdp_state_count(const tw_mdp_model* model) { return model->process.state_count(); }
int32_t tw_mdp_action_count(const tw_mdp_model* model) { return model->process.action_count(); }
double tw_mdp_discount(const tw_mdp_model* model) { return model->process.discount(); }
void tw_mdp_free_model(tw_mdp_model* model) { delete model; }

tw_mdp_status tw_mdp_solve(const tw_mdp_model* model, const tw_mdp_options* options,
                           tw_mdp_solution** solution) {
  return guard([&] {
    require(solution, "solution") = nullptr;
    mdp::NamedRequest request = request_of(options);
    mdp::settle_method(request);
    auto result = std::make_unique<tw_mdp_solution>();
    result->solution = mdp::solve(require(model, "model").process, request.solver);
    result->method = result->solution.method;
    *solution = result.release();
  });
}

tw_mdp_outcome tw_mdp_outcome_of(const tw_mdp_solution* solution) {
  return static_cast<tw_mdp_outcome>(solution->solution.outcome);
}
const char* tw_mdp_shortfall(const tw_mdp_solution* solution) {
  return solution->solution.shortfall.c_str();
}
const char* tw_mdp_method(const tw_mdp_solution* solution) { return solution->method.c_str(); }
int64_t tw_mdp_sweeps(const tw_mdp_solution* solution) { return solution->solution.sweeps; }
const double* tw_mdp_value(const tw_mdp_solution* solution) {
  return solution->solution.value.data();
}
const int32_t* tw_mdp_policy(const tw_mdp_solution* solution) {
  return solution->solution.policy.data();
}
const double* tw_mdp_lower(const tw_mdp_solution* solution) {
  return solution->solution.min_value.data();
}
const double* tw_mdp_upper(const tw_mdp_solution* solution) {
  return solution->solution.max_value.data();
}

tw_mdp_status tw_mdp_write(const tw_mdp_model* model, const tw_mdp_solution* solution,
                           const char* path) {
  return guard([&] {
    mdp::write_solution(&require(path, "path"), require(model, "model").process,
                        require(solution, "solution").solution);
  });
}

void tw_mdp_free_solution(tw_mdp_solution* solution) { delete solution; }

}  // extern "C"
