/* For LD_PRELOAD: limits a program to TIDEWISE_TEST_THREADS threads besides the first one. A limit
 * on processes would do the same, but does not apply to root. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct work {
  void* (*run)(void*);
  void* argument;
};

static atomic_int living;

static void leave(void* unused) {
  (void)unused;
  atomic_fetch_sub(&living, 1);
}

static void* begin(void* memory) {
  struct work work = *(struct work*)memory;
  void* result;
  free(memory);
  pthread_cleanup_push(leave, NULL);
  result = work.run(work.argument);
  pthread_cleanup_pop(1);
  return result;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  static int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  const char* limit = getenv("TIDEWISE_TEST_THREADS");
  struct work* work;
  int status;
  if (create == NULL) *(void**)&create = dlsym(RTLD_NEXT, "pthread_create");
  if (limit != NULL && atomic_fetch_add(&living, 1) >= atoi(limit)) {
    atomic_fetch_sub(&living, 1);
    return EAGAIN;
  }
  work = malloc(sizeof *work);
  if (work == NULL) return EAGAIN;
  work->run = run;
  work->argument = argument;
  status = create(thread, attributes, begin, work);
  if (status != 0) {
    atomic_fetch_sub(&living, 1);
    free(work);
  }
  return status;
}
