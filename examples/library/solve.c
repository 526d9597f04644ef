/* Solves a model in a file and prints value, policy and bounds of its first states:
 *   solve_file MODEL [NAME=VALUE...]
 * Options are those of 'tidewise research solve', e.g. method=gauss-seidel. */
#include <stdio.h>
#include <string.h>
#include <tidewise/mdp.h>

static int fail(const char* subject) {
  fprintf(stderr, "%s: %s\n", subject, tw_mdp_error());
  return 1;
}

static int set(struct tw_mdp_options* options, const char* word) {
  char name[64];
  const char* const sign = strchr(word, '=');
  if (sign == NULL || (size_t)(sign - word) >= sizeof name) {
    fprintf(stderr, "%s: is not NAME=VALUE\n", word);
    return 1;
  }
  memcpy(name, word, (size_t)(sign - word));
  name[sign - word] = '\0';
  return tw_mdp_set(options, name, sign + 1) == TW_MDP_OK ? 0 : fail(word);
}

static void print_states(const struct tw_mdp_model* model, const struct tw_mdp_solution* solution) {
  const double* const value = tw_mdp_value(solution);
  const int32_t count = tw_mdp_state_count(model);
  int32_t state;
  printf("%s: %s\n", tw_mdp_method(solution),
         tw_mdp_outcome_of(solution) == TW_MDP_WITHIN_TOLERANCE ? "within the tolerance"
                                                                : tw_mdp_shortfall(solution));
  for (state = 0; state < count && state < 5; ++state) {
    printf("state %d: action %d, value %.4f, the optimum is from %.4f to %.4f\n", (int)state,
           (int)tw_mdp_policy(solution)[state], value[state], tw_mdp_lower(solution)[state],
           tw_mdp_upper(solution)[state]);
  }
}

int main(int argc, char** argv) {
  struct tw_mdp_options* const options = tw_mdp_new_options();
  struct tw_mdp_model* model = NULL;
  struct tw_mdp_solution* solution = NULL;
  int failed = options == NULL || argc < 2;
  int n;
  if (argc < 2) fprintf(stderr, "usage: solve_file MODEL [NAME=VALUE...]\n");
  for (n = 2; n < argc && !failed; ++n) failed = set(options, argv[n]);
  if (!failed && tw_mdp_read(argv[1], options, &model) != TW_MDP_OK) failed = fail(argv[1]);
  if (!failed && tw_mdp_solve(model, options, &solution) != TW_MDP_OK) failed = fail("solve");
  if (!failed) print_states(model, solution);
  tw_mdp_free_solution(solution);
  tw_mdp_free_model(model);
  tw_mdp_free_options(options);
  return failed;
}
