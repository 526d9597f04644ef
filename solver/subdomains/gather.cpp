#include "solver/subdomains/gather.h"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "solver/subdomains/tags.h"

namespace tidewise {

SubdomainGather::SubdomainGather(Communicator& communicator, std::vector<RowWindow> windows,
                                 std::int32_t nx)
    : communicator_(communicator), windows_(std::move(windows)), nx_(static_cast<std::size_t>(nx)) {
  if (communicator.rank() != 0) return;
  const std::size_t cells = static_cast<std::size_t>(windows_.back().end) * nx_;
  action_.resize(cells);
  value_.resize(cells);
}

void SubdomainGather::give(View<const std::int16_t> action, View<const float> value) {
  const std::size_t value_bytes = value.size * sizeof(float);
  const std::size_t action_bytes = action.size * sizeof(std::int16_t);
  std::vector<std::byte> rows(value_bytes + action_bytes);
  std::memcpy(rows.data(), value.data, value_bytes);
  std::memcpy(rows.data() + value_bytes, action.data, action_bytes);
  if (communicator_.rank() == 0) {
    place(0, rows);
  } else {
    communicator_.send(0, gather_tag, rows);
  }
}

void SubdomainGather::place(int rank, const std::vector<std::byte>& rows) {
  const RowWindow& window = windows_[static_cast<std::size_t>(rank)];
  const std::size_t begin = static_cast<std::size_t>(window.begin) * nx_;
  const std::size_t cells = static_cast<std::size_t>(window.size()) * nx_;
  if (rows.size() != cells * (sizeof(float) + sizeof(std::int16_t))) {
    throw std::logic_error("a band's rows of another size than its window");
  }
  std::memcpy(value_.data() + begin, rows.data(), cells * sizeof(float));
  std::memcpy(action_.data() + begin, rows.data() + cells * sizeof(float),
              cells * sizeof(std::int16_t));
}

void SubdomainGather::collect() {
  for (int rank = 1; rank < static_cast<int>(windows_.size()); ++rank) {
    place(rank, communicator_.receive(rank, gather_tag).bytes);
  }
}

void SubdomainGather::hand_over(TimeLevel k, PolicySink& sink) const {
  sink.accept(k, action_, value_);
}

}  // namespace tidewise
