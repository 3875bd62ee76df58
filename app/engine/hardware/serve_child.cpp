#include "app/engine/hardware/serve_child.h"

#include <sys/prctl.h>

#include <csignal>

#include "app/engine/hardware/claims.h"
#include "kernels/compile/calls/workers.h"
#include "kernels/gpu/child.h"
#include "profiling/cupti/child.h"
#include "profiling/cupti/live.h"

namespace lanescope::engine {

int serve_child(std::string_view task) {
  // Its parent's thread may end before it: that it is not needed any more it sees by the end of its input.
  if (task == "compile") return compile::serve_calls();
  // A kernel that never ends must not outlive the program that asked for it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (task == "run") return gpu::run_child();
  if (task == "measure") return cupti::measure_child();
  if (task == "live") return cupti::live_child();
  if (task == "judge") return judge_child();
  return 2;
}

}  // namespace lanescope::engine
