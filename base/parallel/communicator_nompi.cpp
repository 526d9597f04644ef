#include "base/error.h"
#include "base/parallel/communicator.h"

namespace tidewise {

MpiSupport mpi_support() { return MpiSupport::absent; }

std::unique_ptr<Communicator> join_processes() {
  if (find_launch().size > 1) {
    throw RunError(
        "several processes were started together (mpirun, srun), but this build has no MPI; build "
        "with -D TIDEWISE_MPI=ON, or start one process");
  }
  return make_lone_communicator();
}

}  // namespace tidewise
