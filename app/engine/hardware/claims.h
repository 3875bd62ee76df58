#pragma once
// Claims judged by a run on a GPU: element ids as data, in a child of this program (kernels/instrument/by_ids.h).

#include <atomic>

#include "app/engine/requests/requests.h"
#include "app/engine/wire/messages.h"

namespace lanescope::engine {

using JudgedOnGpu = wire::Judged;
/// `request` as Session::run takes it. A child that dies, is late or is no longer needed is a refusal.
JudgedOnGpu judge_on_gpu(const RunRequest& request, const std::atomic<bool>* cancel = nullptr);

/// The whole of the child's main().
int judge_child(int in_fd = 0, int out_fd = 1);

}  // namespace lanescope::engine
