#include "base/parallel/communicator.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/parse_number.h"

namespace tidewise {
namespace {

// These tags are above those of callers.
constexpr int broadcast_tag = 32001;
constexpr int gather_tag = 32002;

/// The integer ≥ 0 in an environment variable; nullopt if there is none.
std::optional<int> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return {};
  const auto number = parse_number<int>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

std::optional<int> first_number(std::initializer_list<const char*> variables) {
  for (const char* variable : variables) {
    if (const auto number = number_in(variable)) return number;
  }
  return {};
}

}  // namespace

Launch find_launch() {
  // The variables of OpenMPI's mpirun, of the PMI of MPICH and Slurm, and of a Slurm step. Those of
  // a Slurm job are set for its script, too, and are not read.
  const auto rank = first_number({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"});
  const auto size = first_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"});
  if (!size || *size < 2) return {};
  return {*size, rank.value_or(0)};
}

void Communicator::exchange_data(const std::vector<Exchange>& exchanges, int tag) {
  for (const Exchange& exchange : exchanges)
    send(exchange.with, tag, {exchange.given, exchange.size});
  for (const Exchange& exchange : exchanges) {
    const std::vector<std::byte> bytes = receive(exchange.with, tag);
    if (bytes.size() != exchange.size) {
      throw RunError("two ranks disagree on the number of bytes that they exchange");
    }
    std::copy(bytes.begin(), bytes.end(), exchange.taken);
  }
}

void Communicator::broadcast(std::vector<std::byte>& bytes, int root) {
  if (rank() != root) {
    bytes = receive(root, broadcast_tag);
    return;
  }
  for (int to = 0; to < size(); ++to) {
    if (to != root) send(to, broadcast_tag, bytes);
  }
}

std::vector<std::vector<std::byte>> Communicator::gather(View<const std::byte> bytes, int root) {
  if (rank() != root) {
    send(root, gather_tag, bytes);
    return {};
  }
  std::vector<std::vector<std::byte>> gathered;
  for (int from = 0; from < size(); ++from) {
    if (from == root) {
      gathered.emplace_back(bytes.begin(), bytes.end());
    } else {
      gathered.push_back(receive(from, gather_tag));
    }
  }
  return gathered;
}

std::unique_ptr<Communicator> make_lone_communicator() {
  return std::move(make_thread_communicators(1).front());
}

}  // namespace tidewise
