#include "support/run_ranks.h"

#include <fmt/format.h>

#include <thread>

#include "base/error.h"
#include "solver/subdomains/agreement.h"

namespace tidewise::test {

std::vector<std::string> run_ranks(int count, const std::function<void(Communicator&)>& work) {
  auto group = make_thread_communicators(count);
  std::vector<std::string> errors(group.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < group.size(); ++rank) {
      threads.emplace_back([&, rank] {
        try {
          work(*group[rank]);
        } catch (const HaloTooShort& error) {
          errors[rank] = fmt::format("halo: {}", error.needed());
        } catch (const InputError& error) {
          errors[rank] = fmt::format("input: {}", error.what());
        } catch (const std::exception& error) {
          errors[rank] = fmt::format("run: {}", error.what());
        }
      });
    }
  }
  return errors;
}

}  // namespace tidewise::test
