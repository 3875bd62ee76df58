#include "app/engine/hardware/serve_child.h"

#include <unistd.h>

#include "app/engine/hardware/claims.h"
#include "kernels/base/conversation.h"
#include "kernels/compile/calls/workers.h"
#include "kernels/gpu/child.h"
#include "profiling/cupti/child.h"
#include "profiling/cupti/live.h"

namespace lanescope::engine {

int serve_child(std::string_view task) {
  // A kernel or a compile that never ends must not outlive the program that requested it.
  end_with_reader(STDOUT_FILENO);
  if (task == "compile") return compile::serve_calls();
  if (task == "run") return gpu::run_child();
  if (task == "measure") return cupti::measure_child();
  if (task == "live") return cupti::live_child();
  if (task == "judge") return judge_child();
  return 2;
}

}  // namespace lanescope::engine
