#pragma once

#include <cstddef>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tidewise {

/// Says that the system starts no more threads. Errors: RunError, always.
[[noreturn]] void refuse_thread(const std::system_error& reason);

/// A thread that does `work`. Errors: RunError where the system starts no more of them.
template <class Work>
std::thread start_thread(Work&& work) {
  try {
    return std::thread(std::forward<Work>(work));
  } catch (const std::system_error& reason) {
    refuse_thread(reason);
  }
}

/// Threads that do work(0) … work(count − 1), which throws nothing: all of them or none, so that
/// none waits for one that was never started. Errors: RunError where they cannot be had.
[[nodiscard]] std::vector<std::jthread> start_threads(std::size_t count,
                                                      const std::function<void(std::size_t)>& work);

/// OpenMP ends the whole process, in its own words, where it cannot start a thread. So its threads
/// for the parallel regions of this thread are started here, once it is known that so many, and
/// `more` beside them, can be had. Errors: RunError where they cannot.
void prepare_threads(std::size_t threads, std::size_t more);

}  // namespace tidewise
