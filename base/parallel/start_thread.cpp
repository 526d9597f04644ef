#include "base/parallel/start_thread.h"

#include <fmt/format.h>

#include <future>
#include <system_error>

#include "base/error.h"

namespace tidewise {

std::vector<std::jthread> start_threads(std::size_t count,
                                        const std::function<void(std::size_t)>& work) {
  std::promise<bool> all_started;
  const std::shared_future<bool> begin = all_started.get_future().share();
  std::vector<std::jthread> threads;
  threads.reserve(count);
  try {
    for (std::size_t n = 0; n < count; ++n) {
      threads.emplace_back([begin, work, n] {
        if (begin.get()) work(n);
      });
    }
  } catch (const std::system_error& reason) {
    all_started.set_value(false);
    throw RunError(
        fmt::format("a thread could not be started ({}); use fewer with --threads, or raise the "
                    "limit on processes (ulimit -u, or the container's)",
                    reason.code().message()));
  }
  all_started.set_value(true);
  return threads;
}

void prepare_threads(std::size_t threads, std::size_t more) {
  const std::size_t others = threads > 0 ? threads - 1 : 0;
  std::promise<void> end;
  const std::shared_future<void> ended = end.get_future().share();
  auto probes = start_threads(others + more, [ended](std::size_t) { ended.wait(); });
  end.set_value();
  probes.clear();  // waits for them
#pragma omp parallel num_threads(static_cast <int>(threads)) if (threads > 1)
  {
    // OpenMP keeps the threads that it starts here.
  }
}

}  // namespace tidewise
