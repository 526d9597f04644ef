/*
 * Answers questions about a policy, line by line, on a backseat computer.
 *
 *   policy_daemon POLICY [--slocum TIME,LAT,LON,HEADING[,STATUS]] [--declination DEGREES]
 *
 * It reads JSON on standard input and writes JSON on standard output:
 *   {"time": "2024-10-29T12:00Z", "lon": -125.8, "lat": 47.2}
 *   {"status": "ok", "code": 0, "bearing": 33.446, "magnetic": null, "heading": 0.981748,
 *    "speed": 0.5, "value": null, "level": 7}
 * A time is a date in ISO 8601, in UTC unless it names an offset; seconds since 1970; or a number
 * in the policy's time units. A place is "lon" and "lat", or "x" and "y". The answer to any other
 * line has a code of 100 or more (enum bad_question) and "message", which states what to send.
 * --declination, the degrees by which magnetic north lies east of true north, adds "magnetic", the
 * bearing from magnetic north.
 *
 * With --slocum it also exchanges sentences with a Slocum glider's external controller: $SD,index:
 * value… gives sensors, $SW,index:value… sets them, each with *HH, the exclusive or of the bytes
 * between. The indices are those of the glider's extctl.ini, counted from 0 over its sections mp,
 * os and is: of m_present_time, m_lat and m_lon (both as degrees and minutes, DDMM.mm), and of the
 * heading [rad from north, clockwise] and the status' code. A heading is sent if there is one,
 * after subtracting --declination. See docs/fly/onboard.md.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tidewise_policy.h"

enum { TIME, LAT, LON, HEADING, STATUS, INDICES };

struct session {
  struct tw_policy policy;
  long index[INDICES]; /* of the sensors; -1: not used */
  double known[3];     /* time, latitude and longitude as last received; NaN before that */
  double declination;  /* [degrees], east positive; NaN: unknown */
};

static int read_file(void* file, uint64_t offset, void* to, uint32_t count) {
  return fseek((FILE*)file, (long)offset, SEEK_SET) != 0 ||
         fread(to, 1, count, (FILE*)file) != count;
}

/* Codes of answers to invalid questions; those of tw_policy_status are below 100. */
enum bad_question {
  LINE_TOO_LONG = 100,
  NO_JSON = 101,         /* not one flat object */
  NO_TIME = 102,         /* "time" is missing or null */
  BAD_TIME = 103,        /* neither a number nor a date */
  TIME_IS_NO_DATE = 104, /* a date, but the policy has none */
  NO_PLACE = 105,
  HALF_PLACE = 106, /* one of two coordinates */
  TWO_PLACES = 107, /* both pairs */
  BAD_NUMBER = 108  /* a coordinate is not a number */
};

enum member { AT_TIME, AT_LON, AT_LAT, AT_X, AT_Y, MEMBERS };

/* The value of a member of a question. */
struct value {
  enum { ABSENT, NUMBER, TEXT, OTHER } kind;
  double number;
  const char* text; /* between the quotes */
  size_t length;
};

static const char* behind_spaces(const char* at) { return at + strspn(at, " \t\r\n"); }

/* Reads the text in quotes that begins at `at`. Returns the position after it, or null. Escape
 * sequences are not decoded. */
static const char* read_text(const char* at, struct value* value) {
  const char* end = at + 1;
  if (*at != '"') return NULL;
  while (*end != '"' && *end != '\0') end += *end == '\\' && end[1] != '\0' ? 2 : 1;
  if (*end != '"') return NULL;
  value->kind = TEXT;
  value->text = at + 1;
  value->length = (size_t)(end - at - 1);
  return end + 1;
}

static const char* read_value(const char* at, struct value* value) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const size_t digits = strspn(at, "0123456789+-.eE");
  const size_t word = strspn(at, letters);
  char* end;
  if (*at == '"') return read_text(at, value);
  if (word > 0) { /* true and false are JSON; NaN and Infinity are extensions of some programs */
    value->kind = word == 4 && strncmp(at, "null", 4) == 0 ? ABSENT : OTHER;
    return at + word;
  }
  value->number = strtod(at, &end);
  value->kind = NUMBER;
  return digits > 0 && *at != '+' && *at != '.' && end == at + digits ? end : NULL;
}

/* Reads the members of one flat JSON object. Returns 0 for any other line. */
static int read_question(const char* line, struct value* members) {
  static const char* const names[MEMBERS] = {"time", "lon", "lat", "x", "y"};
  const char* at = behind_spaces(line + 1);
  int n;
  for (n = 0; n < MEMBERS; ++n) members[n].kind = ABSENT;
  if (*at == '}') return *behind_spaces(at + 1) == '\0';
  for (;;) {
    struct value name, value = {ABSENT, 0, NULL, 0};
    at = read_text(at, &name);
    if (at == NULL) return 0;
    at = behind_spaces(at);
    if (*at != ':') return 0;
    at = read_value(behind_spaces(at + 1), &value);
    if (at == NULL) return 0;
    for (n = 0; n < MEMBERS; ++n) {
      if (name.length == strlen(names[n]) && strncmp(name.text, names[n], name.length) == 0) {
        members[n] = value;
      }
    }
    at = behind_spaces(at);
    if (*at == '}') return *behind_spaces(at + 1) == '\0';
    if (*at != ',') return 0;
    at = behind_spaces(at + 1);
  }
}

