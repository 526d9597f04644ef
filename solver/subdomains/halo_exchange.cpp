#include "solver/subdomains/halo_exchange.h"

#include <cstring>
#include <stdexcept>

#include "solver/subdomains/tags.h"

namespace tidewise {

MessageHaloExchange::MessageHaloExchange(Communicator& communicator,
                                         const std::vector<RowWindow>& windows, std::int32_t nx)
    : communicator_(communicator), nx_(static_cast<std::size_t>(nx)) {
  const int rank = communicator.rank();
  const RowWindow& own = windows.at(static_cast<std::size_t>(rank));
  const auto rows = [&](std::int32_t begin, std::int32_t end) {
    return Rows{static_cast<std::size_t>(begin - own.known_begin) * nx_,
                static_cast<std::size_t>(end - begin) * nx_};
  };
  if (rank > 0) {
    const RowWindow& south = windows[static_cast<std::size_t>(rank) - 1];
    neighbours_.push_back(
        {rank - 1, rows(own.begin, south.known_end), rows(own.known_begin, own.begin)});
  }
  if (rank + 1 < static_cast<int>(windows.size())) {
    const RowWindow& north = windows[static_cast<std::size_t>(rank) + 1];
    neighbours_.push_back(
        {rank + 1, rows(north.known_begin, own.end), rows(own.end, own.known_end)});
  }
}

void MessageHaloExchange::exchange(View<float> value) {
  for (const Neighbour& neighbour : neighbours_) {
    const View<float> rows = value.part(neighbour.wanted.begin, neighbour.wanted.size);
    communicator_.send(neighbour.rank, halo_tag,
                       {reinterpret_cast<const std::byte*>(rows.data), rows.size * sizeof(float)});
  }
  for (const Neighbour& neighbour : neighbours_) {
    const Message message = communicator_.receive(neighbour.rank, halo_tag);
    if (message.bytes.size() != neighbour.halo.size * sizeof(float)) {
      throw std::logic_error("a neighbour's rows of another size than the halo");
    }
    std::memcpy(value.data + neighbour.halo.begin, message.bytes.data(), message.bytes.size());
  }
}

}  // namespace tidewise
