#include "tests/gpu/instrumented.h"
#include "kernels/base/read_file.h"

#include <algorithm>

#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {

namespace fs = std::filesystem;

std::vector<fs::path> catalogue_files() {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("assets/kernels", ignored))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

engine::Prepared prepared(const fs::path& file, const std::string& text) {
  const std::string contents = read_file(file.string()).value_or("");
  engine::RunRequest request;
  request.file = file.string();
  request.text = text.empty() ? contents : text;
  request.arch = device().arch();
  const auto prepare = [&] {
    return engine::prepare(
        request, [](std::string_view) {}, nullptr);
  };
  engine::Prepared made = prepare();
  if (made.ready) return made;
  request.arch = "";  // the file's own: sm_90a has instructions that sm_90 does not
  return prepare();
}

namespace {

Expected<void> checked(gpu::Status status) {
  if (status) return failure(gpu::status_words(status));
  return {};
}

}  // namespace

Expected<Launcher> Launcher::load(const std::string& ptx, const trace::Launch& launch,
                                  const std::vector<trace::Buffer>& buffers) {
  auto program = gpu::Program::open(0);
  if (!program) return tl::unexpected(program.error());
  Launcher out;
  out.program_ = std::move(*program);
  if (auto loaded = out.program_->load(ptx, {launch}, buffers); !loaded) return tl::unexpected(loaded.error());
  return out;
}

Expected<void> Launcher::run(std::vector<trace::Buffer>& buffers) const {
  gpu::Status status = program_->upload(buffers);
  if (!status) status = program_->launch(0);
  if (!status) status = program_->synchronize();
  if (!status) status = program_->download(buffers);
  return checked(status);
}

Expected<double> Launcher::milliseconds(const std::vector<trace::Buffer>& buffers, int repetitions) const {
  const gpu::Driver& d = program_->driver();
  gpu::Event begin = nullptr, end = nullptr;
  gpu::Status status = d.cuEventCreate(&begin, 0);
  if (!status) status = d.cuEventCreate(&end, 0);
  std::vector<float> times;
  for (int n = 0; n <= repetitions && !status; ++n) {
    float milliseconds = 0;
    status = program_->upload(buffers);
    if (!status) status = program_->synchronize();
    if (!status) status = d.cuEventRecord(begin, nullptr);
    if (!status) status = program_->launch(0);
    if (!status) status = d.cuEventRecord(end, nullptr);
    if (!status) status = d.cuEventSynchronize(end);
    if (!status) status = d.cuEventElapsedTime(&milliseconds, begin, end);
    if (n > 0) times.push_back(milliseconds);  // the first one warms up
  }
  d.cuEventDestroy(begin);
  d.cuEventDestroy(end);
  if (auto ok = checked(status); !ok) return tl::unexpected(ok.error());
  std::ranges::sort(times);
  return times[times.size() / 2];
}

Expected<instrument::Run> on_gpu(const std::string& ptx, const trace::Launch& launch,
                                 const std::vector<trace::Buffer>& buffers) {
  auto launcher = Launcher::load(ptx, launch, buffers);
  if (!launcher) return tl::unexpected(launcher.error());
  return [launcher = std::move(*launcher)](std::vector<trace::Buffer>& contents) { return launcher.run(contents); };
}

}  // namespace lanescope::gpu_test
