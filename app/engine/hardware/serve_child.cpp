#include "app/engine/hardware/serve_child.h"

#include <sys/prctl.h>

#include <csignal>

#include "app/engine/hardware/claims.h"
#include "kernels/gpu/child.h"
#include "profiling/cupti/child.h"
#include "profiling/cupti/live.h"

namespace lanescope::engine {

int serve_child(std::string_view task) {
  // A kernel that never ends must not outlive the program that asked for it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (task == "run") return gpu::run_child();
  if (task == "measure") return cupti::measure_child();
  if (task == "live") return cupti::live_child();
  if (task == "judge") return judge_child();
  return 2;
}

}  // namespace lanescope::engine
