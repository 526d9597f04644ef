#include "solver/subdomains/gather.h"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "solver/subdomains/tags.h"

namespace tidewise {
namespace {

template <class T>
View<const std::byte> bytes_of(View<const T> values) {
  return {reinterpret_cast<const std::byte*>(values.data), values.size * sizeof(T)};
}

}  // namespace

SubdomainGather::SubdomainGather(Communicator& communicator, std::vector<RowWindow> windows,
                                 std::int32_t nx)
    : communicator_(communicator), windows_(std::move(windows)), nx_(static_cast<std::size_t>(nx)) {
  if (communicator.rank() != 0) return;
  const std::size_t cells = static_cast<std::size_t>(windows_.back().end) * nx_;
  action_.resize(cells);
  value_.resize(cells);
}

template <class T>
void SubdomainGather::place(int rank, View<const std::byte> rows, std::vector<T>& plane) const {
  const RowWindow& window = windows_[static_cast<std::size_t>(rank)];
  if (rows.size != static_cast<std::size_t>(window.size()) * nx_ * sizeof(T)) {
    throw std::logic_error("a band's rows of another size than its window");
  }
  std::memcpy(plane.data() + static_cast<std::size_t>(window.begin) * nx_, rows.data, rows.size);
}

void SubdomainGather::bring(View<const std::int16_t> action, View<const float> value) {
  if (communicator_.rank() != 0) {
    communicator_.send(0, gather_tag, bytes_of(action));
    communicator_.send(0, gather_tag, bytes_of(value));
    return;
  }
  place(0, bytes_of(action), action_);
  place(0, bytes_of(value), value_);
  for (int rank = 1; rank < static_cast<int>(windows_.size()); ++rank) {
    place(rank, communicator_.receive(rank, gather_tag), action_);
    place(rank, communicator_.receive(rank, gather_tag), value_);
  }
}

void SubdomainGather::hand_over(std::size_t leg, TimeLevel k, PolicySink& sink) const {
  sink.accept(leg, k, action_, value_);
}

}  // namespace tidewise
