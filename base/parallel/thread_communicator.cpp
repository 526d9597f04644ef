#include <algorithm>
#include <condition_variable>
#include <deque>
#include <latch>
#include <memory>
#include <mutex>
#include <utility>

#include "base/parallel/communicator.h"
#include "base/parallel/first_error.h"
#include "base/parallel/start_thread.h"

namespace tidewise {
namespace {

struct Letter {
  int from = 0;
  int tag = 0;
  std::vector<std::byte> bytes;
};

/// Data shared by the threads of a group.
struct Barrier {
  explicit Barrier(int count) : letters(static_cast<std::size_t>(count)) {}

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::deque<Letter>> letters;  ///< (rank) sent and not received
  bool aborted = false;
  // The all-reduction in progress, and the result of the last one.
  int arrived = 0;
  std::uint64_t round = 0;
  std::int64_t max = 0, sum = 0;
  std::int64_t last_greatest = 0, last_sum = 0;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(std::shared_ptr<Barrier> barrier, int rank)
      : barrier_(std::move(barrier)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(barrier_->letters.size()); }
  int local_rank() const override { return rank_; }
  int local_size() const override { return size(); }

  void send(int to, int tag, View<const std::byte> bytes) override {
    {
      const std::lock_guard lock(barrier_->mutex);
      letters_of(to).push_back({rank_, tag, {bytes.begin(), bytes.end()}});
    }
    barrier_->changed.notify_all();
  }

  std::vector<std::byte> receive(int from, int tag) override {
    std::unique_lock lock(barrier_->mutex);
    std::deque<Letter>& letters = letters_of(rank_);
    auto found = letters.end();
    barrier_->changed.wait(lock, [&] {
      found = find(from, tag);
      return found != letters.end() || barrier_->aborted;
    });
    if (found == letters.end()) throw WorkGivenUp();
    std::vector<std::byte> bytes = std::move(found->bytes);
    letters.erase(found);
    return bytes;
  }

  std::int64_t all_max(std::int64_t value) override { return meet(value).first; }
  std::int64_t all_sum(std::int64_t value) override { return meet(value).second; }
  void barrier() override { meet(0); }

  [[noreturn]] void abort(int /*status*/) override {
    {
      const std::lock_guard lock(barrier_->mutex);
      barrier_->aborted = true;
    }
    barrier_->changed.notify_all();
    throw WorkGivenUp();
  }

 private:
  std::deque<Letter>& letters_of(int rank) {
    return barrier_->letters.at(static_cast<std::size_t>(rank));
  }

  std::deque<Letter>::iterator find(int from, int tag) {
    std::deque<Letter>& letters = letters_of(rank_);
    return std::find_if(letters.begin(), letters.end(), [&](const Letter& letter) {
      return letter.from == from && letter.tag == tag;
    });
  }

  /// Maximum and sum of all values.
  std::pair<std::int64_t, std::int64_t> meet(std::int64_t value) {
    Barrier& m = *barrier_;
    std::unique_lock lock(m.mutex);
    if (m.aborted) throw WorkGivenUp();
    m.max = m.arrived == 0 ? value : std::max(m.max, value);
    m.sum = m.arrived == 0 ? value : m.sum + value;
    if (++m.arrived == size()) {
      m.last_greatest = m.max;
      m.last_sum = m.sum;
      m.arrived = 0;
      ++m.round;
      m.changed.notify_all();
    } else {
      // The result stays valid, because the next round cannot end before this thread joins it.
      m.changed.wait(lock, [&, round = m.round] { return m.round != round || m.aborted; });
      if (m.aborted) throw WorkGivenUp();
    }
    return {m.last_greatest, m.last_sum};
  }

  std::shared_ptr<Barrier> barrier_;
  int rank_;
};

void abort_quietly(Communicator& rank) {
  try {
    rank.abort(1);
  } catch (const WorkGivenUp&) {
  }
}

}  // namespace

ThreadCommunicators make_thread_communicators(int count) {
  const auto barrier = std::make_shared<Barrier>(count);
  ThreadCommunicators group;
  for (int rank = 0; rank < count; ++rank) {
    group.push_back(std::make_unique<ThreadCommunicator>(barrier, rank));
  }
  return group;
}

void work_as_ranks(const ThreadCommunicators& ranks, const std::function<void(Communicator&)>& work,
                   const std::function<void(Communicator&)>& leave) {
  FirstError error;
  std::latch ended(static_cast<std::ptrdiff_t>(ranks.size()));
  const auto run = [&](Communicator& rank) {
    try {
      work(rank);
    } catch (const WorkGivenUp&) {  // the thread that aborted reports the reason
    } catch (...) {
      if (!rank.disbanded()) abort_quietly(rank);
      throw;
    }
  };
  start_threads(ranks.size(), [&](std::size_t n) {
    error.run([&] { run(*ranks[n]); });
    ended.arrive_and_wait();
    leave(*ranks[n]);
  }).clear();  // waits for them
  error.rethrow();
}

}  // namespace tidewise