/* Reads `count` digits as a number. Returns -1 if there are fewer. */
static int read_digits(const char** at, int count) {
  int value = 0;
  for (; count > 0; --count, ++*at) {
    if (**at < '0' || **at > '9') return -1;
    value = 10 * value + (**at - '0');
  }
  return value;
}

/* Days since 1970-01-01 in the Gregorian calendar. */
static long days_since_1970(int year, int month, int day) {
  const long y = month > 2 ? year : year - 1; /* its year begins in March */
  const long in_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return 365 * y + y / 4 - y / 100 + y / 400 + in_year - 719468;
}

/* Seconds since 1970 of YYYY-MM-DD[(T| )HH:MM[:SS[.f]]][Z|+HH[:]MM|-HH[:]MM]; else
 * NaN. */
static double read_date(const struct value* text) {
  static const int month_days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const char* at = text->text;
  const char* const end = text->text + text->length; /* the closing quote */
  int year, month, day, hour = 0, minute = 0;
  double second = 0;
  long offset = 0; /* [minutes] */
  year = read_digits(&at, 4);
  if (year < 0 || *at++ != '-') return (double)NAN;
  month = read_digits(&at, 2);
  if (month < 1 || month > 12 || *at++ != '-') return (double)NAN;
  day = read_digits(&at, 2);
  if (day < 1 || day > month_days[month - 1] +
                           (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))) {
    return (double)NAN;
  }
  if (*at == 'T' || *at == 't' || *at == ' ') {
    ++at;
    hour = read_digits(&at, 2);
    if (hour < 0 || hour > 23 || *at++ != ':') return (double)NAN;
    minute = read_digits(&at, 2);
    if (minute < 0 || minute > 59) return (double)NAN;
    if (*at == ':') {
      double part = 0.1;
      int whole;
      ++at;
      whole = read_digits(&at, 2);
      if (whole < 0 || whole > 59) return (double)NAN;
      second = whole;
      if (*at == '.') {
        ++at;
        if (*at < '0' || *at > '9') return (double)NAN;
        for (; *at >= '0' && *at <= '9'; ++at, part /= 10) second += part * (*at - '0');
      }
    }
  }
  if (*at == 'Z' || *at == 'z') {
    ++at;
  } else if (*at == '+' || *at == '-') {
    const int sign = *at++ == '-' ? -1 : 1;
    const int hours = read_digits(&at, 2);
    int minutes;
    if (*at == ':') ++at;
    minutes = read_digits(&at, 2);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return (double)NAN;
    offset = sign * (60L * hours + minutes);
  }
  if (at != end) return (double)NAN;
  return 86400.0 * (double)days_since_1970(year, month, day) +
         60.0 * (double)(60L * hour + minute - offset) + second;
}

static void print_member(const char* name, double value, const char* format) {
  printf(", \"%s\": ", name);
  if (value >= -1e300 && value <= 1e300) {
    printf(format, value);
  } else {
    printf("null");
  }
}

static double magnetic_bearing(const struct session* s, double bearing) {
  const double magnetic = bearing - s->declination;
  return magnetic < 0 ? magnetic + 360 : magnetic >= 360 ? magnetic - 360 : magnetic;
}

static double below_full_turn(double bearing) { return bearing >= 359.9995 ? 0 : bearing; }

/* Prints an answer. `action`: null for an invalid question; then `message` states what to send. */
static void answer(const struct session* s, const char* status, int code,
                   const struct tw_policy_action* action, const char* message) {
  printf("{\"status\": \"%s\", \"code\": %d", status, code);
  print_member("bearing", action ? below_full_turn(action->bearing) : (double)NAN, "%.3f");
  print_member("magnetic",
               action ? below_full_turn(magnetic_bearing(s, action->bearing)) : (double)NAN,
               "%.3f");
  print_member("heading", action ? action->heading : (double)NAN, "%.6f");
  print_member("speed", action ? action->speed : (double)NAN, "%.6g");
  print_member("value", action ? action->value : (double)NAN, "%.6g");
  print_member("level", action && action->level != UINT32_MAX ? (double)action->level : (double)NAN,
               "%.0f");
  if (message != NULL) printf(", \"message\": \"%s\"", message);
  printf("}\n");
}

