
#include "app/engine/hardware/device.h"
#include "app/engine/hardware/run.h"
#include "app/engine/prepare/prepare.h"
#include "app/engine/summary/summarize.h"
#include "kernels/base/process.h"
#include "kernels/gpu/program.h"
#include "kernels/instrument/by_ids.h"

namespace lanescope::engine {
namespace {

using results::NoticeCode;

Expected<void> checked(gpu::Status status) {
  if (status) return failure("on the GPU: " + gpu::status_words(status));
  return {};
}

/// One launch of rewritten PTX, loaded once and run with many contents.
instrument::Load loader(int device, const Program& program) {
  constexpr std::uint64_t most_runs = 256;
  const gpu::LoadOptions how{.cooperative = program.cooperative, .heap_bytes = program.heap_bytes, .runs = most_runs};
  return [device, how](const std::string& ptx, const trace::Launch& launch,
                       const std::vector<trace::Buffer>& buffers) -> Expected<instrument::Run> {
    std::shared_ptr<gpu::Program> program = LS_TRY(gpu::Program::open(device));
    if (auto loaded = program->load(ptx, {launch}, buffers, how); !loaded) return tl::unexpected(loaded.error());
    return instrument::Run([program](std::vector<trace::Buffer>& contents) {
      gpu::Status status = program->upload(contents);
      if (!status) status = program->launch(0);
      if (!status) status = program->synchronize();
      if (!status) status = program->download(contents);
      return checked(status);
    });
  };
}

/// State that a launch leaves for the next one.
Expected<void> advance(const Program& program, std::size_t index, int device, std::vector<trace::Buffer>& buffers) {
  auto run = LS_TRY(loader(device, program)(program.ptx, program.launches[index], buffers));
  return run(buffers);
}

/// In the child. The GPU may be lost after a fault; then the launches before it have been judged.
JudgedOnGpu judge_here(const RunRequest& request) {
  const Prepared prepared = prepare(
      request, [](std::string_view) {}, nullptr);
  if (!prepared.ready) return {.refused = prepared.diagnostics};
  const source::Source& source = *prepared.source;
  JudgedOnGpu judged;
  std::vector<trace::Buffer> buffers = prepared.buffers;
  const Program& program = prepared.probed;
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const trace::Launch& launch = program.launches[i];
    instrument::IdAnswer answer =
        instrument::judge_by_ids({.module = &program.module,
                                  .source = &source,
                                  .launch = launch,
                                  .buffers = buffers,
                                  .value_bytes = value_bytes_of(program.module, source.variables.size()),
                                  .caller_lines_by_pc = caller_lines(program, source, launch)},
                                 loader(request.device, program), {.seed = request.seed});
    claims::put_under_contract(source, static_cast<int>(i), answer.results);
    take_better(std::move(answer.results), judged.results);
    for (const std::string& words : answer.kept) judged.notices.push_back(coded<NoticeCode::gpu_claims>(words));
    if (i + 1 == program.launches.size()) break;
    if (program.launches[i].generated) continue;  // its buffers are its own
    if (program.heap_bytes > 0) {
      judged.notices.push_back(coded<NoticeCode::gpu_first_launch_only>());
      break;
    }
    if (auto next = advance(program, i, request.device, buffers); !next) {
      judged.refused = next.error();
      break;
    }
  }
  if (judged.results.empty()) judged.results = not_run(source);
  return judged;
}

}  // namespace

int judge_child(int in_fd, int out_fd) {
  return answer_parent(
      [](const Bytes& question) {
        const auto run = wire::decode<RunRequest>(question);
        if (!run) return wire::encode(wire::Judged{.refused = run.error()});
        return wire::encode(judge_here(*run));
      },
      in_fd, out_fd);
}

JudgedOnGpu judge_on_gpu(const RunRequest& request, const std::atomic<bool>* cancel) {
  const auto refused = [](Diagnostics why) { return JudgedOnGpu{.refused = std::move(why)}; };
  if (auto there = need_device(request.device); !there) return refused(std::move(there.error()));
  const HardwareOptions how{.limit_seconds = request.gpu_limit_seconds, .cancel = cancel};
  ChildReply reply =
      ask_child(child_command("judge"), wire::encode(request), "checking the claims on the GPU", how.deadline());
  if (reply.end != ChildReply::End::answered) return refused({std::move(reply.problem)});
  auto answer = wire::decode<wire::Judged>(reply.answer);
  return answer ? std::move(*answer) : refused(std::move(answer.error()));
}

}  // namespace lanescope::engine
