#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tidewise {

/// Rank of a thread in a team; 0 is the calling thread.
using TeamRank = std::int32_t;

namespace team_detail {
/// Function for a piece; `body` is borrowed.
using Piece = void (*)(const void* body, std::int64_t piece, TeamRank rank);
void share_pieces(std::int64_t count, std::int32_t threads, Piece call, const void* body);
}  // namespace team_detail

/// Calls body(piece, rank) once for each piece 0 … count − 1, by up to `threads` threads including
/// this one; returns when all are done. A thread begins with pieces of its own, the same ones each
/// time, and then takes remaining pieces of others, so that a thread whose core is busy does not
/// delay the rest. Waiting threads spin for some microseconds and then sleep. It is meant for short
/// loops in close succession on cores that other programs also use, where OpenMP's threads would
/// spin.
///
/// The threads belong to the calling thread, wait for its next call and end with it; a forked child
/// has its own. If the system starts fewer, those do the work. The environment variable
/// OMP_WAIT_POLICY applies: `passive` sleeps at once, `active` spins as long as OpenMP's threads
/// would. Calls within `body` run on one thread. Errors: the first exception of `body`.
template <class Body>
void for_pieces(std::int64_t count, std::int32_t threads, const Body& body) {
  if (threads <= 1 || count <= 1) {
    for (std::int64_t piece = 0; piece < count; ++piece) body(piece, TeamRank{0});
    return;
  }
  team_detail::share_pieces(
      count, threads,
      [](const void* erased, std::int64_t piece, TeamRank rank) {
        (*static_cast<const Body*>(erased))(piece, rank);
      },
      &body);
}

/// Calls body(piece, part), where each thread has a Whole `part` for its pieces; returns all parts
/// combined by Whole::include(). The assignment of pieces to threads is random, so include() must
/// give the same result in any order.
template <class Whole, class Body>
Whole gather_pieces(std::int64_t count, std::int32_t threads, const Body& body) {
  struct alignas(64) Part {
    Whole whole{};
  };
  std::vector<Part> parts(static_cast<std::size_t>(std::max(threads, std::int32_t{1})));
  for_pieces(count, threads, [&](std::int64_t piece, TeamRank rank) {
    body(piece, parts[static_cast<std::size_t>(rank)].whole);
  });
  Whole whole{};
  for (const Part& part : parts) whole.include(part.whole);
  return whole;
}

/// Calls body(n) for n = 0 … count − 1, in pieces of `piece_size` consecutive numbers.
template <class Body>
void for_each_shared(std::int64_t count, std::int64_t piece_size, std::int32_t threads,
                     const Body& body) {
  for_pieces((count + piece_size - 1) / piece_size, threads, [&](std::int64_t piece, TeamRank) {
    const std::int64_t end = std::min(count, (piece + 1) * piece_size);
    for (std::int64_t n = piece * piece_size; n < end; ++n) body(n);
  });
}

}  // namespace tidewise
