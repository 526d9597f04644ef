#include "base/parallel/team.h"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/parallel/first_error.h"

namespace tidewise::team_detail {
namespace {

/// Number of polls before a thread sleeps, each of which yields its core: some tens of
/// microseconds, the time to wake a sleeping thread.
std::int64_t polls_before_sleep() {
  const char* const wait_policy = std::getenv("OMP_WAIT_POLICY");  // NOLINT(concurrency-mt-unsafe)
  const std::string_view policy = wait_policy != nullptr ? wait_policy : "";
  if (policy == "passive" || policy == "PASSIVE") return 0;
  return policy == "active" || policy == "ACTIVE" ? 1'000'000 : 100;
}

/// True if this thread is working on a piece, its own or another's.
thread_local bool is_in_piece = false;

class PieceScope {
 public:
  PieceScope() { is_in_piece = true; }
  PieceScope(const PieceScope&) = delete;
  PieceScope& operator=(const PieceScope&) = delete;
  ~PieceScope() { is_in_piece = false; }
};

/// The pieces of one call.
class Work {
 public:
  Work(std::int64_t count, std::int32_t threads, Piece call, const void* body)
      : count_(count), call_(call), body_(body), next_(static_cast<std::size_t>(threads)) {
    for (std::size_t part = 0; part < next_.size(); ++part) next_[part].piece = begin_of(part);
  }

  /// Does this thread's own pieces, then the remaining ones of other threads.
  void take_part(TeamRank rank) {
    const std::size_t parts = next_.size();
    for (std::size_t n = 0; n < parts; ++n) {
      const std::size_t part = (static_cast<std::size_t>(rank) + n) % parts;
      const std::int64_t end = begin_of(part + 1);
      while (next_[part].piece.load(std::memory_order_relaxed) < end) {
        const std::int64_t piece = next_[part].piece.fetch_add(1, std::memory_order_relaxed);
        if (piece >= end) break;
        error_.run([&] {
          const PieceScope scope;
          call_(body_, piece, rank);
        });
      }
    }
  }
  std::int32_t parts() const { return static_cast<std::int32_t>(next_.size()); }
  void rethrow() const { error_.rethrow(); }

 private:
  struct alignas(64) Next {
    std::atomic<std::int64_t> piece{0};
  };

  std::int64_t begin_of(std::size_t part) const {
    return count_ * static_cast<std::int64_t>(part) / static_cast<std::int64_t>(next_.size());
  }

  std::int64_t count_;
  Piece call_;
  const void* body_;
  std::vector<Next> next_;  // next piece of each part
  FirstError error_;
};

/// Threads that help the thread that made them.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      ++turn_;
    }
    changed_.notify_all();
  }

  void share(Work& work) {
    grow(work.parts() - 1);
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      ++turn_;
    }
    changed_.notify_all();
    work.take_part(0);
    // All pieces are taken. A helper that still sleeps need not wake up for this work.
    std::unique_lock lock(mutex_);
    work_ = nullptr;
    done_.wait(lock, [&] { return busy_helpers_ == 0; });
  }
  pid_t process() const { return process_; }

 private:
  /// Starts helpers; with fewer than requested the work is only slower.
  void grow(std::int32_t helpers) {
    try {
      while (static_cast<std::int32_t>(threads_.size()) < helpers) {
        const auto rank = static_cast<TeamRank>(threads_.size() + 1);
        threads_.emplace_back([this, rank] { help(rank); });
      }
    } catch (const std::system_error&) {
      return;
    }
  }

  void help(TeamRank rank) {
    std::uint32_t seen_turn = 0;
    for (;;) {
      for (std::int64_t poll = 0; poll < max_polls_ && turn_.load() == seen_turn; ++poll) {
        std::this_thread::yield();
      }
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return turn_.load() != seen_turn; });
      seen_turn = turn_.load();
      if (closed_) return;
      if (work_ == nullptr || rank >= work_->parts()) continue;  // too late, or not needed
      Work& work = *work_;
      ++busy_helpers_;
      lock.unlock();
      work.take_part(rank);
      lock.lock();
      if (--busy_helpers_ == 0) done_.notify_one();
    }
  }

  const std::int64_t max_polls_ = polls_before_sleep();
  const pid_t process_ = getpid();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable done_;
  std::atomic<std::uint32_t> turn_{0};  // counts the calls; changed under the mutex
  Work* work_ = nullptr;
  std::int32_t busy_helpers_ = 0;
  bool closed_ = false;
  std::vector<std::jthread> threads_;  // last member, because the threads use the others
};

/// A forked child has none of its parent's threads, and locks that they held are never released, so
/// it leaks the team.
struct EndTeam {
  void operator()(Team* team) const {
    if (team->process() == getpid()) delete team;  // NOLINT(cppcoreguidelines-owning-memory)
  }
};

/// This thread's team.
Team& team_of_this_thread() {
  thread_local std::unique_ptr<Team, EndTeam> team;
  if (team == nullptr || team->process() != getpid()) team.reset(new Team);
  return *team;
}

}  // namespace

void share_pieces(std::int64_t count, std::int32_t threads, Piece call, const void* body) {
  if (is_in_piece) {
    for (std::int64_t piece = 0; piece < count; ++piece) call(body, piece, 0);
    return;
  }
  Work work(count, static_cast<std::int32_t>(std::min<std::int64_t>(threads, count)), call, body);
  team_of_this_thread().share(work);
  work.rethrow();
}

}  // namespace tidewise::team_detail
