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

/// All send to both neighbours before any of them receives, more than a network card's buffers.
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
  EXPECT_TRUE(c.receive(below, 1).empty());  // in the order that they were sent in
}

/// In a chain, each with those next to it.
void check_trades(Communicator& c) {
  for (int round = 0; round < 20; ++round) {
    const std::string own(static_cast<std::size_t>(1 + 40'000 * round),
                          static_cast<char>('a' + c.rank() % 26));
    std::string below(own.size(), '.');
    std::string above(own.size(), '.');
    std::vector<Exchange> trades;
    const auto add = [&](int with, std::string& taken) {
      trades.push_back(
          {with, bytes_of(own).data, reinterpret_cast<std::byte*>(taken.data()), own.size()});
    };
    if (c.rank() > 0) add(c.rank() - 1, below);
    if (c.rank() + 1 < c.size()) add(c.rank() + 1, above);
    c.exchange_data(trades, 9);
    const auto expected = [&](int rank) {
      return std::string(own.size(), static_cast<char>('a' + rank % 26));
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
  check_trades(c);
  c.barrier();
}

}  // namespace tidewise::test
