#include "app/cli/backend_options.h"

#include <fmt/core.h>

#include "app/error/codes.h"
#include "base/error.h"
#include "base/parallel/thread_count.h"

namespace tidewise {

void add_backend_options(Command command, BackendRequest& request) {
  command.add_choice<BackendChoice>("--backend", request.backend, all_words<BackendChoice>(),
                                    "Backend; auto uses a GPU if there is one");
  command.add_option("--devices", request.device, "Which GPU").show_default();
  command.add_option("--threads", request.threads, "CPU threads; default or 0: all cores");
}

Backend take_backend(const BackendRequest& request) {
  const std::int32_t threads = request.threads.value_or(0);
  if (threads < 0) {
    throw input_error(errors::count_too_small, "--threads", threads, 1, ", or 0 for all cores");
  }
  if (request.device < 0) {
    throw input_error(errors::device_number_negative, request.device);
  }
  return take_backend(request, take_threads(threads, "--threads"), [](std::string_view member) {
    return fmt::format("--{}", member == "device" ? "devices" : member);
  });
}

}  // namespace tidewise
