#pragma once

#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace tidewise {

/// Starts `count` threads that run work(0) … work(count − 1): all or none, so that none waits for
/// one that was not started. `work` must not throw. Errors: RunError if the system refuses.
[[nodiscard]] std::vector<std::jthread> start_threads(std::size_t count,
                                                      const std::function<void(std::size_t)>& work);

/// Starts OpenMP's threads for parallel regions of this thread, after checking that they and `more`
/// further threads are available. Otherwise OpenMP would end the process with a message of its own
/// if it cannot start a thread. Errors: RunError if they are not available.
void prepare_threads(std::size_t threads, std::size_t more);

}  // namespace tidewise
