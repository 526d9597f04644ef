#include <fmt/format.h>
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstring>
#include <list>
#include <string>
#include <thread>

#include "base/error.h"
#include "base/parallel/communicator.h"

namespace tidewise {
namespace {

// Limit of a message [B], because MPI counts in int. Longer messages are sent in pieces: a full
// piece is followed by another, the last one is not.
constexpr std::size_t max_piece = std::size_t{1} << 30;

void require(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::string line(text, static_cast<std::size_t>(length));
  std::replace(line.begin(), line.end(), '\n', ' ');
  throw RunError(fmt::format("the processes cannot exchange data ({}: {})", what, line));
}

/// True if MPI reports that it accepts pointers to device memory.
bool find_device_support() {
#if defined(OMPI_HAVE_MPI_EXT_CUDA) && OMPI_HAVE_MPI_EXT_CUDA
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

/// Pause between two polls: none at first, then sleeps of increasing length, unlike MPI's own
/// waiting calls.
class Backoff {
 public:
  void pause() {
    constexpr int polls_without_sleep = 200;
    constexpr std::chrono::microseconds longest(1000);
    if (++polls_ < polls_without_sleep) {
      std::this_thread::yield();
      return;
    }
    std::this_thread::sleep_for(sleep_);
    sleep_ = std::min(2 * sleep_, longest);
  }

 private:
  int polls_ = 0;
  std::chrono::microseconds sleep_{10};
};

class MpiCommunicator final : public Communicator {
 public:
  explicit MpiCommunicator(const Launch& launch) {
    int provided = 0;
    require(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    require(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    require(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
    require(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
    if (size_ == 1 && launch.size > 1) {
      MPI_Finalize();
      throw RunError(
          "several processes were started together, but MPI does not let them find each other; "
          "start them by the mpirun of the MPI that this program was built with (under Slurm "
          "perhaps 'srun --mpi=pmix')");
    }
    MPI_Comm host = MPI_COMM_NULL;
    require(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host),
            "MPI_Comm_split_type");
    require(MPI_Comm_rank(host, &local_rank_), "MPI_Comm_rank");
    require(MPI_Comm_size(host, &local_size_), "MPI_Comm_size");
    MPI_Comm_free(&host);
    reaches_devices_ = find_device_support();
  }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  ~MpiCommunicator() override {
    Backoff backoff;
    while (!sending_.empty()) {
      drop_sent();
      if (!sending_.empty()) backoff.pause();
    }
    try {
      barrier();  // sleeps, unlike MPI_Finalize
    } catch (const RunError&) {
      // The exchange is over in any case.
    }
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

  void send(int to, int tag, View<const std::byte> bytes) override {
    drop_sent();
    std::size_t begin = 0;
    std::size_t size = 0;
    do {
      size = std::min(max_piece, bytes.size - begin);
      Sending& sending = sending_.emplace_back();
      sending.bytes.assign(bytes.begin() + begin, bytes.begin() + begin + size);
      require(MPI_Isend(sending.bytes.data(), static_cast<int>(size), MPI_BYTE, to, tag,
                        MPI_COMM_WORLD, &sending.request),
              "MPI_Isend");
      begin += size;
    } while (size == max_piece);
  }

  std::vector<std::byte> receive(int from, int tag) override {
    std::vector<std::byte> bytes;
    std::size_t size = 0;
    do {
      MPI_Message piece = MPI_MESSAGE_NULL;
      MPI_Status status;
      await([&](int& arrived) {
        return MPI_Improbe(from, tag, MPI_COMM_WORLD, &arrived, &piece, &status);
      });
      int count = 0;
      require(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
      size = static_cast<std::size_t>(count);
      const std::size_t begin = bytes.size();
      bytes.resize(begin + size);
      MPI_Request request = MPI_REQUEST_NULL;
      require(MPI_Imrecv(bytes.data() + begin, count, MPI_BYTE, &piece, &request), "MPI_Imrecv");
      await(request);
    } while (size == max_piece);
    return bytes;
  }

  bool reaches_devices() const override { return reaches_devices_; }
  void exchange_data(const std::vector<Exchange>& exchanges, int tag) override {
    std::vector<MPI_Request> requests;
    for (const Exchange& exchange : exchanges) {
      if (exchange.size > max_piece) throw RunError("an exchange of more than 1 GiB");
      const auto size = static_cast<int>(exchange.size);
      require(MPI_Irecv(exchange.taken, size, MPI_BYTE, exchange.with, tag, MPI_COMM_WORLD,
                        &requests.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Irecv");
      require(MPI_Isend(exchange.given, size, MPI_BYTE, exchange.with, tag, MPI_COMM_WORLD,
                        &requests.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Isend");
    }
    await([&](int& done) {
      return MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                         MPI_STATUSES_IGNORE);
    });
  }

  std::int64_t all_max(std::int64_t value) override { return reduce(value, MPI_MAX); }
  std::int64_t all_sum(std::int64_t value) override { return reduce(value, MPI_SUM); }

  void barrier() override {
    MPI_Request request = MPI_REQUEST_NULL;
    require(MPI_Ibarrier(MPI_COMM_WORLD, &request), "MPI_Ibarrier");
    await(request);
  }

  [[noreturn]] void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();  // not reached
  }

 private:
  /// A piece that is being sent, with the memory that MPI reads.
  struct Sending {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  /// Calls `poll` (an MPI call) repeatedly until it reports completion, and advances what is being
  /// sent.
  template <class Poll>
  void await(const Poll& poll) {
    Backoff backoff;
    while (true) {
      int done = 0;
      require(poll(done), "waiting");
      if (done != 0) return;
      drop_sent();
      backoff.pause();
    }
  }
  void await(MPI_Request& request) {
    await([&](int& done) { return MPI_Test(&request, &done, MPI_STATUS_IGNORE); });
  }

  /// Releases pieces that have been sent.
  void drop_sent() {
    sending_.remove_if([](Sending& sending) {
      int sent = 0;
      return MPI_Test(&sending.request, &sent, MPI_STATUS_IGNORE) != MPI_SUCCESS || sent != 0;
    });
  }

  std::int64_t reduce(std::int64_t value, MPI_Op operation) {
    std::int64_t result = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    require(MPI_Iallreduce(&value, &result, 1, MPI_INT64_T, operation, MPI_COMM_WORLD, &request),
            "MPI_Iallreduce");
    await(request);
    return result;
  }

  int rank_ = 0;
  int size_ = 1;
  int local_rank_ = 0;
  int local_size_ = 1;
  bool reaches_devices_ = false;
  std::list<Sending> sending_;
};

}  // namespace

MpiSupport mpi_support() { return MpiSupport::compiled; }

std::unique_ptr<Communicator> join_processes() {
  const Launch launch = find_launch();
  if (launch.size == 1) return make_lone_communicator();
  return std::make_unique<MpiCommunicator>(launch);
}

}  // namespace tidewise