static void refuse(const struct session* s, enum bad_question code) {
  static const struct {
    const char *status, *message;
  } words[] = {{"line too long", "send at most 4094 bytes a line"},
               {"no JSON object", "send one object a line, without objects or arrays in it"},
               {"no time", "send \\\"time\\\", a date or a number of seconds"},
               {"bad time", "send \\\"time\\\" as 2024-10-29T12:00Z or as a number of seconds"},
               {"time is no date",
                "the policy has no dates: send \\\"time\\\" as a number, as its plan has"},
               {"no place", "send \\\"lon\\\" and \\\"lat\\\", or \\\"x\\\" and \\\"y\\\""},
               {"half a place",
                "send both coordinates, \\\"lon\\\" and \\\"lat\\\" or \\\"x\\\" and \\\"y\\\""},
               {"two places", "send either \\\"lon\\\" and \\\"lat\\\" or \\\"x\\\" and \\\"y\\\""},
               {"bad number", "send coordinates as numbers, without quotes"}};
  answer(s, words[code - LINE_TOO_LONG].status, (int)code, NULL,
         words[code - LINE_TOO_LONG].message);
}

static void answer_json(const struct session* s, const char* line) {
  struct value m[MEMBERS];
  struct tw_policy_action action;
  enum tw_policy_status status;
  double time;
  int n, geographic, plane;
  if (!read_question(line, m)) {
    refuse(s, NO_JSON);
    return;
  }
  time = m[AT_TIME].kind == TEXT ? read_date(&m[AT_TIME]) : m[AT_TIME].number;
  geographic = (m[AT_LON].kind != ABSENT) + (m[AT_LAT].kind != ABSENT);
  plane = (m[AT_X].kind != ABSENT) + (m[AT_Y].kind != ABSENT);
  if (m[AT_TIME].kind == ABSENT) {
    refuse(s, NO_TIME);
  } else if (m[AT_TIME].kind == OTHER || time != time) {
    refuse(s, BAD_TIME);
  } else if (m[AT_TIME].kind == TEXT && (s->policy.flags & TW_POLICY_HAS_DATES) == 0) {
    refuse(s, TIME_IS_NO_DATE);
  } else if (geographic + plane == 0) {
    refuse(s, NO_PLACE);
  } else if (geographic > 0 && plane > 0) {
    refuse(s, TWO_PLACES);
  } else if (geographic + plane == 1) {
    refuse(s, HALF_PLACE);
  } else {
    for (n = AT_LON; n < MEMBERS; ++n) {
      if (m[n].kind != ABSENT && m[n].kind != NUMBER) {
        refuse(s, BAD_NUMBER);
        return;
      }
    }
    status =
        geographic > 0
            ? tw_policy_act_lonlat(&s->policy, m[AT_LON].number, m[AT_LAT].number, time, &action)
            : tw_policy_act_xy(&s->policy, m[AT_X].number, m[AT_Y].number, time, &action);
    answer(s, tw_policy_text(status), (int)status, &action, NULL);
  }
}

static unsigned checksum(const char* from, const char* to) {
  unsigned sum = 0;
  while (from < to) sum ^= (unsigned char)*from++;
  return sum;
}

/* DDMM.mm in degrees: 4703.5 is 47 degrees and 3.5 minutes, -12530 is 125.5 degrees west. */
static double degrees(double value) {
  const double whole = value >= -1e6 && value <= 1e6 ? (double)(long)(value / 100) : (double)NAN;
  return whole + (value - 100 * whole) / 60;
}

static void answer_sensors(struct session* s, const char* line) {
  const char* star = strchr(line, '*');
  const char* at = line + 3; /* after "$SD" */
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
    const double heading =
        s->declination == s->declination ? magnetic_bearing(s, action.bearing) : action.bearing;
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

/* Reads four or five numbers, each 0 or more. Returns 0 for any other text. */
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

/* Reads one line. Returns 0 at the end. `whole`: 0 for a line that is too long; its rest is
 * skipped. */
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
          "[--declination DEGREES]\n");
  return 2;
}

int main(int count, char** words) {
  static struct session s; /* needs no heap and little stack */
  static char line[4096];
  FILE* file;
  enum tw_policy_status status;
  long size;
  int n, whole;
  for (n = 0; n < INDICES; ++n) s.index[n] = -1;
  for (n = 0; n < 3; ++n) s.known[n] = (double)NAN;
  s.declination = (double)NAN;
  if (count < 2 || count % 2 != 0) return usage();
  for (n = 2; n < count; n += 2) {
    if (strcmp(words[n], "--declination") == 0) {
      char* end;
      s.declination = strtod(words[n + 1], &end);
      if (end == words[n + 1] || *end != '\0' || !(s.declination >= -180 && s.declination <= 180))
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
      refuse(&s, LINE_TOO_LONG);
    } else if (*text == '{') {
      answer_json(&s, text);
    } else if (*text == '$') {
      if (s.index[TIME] >= 0 && strncmp(text, "$SD,", 4) == 0) answer_sensors(&s, text);
      if (s.index[TIME] < 0) refuse(&s, NO_JSON);
    } else if (*text != '\0') {
      refuse(&s, NO_JSON);
    }
    fflush(stdout); /* the caller waits for the answer */
  }
  fclose(file);
  return 0;
}
