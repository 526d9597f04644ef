/*
 * Answers what to do, line by line: the backseat computer's half of a policy on board.
 *
 *   policy_daemon POLICY [--slocum TIME,LAT,LON,HEADING[,STATUS]] [--variation DEGREES]
 *
 * Asked in JSON on standard input, it answers in JSON on standard output:
 *   {"time": 1730203200, "lon": -125.8, "lat": 47.2}       or "x" and "y" in place of "lon" and
 * "lat"
 *   {"status": "ok", "code": 0, "bearing": 33.446, "heading": 0.981748, "speed": 0.5, "value":
 * null, "level": 7}
 *
 * With --slocum it also speaks the words of a Slocum glider's external controller: $SD,index:value…
 * tells sensors, $SW,index:value… sets them, each with *HH, the exclusive or of what stands
 * between. The indices are those of the glider's extctl.ini, counted from 0 over its sections mp,
 * os and is: of m_present_time, m_lat and m_lon (both as degrees and minutes, DDMM.mm), and of what
 * takes the heading [rad from north, clockwise] and the status' code. A heading is sent where there
 * is one, less --variation, the degrees by which the compass points east of true north. See
 * docs/fly/onboard.md.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tidewise_policy.h"

enum { TIME, LAT, LON, HEADING, STATUS, INDICES };

struct session {
  struct tw_policy policy;
  long index[INDICES]; /* of the sensors; -1: not used */
  double known[3];     /* time, latitude and longitude as last told; NaN before that */
  double variation;    /* [degrees] */
};

static int read_file(void* file, uint64_t offset, void* to, uint32_t count) {
  return fseek((FILE*)file, (long)offset, SEEK_SET) != 0 ||
         fread(to, 1, count, (FILE*)file) != count;
}

/* The number that follows "name": in a line that holds one flat object of JSON; NaN without one. */
static double member(const char* line, const char* name) {
  const size_t length = strlen(name);
  const char* at;
  for (at = strchr(line, '"'); at != NULL; at = strchr(at + 1, '"')) {
    const char* end = at + 1 + strcspn(at + 1, "\"\\"); /* of the text that begins here */
    const char* colon = *end == '"' ? end + 1 + strspn(end + 1, " \t") : end;
    if (*end == '\\' || *end == '\0') return (double)NAN;
    if (*colon == ':' && (size_t)(end - at - 1) == length && strncmp(at + 1, name, length) == 0) {
      char* behind;
      const double number = strtod(colon + 1, &behind);
      return behind == colon + 1 ? (double)NAN : number;
    }
    at = end;
  }
  return (double)NAN;
}

static void print_member(const char* name, double value, const char* form) {
  printf(", \"%s\": ", name);
  if (value >= -1e300 && value <= 1e300) {
    printf(form, value);
  } else {
    printf("null");
  }
}

static void answer_json(const struct session* s, const char* line) {
  const double time = member(line, "time"), lon = member(line, "lon"), lat = member(line, "lat");
  struct tw_policy_action action;
  const enum tw_policy_status status =
      lon == lon || lat == lat
          ? tw_policy_act_lonlat(&s->policy, lon, lat, time, &action)
          : tw_policy_act_xy(&s->policy, member(line, "x"), member(line, "y"), time, &action);
  printf("{\"status\": \"%s\", \"code\": %d", tw_policy_text(status), (int)status);
  print_member("bearing", action.bearing >= 359.9995 ? 0 : action.bearing, "%.3f");
  print_member("heading", action.heading, "%.6f");
  print_member("speed", action.speed, "%.6g");
  print_member("value", action.value, "%.6g");
  print_member("level", action.level == UINT32_MAX ? (double)NAN : action.level, "%.0f");
  printf("}\n");
}

static unsigned checksum(const char* from, const char* to) {
  unsigned sum = 0;
  while (from < to) sum ^= (unsigned char)*from++;
  return sum;
}

/* 4703.5 is 47 degrees and 3.5 minutes, -12530 is 125.5 degrees west. */
static double degrees(double value) {
  const double whole = value >= -1e6 && value <= 1e6 ? (double)(long)(value / 100) : (double)NAN;
  return whole + (value - 100 * whole) / 60;
}

