/*
 * Finite Markov decision processes from C: read a model, solve it, read value and policy.
 * C99, C11 and C++. Link Tidewise::mdp, or use 'pkg-config --libs tidewise-mdp'.
 * Example: examples/library/solve.c. C++ programs take <tidewise/process.h>.
 *
 * Models and solutions are immutable: several threads may read and solve them at the same time.
 * Only one thread at a time may use an options object. Pointers that functions return are valid
 * until their object is freed. Functions that free accept a null pointer.
 */
#ifndef TIDEWISE_MDP_H
#define TIDEWISE_MDP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Result of a function. */
enum tw_mdp_status {
  TW_MDP_OK = 0,
  TW_MDP_INPUT_ERROR = 1, /* a file, an option or an argument is wrong */
  TW_MDP_RUN_ERROR = 2,   /* the input is right, but the work failed: disk full, GPU lost */
  TW_MDP_NO_MEMORY = 3
};

/* Result of a solve, as tidewise::mdp::Outcome. */
enum tw_mdp_outcome {
  TW_MDP_WITHIN_TOLERANCE = 0,
  TW_MDP_LIMITED_BY_ROUNDING = 1, /* rounding keeps the bounds too wide; more sweeps do not help */
  TW_MDP_GAVE_UP = 2,             /* more sweeps may help */
  TW_MDP_ENDLESS = 3              /* a discount of 1: rewards are gained without end */
};

struct tw_mdp_options;  /* options of reading and solving */
struct tw_mdp_model;    /* a model that was read */
struct tw_mdp_solution; /* the result of a solve */

/* One line about the last function of this thread that failed: what is wrong, what to do and, for
 * wrong input, a code in brackets. Empty before the first failure. Valid until the next failure. */
const char* tw_mdp_error(void);

/* Creates options with the default values. Null: no memory. */
struct tw_mdp_options* tw_mdp_new_options(void);
/* Sets an option by name and text. The names are those of 'tidewise research solve' without dashes,
 * and of its --set, except out, overwrite, value and set. Examples: "method", "gauss-seidel";
 * "gamma", "0.99"; "minimize", "true"; "block-divided.variant", "both". */
enum tw_mdp_status tw_mdp_set(struct tw_mdp_options* options, const char* name, const char* value);
/* Frees options. */
void tw_mdp_free_options(struct tw_mdp_options* options);

/* Reads a model in a format of docs/mdp/formats.md. Uses the options gamma, minimize, target and
 * goal; options may be null. Stores the model, or null after an error. */
enum tw_mdp_status tw_mdp_read(const char* path, const struct tw_mdp_options* options,
                               struct tw_mdp_model** model);
/* Number of states. */
int32_t tw_mdp_state_count(const struct tw_mdp_model* model);
/* Largest number of actions of a state. */
int32_t tw_mdp_action_count(const struct tw_mdp_model* model);
/* Discount factor, in [0, 1]. */
double tw_mdp_discount(const struct tw_mdp_model* model);
/* Frees a model. Solutions of it stay valid. */
void tw_mdp_free_model(struct tw_mdp_model* model);

/* Solves a model. Uses all options except those of reading; options may be null. Stores the
 * solution, also if it did not converge, or null after an error. */
enum tw_mdp_status tw_mdp_solve(const struct tw_mdp_model* model,
                                const struct tw_mdp_options* options,
                                struct tw_mdp_solution** solution);
/* Result of the solve. */
enum tw_mdp_outcome tw_mdp_outcome_of(const struct tw_mdp_solution* solution);
/* Reason why the tolerance was not reached, in one line; empty if it was. */
const char* tw_mdp_shortfall(const struct tw_mdp_solution* solution);
/* Name of the method that found the solution, as on the command line. */
const char* tw_mdp_method(const struct tw_mdp_solution* solution);
/* Number of sweeps. */
int64_t tw_mdp_sweeps(const struct tw_mdp_solution* solution);
/* The value of each state [reward], (state). */
const double* tw_mdp_value(const struct tw_mdp_solution* solution);
/* The best action of each state, from 0; -1 in terminal states, (state). */
const int32_t* tw_mdp_policy(const struct tw_mdp_solution* solution);
/* Bounds of the optimal value of each state [reward], rounding included, (state). */
const double* tw_mdp_lower(const struct tw_mdp_solution* solution);
const double* tw_mdp_upper(const struct tw_mdp_solution* solution);
/* Writes the solution as 'tidewise research solve' does, as .h5 or .txt. */
enum tw_mdp_status tw_mdp_write(const struct tw_mdp_model* model,
                                const struct tw_mdp_solution* solution, const char* path);
/* Frees a solution. */
void tw_mdp_free_solution(struct tw_mdp_solution* solution);

#ifdef __cplusplus
}
#endif

#endif /* TIDEWISE_MDP_H */
