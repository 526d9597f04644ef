#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tidewise {

/// A thread among those that share pieces of work: 0 is the one that gave it.
using TeamRank = std::int32_t;

namespace team_detail {
/// What is to be done with a piece; `body` is borrowed.
using Piece = void (*)(const void* body, std::int64_t piece, TeamRank rank);
void share_pieces(std::int64_t count, std::int32_t threads, Piece call, const void* body);
}  // namespace team_detail

/// Calls body(piece, rank) for the pieces 0 … count − 1, each once, by up to `threads` threads, of
/// which this is one; returns when all are done. A thread begins with pieces of its own, the same
/// ones each time, and then takes those that others have not come to: one whose core is busy
/// elsewhere holds nobody up. Who waits looks for some microseconds and then sleeps. For loops that
/// follow each other closely on cores that other programs use too, where OpenMP's threads spin.
///
/// The threads stay with the one that calls, for its next call, and end with it; a forked child has
/// its own. Where the system starts no more, fewer do the work. Of the environment OMP_WAIT_POLICY
/// counts: `passive` sleeps at once, `active` looks for as long as a thread of OpenMP would. Within
/// `body` a call is done by the thread alone. Errors: what `body` threw first.
template <class Body>
void for_pieces(std::int64_t count, std::int32_t threads, const Body& body) {
  if (threads <= 1 || count <= 1) {
    for (std::int64_t piece = 0; piece < count; ++piece) body(piece, TeamRank{0});
    return;
  }
  team_detail::share_pieces(
      count, threads,
      [](const void* of, std::int64_t piece, TeamRank rank) {
        (*static_cast<const Body*>(of))(piece, rank);
      },
      &body);
}

/// The same with body(piece, part), where `part` is a Whole that a thread's pieces have to
/// themselves; returns all of them, put together by Whole::include(). Which pieces a part is of is
/// chance, so that include() must come to the same in any order.
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

/// body(n) for n = 0 … count − 1, in pieces of `at_once` that lie side by side.
template <class Body>
void for_each_shared(std::int64_t count, std::int64_t at_once, std::int32_t threads,
                     const Body& body) {
  for_pieces((count + at_once - 1) / at_once, threads, [&](std::int64_t piece, TeamRank) {
    const std::int64_t end = std::min(count, (piece + 1) * at_once);
    for (std::int64_t n = piece * at_once; n < end; ++n) body(n);
  });
}

}  // namespace tidewise
