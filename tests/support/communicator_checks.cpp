#include "support/communicator_checks.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <string_view>

namespace tidewise::test {
namespace {

View<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::string name_of(int rank) { return "rank " + std::to_string(rank); }

/// Each rank sends to both neighbours before it receives, more than a network card can buffer.
void check_neighbours(Communicator& c) {
  const int above = (c.rank() + 1) % c.size();
  const int below = (c.rank() + c.size() - 1) % c.size();
  const std::string large(3'000'000, static_cast<char>('a' + c.rank() % 26));
  c.send(above, 1, bytes_of(large));
  c.send(below, 2, bytes_of(name_of(c.rank())));
  c.send(above, 1, {});
  EXPECT_EQ(text_of(c.receive(above, 2)), name_of(above));
  EXPECT_EQ(text_of(c.receive(below, 1)),
            std::string(3'000'000, static_cast<char>('a' + below % 26)));
  EXPECT_TRUE(c.receive(below, 1).empty());  // in the order of sending
}

/// Each rank of a chain exchanges data with its neighbours.
void check_exchanges(Communicator& c) {
  for (int round = 0; round < 20; ++round) {
    const std::string sent(static_cast<std::size_t>(1 + 40'000 * round),
                           static_cast<char>('a' + c.rank() % 26));
    std::string below(sent.size(), '.');
    std::string above(sent.size(), '.');
    std::vector<Exchange> exchanges;
    const auto add = [&](int other, std::string& received) {
      exchanges.push_back(
          {other, bytes_of(sent).data, reinterpret_cast<std::byte*>(received.data()), sent.size()});
    };
    if (c.rank() > 0) add(c.rank() - 1, below);
    if (c.rank() + 1 < c.size()) add(c.rank() + 1, above);
    c.exchange_data(exchanges, 9);
    const auto expected = [&](int rank) {
      return std::string(sent.size(), static_cast<char>('a' + rank % 26));
    };
    if (c.rank() > 0) {
      EXPECT_EQ(below, expected(c.rank() - 1));
    }
    if (c.rank() + 1 < c.size()) {
      EXPECT_EQ(above, expected(c.rank() + 1));
    }
  }
}

void check_all_together(Communicator& c) {
  const std::int64_t size = c.size();
  for (std::int64_t round = 0; round < 50; ++round) {
    const std::int64_t value = (std::int64_t{1} << 40) - round * c.rank();
    EXPECT_EQ(c.all_max(value), std::int64_t{1} << 40);
    EXPECT_EQ(c.all_max(-c.rank() - 1 - round), -1 - round);
    EXPECT_EQ(c.all_sum(c.rank() + round), size * (size - 1) / 2 + size * round);
  }
  for (int root = 0; root < c.size(); ++root) {
    std::vector<std::byte> bytes;
    const std::string text = "from " + name_of(root) + std::string(100'000, '.');
    if (c.rank() == root) bytes.assign(bytes_of(text).begin(), bytes_of(text).end());
    c.broadcast(bytes, root);
    EXPECT_EQ(text_of(bytes), text);
    const auto all = c.gather(bytes_of(name_of(c.rank())), root);
    ASSERT_EQ(all.size(), c.rank() == root ? static_cast<std::size_t>(c.size()) : 0u);
    for (int rank = 0; rank < static_cast<int>(all.size()); ++rank) {
      EXPECT_EQ(text_of(all[static_cast<std::size_t>(rank)]), name_of(rank));
    }
  }
}

}  // namespace

void check_communicator(Communicator& c) {
  EXPECT_GE(c.rank(), 0);
  EXPECT_LT(c.rank(), c.size());
  EXPECT_LT(c.local_rank(), c.local_size());
  EXPECT_LE(c.local_size(), c.size());
  check_all_together(c);
  check_neighbours(c);
  c.barrier();
  check_exchanges(c);
  c.barrier();
}

}  // namespace tidewise::test