static void answer_sensors(struct session* s, const char* line) {
  const char* star = strchr(line, '*');
  const char* at = line + 3; /* behind $SD */
  char words[96];
  int length = 0;
  struct tw_policy_action action;
  enum tw_policy_status status;
  if (star == NULL || strtoul(star + 1, NULL, 16) != checksum(line + 1, star)) {
    fprintf(stderr, "policy_daemon: a line whose checksum does not fit: %s", line);
    return;
  }
  while (at < star && *at == ',') {
    char *colon, *end;
    const long index = strtol(at + 1, &colon, 10);
    const double value = *colon == ':' ? strtod(colon + 1, &end) : (double)NAN;
    int n;
    for (n = TIME; n <= LON; ++n) {
      if (index == s->index[n] && *colon == ':' && end > colon + 1) s->known[n] = value;
    }
    at = strpbrk(at + 1, ",*");
  }
  if (!(s->known[TIME] == s->known[TIME] && s->known[LAT] == s->known[LAT] &&
        s->known[LON] == s->known[LON]))
    return;
  status = tw_policy_act_lonlat(&s->policy, degrees(s->known[LON]), degrees(s->known[LAT]),
                                s->known[TIME], &action);
  if (status == TW_POLICY_OK && action.bearing == action.bearing) {
    double heading = action.bearing - s->variation;
    heading += heading < 0 ? 360 : heading >= 360 ? -360 : 0;
    length += snprintf(words, sizeof words, ",%ld:%.5f", s->index[HEADING],
                       heading * 0.017453292519943295);
  }
  if (s->index[STATUS] >= 0) {
    length += snprintf(words + length, sizeof words - (size_t)length, ",%ld:%d", s->index[STATUS],
                       (int)status);
  }
  if (length == 0) return;
  printf("$SW%s*%02X\r\n", words, checksum(words, words + length) ^ 'S' ^ 'W');
}

/* Four or five numbers from 0 on, and nothing else. */
static int read_indices(const char* text, long* index) {
  int n;
  for (n = 0; n < INDICES; ++n) {
    char* end;
    index[n] = strtol(text, &end, 10);
    if (end == text || index[n] < 0 || index[n] > 99999) return 0;
    if (*end == '\0') return n >= HEADING;
    if (*end != ',') return 0;
    text = end + 1;
  }
  return 0;
}

/* One line, and whether it was one: what is left of a line that is too long is passed over. */
static int read_line(char* line, int size, int* whole) {
  int c;
  if (fgets(line, size, stdin) == NULL) return 0;
  *whole = strchr(line, '\n') != NULL || feof(stdin);
  if (!*whole) {
    while ((c = getchar()) != '\n' && c != EOF) {
    }
  }
  return 1;
}

static int usage(void) {
  fprintf(stderr,
          "policy_daemon: write: policy_daemon POLICY [--slocum TIME,LAT,LON,HEADING[,STATUS]] "
          "[--variation DEGREES]\n");
  return 2;
}

int main(int count, char** words) {
  static struct session s; /* no heap, and little of the stack */
  static char line[4096];
  FILE* file;
  enum tw_policy_status status;
  long size;
  int n, whole;
  for (n = 0; n < INDICES; ++n) s.index[n] = -1;
  for (n = 0; n < 3; ++n) s.known[n] = (double)NAN;
  if (count < 2 || count % 2 != 0) return usage();
  for (n = 2; n < count; n += 2) {
    if (strcmp(words[n], "--variation") == 0) {
      char* end;
      s.variation = strtod(words[n + 1], &end);
      if (end == words[n + 1] || *end != '\0' || !(s.variation >= -180 && s.variation <= 180))
        return usage();
    } else if (strcmp(words[n], "--slocum") != 0 || !read_indices(words[n + 1], s.index)) {
      return usage();
    }
  }
  file = fopen(words[1], "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
    fprintf(stderr, "policy_daemon: %s: cannot be read\n", words[1]);
    return 2;
  }
  status = tw_policy_open_reader(&s.policy, read_file, file, (uint64_t)size);
  if (status == TW_POLICY_OK) status = tw_policy_check(&s.policy);
  if (status != TW_POLICY_OK) {
    fprintf(stderr, "policy_daemon: %s: %s\n", words[1], tw_policy_text(status));
    return 2;
  }
  while (read_line(line, (int)sizeof line, &whole)) {
    const char* text = line + strspn(line, " \t\r\n");
    if (!whole) {
      printf("{\"status\": \"line too long\"}\n");
    } else if (*text == '{') {
      answer_json(&s, text);
    } else if (*text == '$') {
      if (s.index[TIME] >= 0 && strncmp(text, "$SD,", 4) == 0) answer_sensors(&s, text);
    } else if (*text != '\0') {
      printf("{\"status\": \"no question\"}\n");
    }
    fflush(stdout); /* whoever asked waits for it */
  }
  fclose(file);
  return 0;
}
