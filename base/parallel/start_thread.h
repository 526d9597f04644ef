#pragma once

#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace tidewise {

/// Threads that do work(0) … work(count − 1), which throws nothing: all of them or none, so that
/// none waits for one that was never started. Errors: RunError where the system starts no more.
[[nodiscard]] std::vector<std::jthread> start_threads(std::size_t count,
                                                      const std::function<void(std::size_t)>& work);

/// OpenMP ends the whole process, in its own words, where it cannot start a thread. So its threads
/// for the parallel regions of this thread are started here, once it is known that so many, and
/// `more` beside them, can be had. Errors: RunError where they cannot.
void prepare_threads(std::size_t threads, std::size_t more);

}  // namespace tidewise
