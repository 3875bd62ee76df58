#include "profiling/cupti/child.h"

#include <optional>
#include <set>

#include "kernels/base/process.h"

namespace lanescope::cupti {
namespace {

Bytes answer_to(const Request& request) {
  switch (request.what) {
    case What::instructions:
      return encode(count_instructions(request));
    case What::stalls:
      return encode(sample_stalls(request));
    case What::activity:
      return encode(record_activity(request));
    case What::counters:
      break;
  }
  return encode(measure(request));
}

template <class T>
Expected<T> ask_for(const std::vector<std::string>& command, Request request, What what, const Deadline& deadline,
                    Expected<T> (*decode)(const Bytes&)) {
  request.what = what;
  ChildReply reply = ask_child(command, encode(request), "the measurement", deadline);
  if (reply.end == ChildReply::End::answered) return decode(reply.answer);
  if (reply.end == ChildReply::End::late) reply.problem.remedy = "make the grid smaller, or request fewer metrics";
  return failure(std::move(reply.problem));
}

}  // namespace

int measure_child(int in_fd, int out_fd) {
  return answer_parent(
      [](const Bytes& question) {
        const auto request = decode_request(question);
        return request ? answer_to(*request) : encode(Expected<Measurement>(tl::unexpected(request.error())));
      },
      in_fd, out_fd);
}

Expected<Measurement> measure_in_child(const std::vector<std::string>& command, const Request& request,
                                       const Deadline& deadline) {
  return ask_for(command, request, What::counters, deadline, decode_answer);
}
Expected<SassReport> count_instructions_in_child(const std::vector<std::string>& command, const Request& request,
                                                 const Deadline& deadline) {
  std::set<std::string> kernels;
  for (const trace::Launch& l : request.launches) kernels.insert(l.kernel);
  std::optional<SassReport> all;
  Request one = request;
  for (const std::string& kernel : kernels) {
    one.counted = kernel;
    auto report = ask_for(command, one, What::instructions, deadline, decode_instructions);
    if (!report) return report;
    // Its own child reports another kernel.
    std::erase_if(report->rows, [&](const SassRow& r) { return r.function != kernel && kernels.count(r.function); });
    if (all)
      add_counts(*all, *report);
    else
      all = std::move(*report);
  }
  if (!all) return failure("no launch was given whose instructions could be counted");
  return std::move(*all);
}
Expected<StallReport> sample_stalls_in_child(const std::vector<std::string>& command, const Request& request,
                                             const Deadline& deadline) {
  return ask_for(command, request, What::stalls, deadline, decode_stalls);
}
Expected<ActivityReport> record_activity_in_child(const std::vector<std::string>& command, const Request& request,
                                                  const Deadline& deadline) {
  return ask_for(command, request, What::activity, deadline, decode_activity);
}

}  // namespace lanescope::cupti
