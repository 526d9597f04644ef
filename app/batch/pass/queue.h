#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "app/batch/pass/request.h"

namespace tidewise {

/// The passes of a batch that wait for a worker. A worker takes the next pass when it is free, from
/// any thread, so that no worker waits for another one's longer pass.
class PassQueue {
 public:
  /// The longest passes come first: a long pass at the end would keep all other workers waiting.
  explicit PassQueue(std::vector<PassRequest> requests);

  /// The next pass. If none waits but some are in progress, blocks, since a worker may return its
  /// pass. nullopt when all passes are finished or the queue was stopped.
  std::optional<PassRequest> next();

  /// Reports that the caller's pass is finished.
  void finish();
  /// Returns the caller's pass, or the rest of it, for another worker.
  void give_back(PassRequest request);
  /// Lets next() return no further pass.
  void stop();
  /// The passes that no worker has taken.
  std::vector<PassRequest> rest();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<PassRequest> waiting_;
  std::size_t in_progress_ = 0;
  bool stopped_ = false;
};

}  // namespace tidewise
