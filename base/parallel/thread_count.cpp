#include "base/parallel/thread_count.h"

#include <omp.h>

#include <algorithm>
#include <thread>

#include "base/error.h"
#include "base/error_codes.h"
#include "base/parallel/start_thread.h"

namespace tidewise {
namespace {

// More threads than cores slow a run down, but only a little. They occur with mission files written
// for a larger machine, and in tests of many threads.
constexpr std::int32_t threads_per_core = 4;
constexpr std::int32_t always_allowed = 256;

}  // namespace

std::int32_t core_count() {
  return static_cast<std::int32_t>(std::max(1u, std::thread::hardware_concurrency()));
}

std::size_t reading_threads() {
  return static_cast<std::size_t>(std::clamp(core_count() / 2, 1, 6));
}

std::int32_t take_threads(std::int32_t requested, const std::string& place) {
  const std::int32_t cores = core_count();
  const std::int32_t limit = std::max(always_allowed, threads_per_core * cores);
  if (requested > limit) {
    throw input_error(errors::too_many_threads, place, requested, cores, limit);
  }
  const std::int32_t threads = requested > 0 ? requested : cores;
  prepare_threads(static_cast<std::size_t>(threads), reading_threads() + 1);
  return threads;
}

void take_default_threads() { (void)take_threads(omp_get_max_threads(), "OMP_NUM_THREADS"); }

}  // namespace tidewise
