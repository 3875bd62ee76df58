#pragma once
// Rewritten kernels of the catalogue on a GPU: launch plans, repeated runs of one launch, and its time.

#include <filesystem>
#include <memory>
#include <vector>

#include "app/engine/prepare/prepare.h"
#include "kernels/gpu/program.h"
#include "kernels/instrument/by_ids.h"

namespace lanescope::gpu_test {

/// Kernels of assets/kernels, sorted.
std::vector<std::filesystem::path> catalogue_files();
/// Both variants, for this GPU's architecture. `text` stands for what the file says.
engine::Prepared prepared(const std::filesystem::path& file, const std::string& text = {});

/// One launch, loaded once.
class Launcher {
 public:
  static Expected<Launcher> load(const std::string& ptx, const trace::Launch& launch,
                                 const std::vector<trace::Buffer>& buffers);
  /// Runs it with these contents, in place.
  Expected<void> run(std::vector<trace::Buffer>& buffers) const;
  /// Median of runs that each start from these contents, by events around the launch alone.
  Expected<double> milliseconds(const std::vector<trace::Buffer>& buffers, int repetitions) const;

 private:
  std::shared_ptr<gpu::Program> program_;
};

/// instrument::Load of the GPU.
Expected<instrument::Run> on_gpu(const std::string& ptx, const trace::Launch& launch,
                                 const std::vector<trace::Buffer>& buffers);

}  // namespace lanescope::gpu_test
