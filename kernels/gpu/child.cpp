#include "kernels/gpu/child.h"

#include "kernels/base/process.h"
#include "kernels/codec/launches.h"

namespace lanescope::gpu {

namespace {

Expected<ChildAnswer> run_request(ChildRequest request) {
  const auto all = LS_TRY(devices());
  const int device = request.options.device;
  if (device < 0 || static_cast<std::size_t>(device) >= all.size())
    return failure("there is no GPU " + std::to_string(device),
                   "this machine has " + std::to_string(all.size()) + "; the first is 0");
  auto result = LS_TRY(run(request.ptx, request.launches, request.buffers, request.options));
  const bool fault = !result.fault.empty();
  return ChildAnswer{.device = all[static_cast<std::size_t>(device)],
                     .result = std::move(result),
                     .buffers = fault ? std::vector<trace::Buffer>{} : std::move(request.buffers)};
}

}  // namespace

Bytes encode(const ChildRequest& request) { return codec::encode_message(request); }
Expected<ChildRequest> decode_request(const Bytes& bytes) {
  auto request = codec::decode_message<ChildRequest>(bytes, "the request for a launch");
  if (!request) return request;
  if (auto good = codec::check_arguments(request->launches, request->buffers); !good)
    return tl::unexpected(good.error());
  return request;
}

Bytes encode(const Expected<ChildAnswer>& answer) { return codec::encode_message(answer); }
Expected<ChildAnswer> decode_answer(const Bytes& bytes) {
  return codec::decode_answer<ChildAnswer>(bytes, "the answer about a launch");
}

int run_child(int in_fd, int out_fd) {
  return answer_parent(
      [](const Bytes& question) {
        auto request = decode_request(question);
        if (!request) return encode(Expected<ChildAnswer>(tl::unexpected(request.error())));
        return encode(run_request(std::move(*request)));
      },
      in_fd, out_fd);
}

Expected<ChildAnswer> run_in_child(const std::vector<std::string>& command, const ChildRequest& request,
                                   const Deadline& deadline) {
  using End = ChildReply::End;
  ChildReply reply = ask_child(command, encode(request), "the run on the GPU", deadline);
  if (reply.end == End::answered) return decode_answer(reply.answer);
  if (reply.end == End::not_started || reply.end == End::cancelled) return failure(std::move(reply.problem));
  ChildAnswer answer;
  answer.result.fault = reply.problem.message;
  return answer;
}

}  // namespace lanescope::gpu
