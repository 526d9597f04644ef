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

struct Message {
  int from = 0;
  int tag = 0;
  std::vector<std::byte> bytes;
};

/// Data shared by the threads of a group.
struct GroupState {
  explicit GroupState(int count) : messages(static_cast<std::size_t>(count)) {}

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::deque<Message>> messages;  ///< (rank) sent and not received
  bool aborted = false;
  // The all-reduction in progress, and the result of the last one.
  int arrived = 0;
  std::uint64_t round = 0;
  std::int64_t max = 0, sum = 0;
  std::int64_t last_max = 0, last_sum = 0;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(std::shared_ptr<GroupState> state, int rank)
      : state_(std::move(state)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(state_->messages.size()); }
  int local_rank() const override { return rank_; }
  int local_size() const override { return size(); }

  void send(int to, int tag, View<const std::byte> bytes) override {
    {
      const std::lock_guard lock(state_->mutex);
      messages_of(to).push_back({rank_, tag, {bytes.begin(), bytes.end()}});
    }
    state_->changed.notify_all();
  }

  std::vector<std::byte> receive(int from, int tag) override {
    std::unique_lock lock(state_->mutex);
    std::deque<Message>& messages = messages_of(rank_);
    auto match = messages.end();
    state_->changed.wait(lock, [&] {
      match = find(from, tag);
      return match != messages.end() || state_->aborted;
    });
    if (match == messages.end()) throw WorkGivenUp();
    std::vector<std::byte> bytes = std::move(match->bytes);
    messages.erase(match);
    return bytes;
  }

  std::int64_t all_max(std::int64_t value) override { return reduce(value).first; }
  std::int64_t all_sum(std::int64_t value) override { return reduce(value).second; }
  void barrier() override { reduce(0); }

  [[noreturn]] void abort(int /*status*/) override {
    {
      const std::lock_guard lock(state_->mutex);
      state_->aborted = true;
    }
    state_->changed.notify_all();
    throw WorkGivenUp();
  }

 private:
  std::deque<Message>& messages_of(int rank) {
    return state_->messages.at(static_cast<std::size_t>(rank));
  }

  std::deque<Message>::iterator find(int from, int tag) {
    std::deque<Message>& messages = messages_of(rank_);
    return std::find_if(messages.begin(), messages.end(), [&](const Message& message) {
      return message.from == from && message.tag == tag;
    });
  }

  /// Maximum and sum of all values.
  std::pair<std::int64_t, std::int64_t> reduce(std::int64_t value) {
    GroupState& state = *state_;
    std::unique_lock lock(state.mutex);
    if (state.aborted) throw WorkGivenUp();
    state.max = state.arrived == 0 ? value : std::max(state.max, value);
    state.sum = state.arrived == 0 ? value : state.sum + value;
    if (++state.arrived == size()) {
      state.last_max = state.max;
      state.last_sum = state.sum;
      state.arrived = 0;
      ++state.round;
      state.changed.notify_all();
    } else {
      // The result stays valid, because the next round cannot end before this thread joins it.
      state.changed.wait(
          lock, [&, round = state.round] { return state.round != round || state.aborted; });
      if (state.aborted) throw WorkGivenUp();
    }
    return {state.last_max, state.last_sum};
  }

  std::shared_ptr<GroupState> state_;
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
  const auto state = std::make_shared<GroupState>(count);
  ThreadCommunicators group;
  for (int rank = 0; rank < count; ++rank) {
    group.push_back(std::make_unique<ThreadCommunicator>(state, rank));
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
