/* Looks up a policy by x and y at each of its cells and levels, and by longitude and latitude at
 * random places. Prints the actions; the text must be the same on every processor. */
#include <stdio.h>
#include <stdlib.h>

#include "tidewise_policy.h"

static int read_file(void* file, uint64_t offset, void* to, uint32_t count) {
  return fseek((FILE*)file, (long)offset, SEEK_SET) != 0 ||
         fread(to, 1, count, (FILE*)file) != count;
}

static uint32_t random_state = 12345;
static double share(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return random_state / 4294967296.0;
}

static void print(const char* method, enum tw_policy_status status,
                  const struct tw_policy_action* a) {
  printf("%s %s", method, tw_policy_text(status));
  if (status == TW_POLICY_OK) {
    printf(" %lu %.5f %.5f %.4f %.6g", (unsigned long)a->action, a->heading, a->speed, a->bearing,
           a->value);
  }
  printf("\n");
}

int main(int count, char** words) {
  static struct tw_policy p;
  struct tw_policy_action a;
  const uint32_t every = count > 2 ? (uint32_t)atoi(words[2]) : 1u; /* uses one cell in `every` */
  FILE* file = count > 1 ? fopen(words[1], "rb") : NULL;
  long size;
  uint32_t k, j, i, n = 0;
  if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) return 2;
  if (tw_policy_open_reader(&p, read_file, file, (uint64_t)size) != TW_POLICY_OK) return 3;
  printf("checksum %s\n", tw_policy_text(tw_policy_check(&p)));
  printf("%lu levels %lu rows %lu columns %lu actions\n", (unsigned long)p.levels,
         (unsigned long)p.rows, (unsigned long)p.columns, (unsigned long)p.actions);
  for (k = 0; k < p.levels; ++k) {
    for (j = 0; j < p.rows; ++j) {
      for (i = 0; i < p.columns; ++i) {
        if (n++ % every != 0) continue;
        print("cell",
              tw_policy_act_xy(&p, p.x0 + (p.first_column + i) * p.dx,
                               p.y0 + (p.first_row + j) * p.dy, p.t0 + (p.first_level + k) * p.dt,
                               &a),
              &a);
      }
    }
  }
  for (n = 0; n < 1000; ++n) {
    const double longitude = p.centre_longitude * 57.295779513082321 + 8 * (share() - 0.5);
    const double latitude = 43 + 8 * (share() - 0.5);
    const double time = p.t0 + (share() * 1.2 - 0.1) * p.plan_levels * p.dt;
    print("place", tw_policy_act_lonlat(&p, longitude, latitude, time, &a), &a);
  }
  fclose(file);
  return 0;
}
