#include "kernels/gpu/child.h"

#include "kernels/base/ask_child.h"
#include "kernels/gpu/wire.h"

namespace lanescope::gpu {
namespace {

using nlohmann::json;

json to_json(const DeviceInfo& d) {
  return {{"index", d.index},
          {"name", d.name},
          {"major", d.major},
          {"minor", d.minor},
          {"multiprocessors", d.multiprocessors},
          {"memory_bytes", d.memory_bytes},
          {"clock_khz", d.clock_khz},
          {"memory_clock_khz", d.memory_clock_khz},
          {"memory_bus_bits", d.memory_bus_bits},
          {"l2_bytes", d.l2_bytes},
          {"shared_bytes_per_block", d.shared_bytes_per_block},
          {"shared_bytes_per_multiprocessor", d.shared_bytes_per_multiprocessor},
          {"driver_version", d.driver_version}};
}

DeviceInfo device_of(const json& j) {
  return {.index = j.at("index"),
          .name = j.at("name"),
          .major = j.at("major"),
          .minor = j.at("minor"),
          .multiprocessors = j.at("multiprocessors"),
          .memory_bytes = j.at("memory_bytes"),
          .clock_khz = j.at("clock_khz"),
          .memory_clock_khz = j.at("memory_clock_khz"),
          .memory_bus_bits = j.at("memory_bus_bits"),
          .l2_bytes = j.at("l2_bytes"),
          .shared_bytes_per_block = j.at("shared_bytes_per_block"),
          .shared_bytes_per_multiprocessor = j.at("shared_bytes_per_multiprocessor"),
          .driver_version = j.at("driver_version")};
}

json to_json(const Resources& r) {
  return {{"registers", r.registers},
          {"shared", r.shared_bytes},
          {"local", r.local_bytes},
          {"constant", r.constant_bytes},
          {"max_threads", r.max_threads}};
}

Resources resources_of(const json& j) {
  return {.registers = j.at("registers"),
          .shared_bytes = j.at("shared"),
          .local_bytes = j.at("local"),
          .constant_bytes = j.at("constant"),
          .max_threads = j.at("max_threads")};
}

Expected<ChildAnswer> run_request(ChildRequest request) {
  const auto all = devices();
  if (!all) return tl::unexpected(all.error());
  const int device = request.options.device;
  if (device < 0 || static_cast<std::size_t>(device) >= all->size())
    return failure("there is no GPU " + std::to_string(device),
                   "this machine has " + std::to_string(all->size()) + "; the first is 0");
  auto result = run(request.ptx, request.launches, request.buffers, request.options);
  if (!result) return tl::unexpected(result.error());
  const bool fault = !result->fault.empty();
  return ChildAnswer{.device = (*all)[static_cast<std::size_t>(device)],
                     .result = std::move(*result),
                     .buffers = fault ? std::vector<trace::Buffer>{} : std::move(request.buffers)};
}

}  // namespace

std::vector<std::uint8_t> encode(const ChildRequest& r) {
  return json::to_cbor({{"ptx", r.ptx},
                        {"launches", wire::to_json(r.launches)},
                        {"buffers", wire::to_json(r.buffers)},
                        {"device", r.options.device},
                        {"warm_up", r.options.warm_up},
                        {"repetitions", r.options.repetitions},
                        {"cooperative", r.options.cooperative}});
}

Expected<ChildRequest> decode_request(const std::vector<std::uint8_t>& bytes) {
  try {
    const json j = json::from_cbor(bytes);
    ChildRequest r{.ptx = j.at("ptx"),
                   .launches = wire::launches_of(j.at("launches")),
                   .buffers = wire::buffers_of(j.at("buffers")),
                   .options = {.device = j.at("device"),
                               .warm_up = j.at("warm_up"),
                               .repetitions = j.at("repetitions"),
                               .cooperative = j.at("cooperative")}};
    if (auto good = wire::check(r.launches, r.buffers); !good) return tl::unexpected(good.error());
    return r;
  } catch (const json::exception& e) {
    return failure(std::string("the request for a launch cannot be read: ") + e.what());
  }
}

std::vector<std::uint8_t> encode(const Expected<ChildAnswer>& answer) {
  if (!answer) return json::to_cbor({{"errors", wire::to_json(answer.error())}});
  return json::to_cbor({{"device", to_json(answer->device)},
                        {"milliseconds", answer->result.timing.milliseconds},
                        {"resources", to_json(answer->result.resources)},
                        {"free_bytes", answer->result.free_bytes},
                        {"fault", answer->result.fault},
                        {"buffers", wire::to_json(answer->buffers)}});
}

Expected<ChildAnswer> decode_answer(const std::vector<std::uint8_t>& bytes) {
  try {
    const json j = json::from_cbor(bytes);
    if (j.contains("errors")) return tl::unexpected(wire::diagnostics_of(j.at("errors")));
    ChildAnswer a{.device = device_of(j.at("device")), .result = {}, .buffers = wire::buffers_of(j.at("buffers"))};
    a.result.timing.milliseconds = j.at("milliseconds").get<std::vector<float>>();
    a.result.resources = resources_of(j.at("resources"));
    a.result.free_bytes = j.at("free_bytes").get<std::uint64_t>();
    a.result.fault = j.at("fault").get<std::string>();
    return a;
  } catch (const json::exception& e) {
    return failure(std::string("the answer about a launch cannot be read: ") + e.what());
  }
}

int run_child(int in_fd, int out_fd) {
  return answer_parent(
      [](const std::vector<std::uint8_t>& question) {
        auto request = decode_request(question);
        if (!request) return encode(Expected<ChildAnswer>(tl::unexpected(request.error())));
        return encode(run_request(std::move(*request)));
      },
      in_fd, out_fd);
}

Expected<ChildAnswer> run_in_child(const std::vector<std::string>& command, const ChildRequest& request,
                                   const Patience& patience) {
  using End = ChildReply::End;
  ChildReply reply = ask_child(command, encode(request), "the run on the GPU", patience);
  if (reply.end == End::answered) return decode_answer(reply.answer);
  if (reply.end == End::not_started || reply.end == End::cancelled) return failure(std::move(reply.problem));
  ChildAnswer answer;
  answer.result.fault = reply.problem.message;
  return answer;
}

}  // namespace lanescope::gpu
