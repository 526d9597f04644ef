#include "solver/subdomains/halo_exchange.h"

namespace tidewise {

std::vector<HaloSide> halo_sides(const RowWindow& window, int rank, std::int32_t nx) {
  const auto begin = [nx](std::int32_t row) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(nx);
  };
  const std::int32_t south = window.south_halo();
  const std::int32_t north = window.north_halo();
  const std::int32_t end = south + window.size();
  std::vector<HaloSide> sides;
  if (south > 0) sides.push_back({rank - 1, begin(south), 0, begin(south)});
  if (north > 0) sides.push_back({rank + 1, begin(end - north), begin(end), begin(north)});
  return sides;
}

void exchange_halos(Communicator& communicator, const std::vector<HaloSide>& sides,
                    View<float> value) {
  std::vector<Exchange> exchanges;
  for (const HaloSide& side : sides) {
    exchanges.push_back({side.neighbour,
                         reinterpret_cast<const std::byte*>(value.data + side.send_begin),
                         reinterpret_cast<std::byte*>(value.data + side.receive_begin),
                         side.count * sizeof(float)});
  }
  communicator.exchange_data(exchanges, halo_tag);
}

}  // namespace tidewise
