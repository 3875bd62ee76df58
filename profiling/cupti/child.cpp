#include "profiling/cupti/child.h"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <set>

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

Expected<Bytes> ask(const std::vector<std::string>& command, Request request, What what, std::chrono::seconds limit) {
  request.what = what;
  Process child;
  if (const std::string problem = child.start(command); !problem.empty()) return failure(problem);
  Bytes answer;
  const bool in_time = child.converse(encode(request), Clock::now() + limit, answer);
  if (!in_time) child.kill();
  const std::string ending = child.ending();
  if (!in_time)
    return failure(fmt::format("the measurement took longer than {} s and was ended", limit.count()),
                   "make the grid smaller, or ask for fewer metrics");
  if (answer.empty()) return failure("the process that measures " + ending);
  return answer;
}

template <class T>
Expected<T> ask_for(const std::vector<std::string>& command, const Request& request, What what,
                    std::chrono::seconds limit, Expected<T> (*decode)(const Bytes&)) {
  const auto answer = ask(command, request, what, limit);
  if (!answer) return tl::unexpected(answer.error());
  return decode(*answer);
}

}  // namespace

int measure_child(int in_fd, int out_fd) {
  // The answer keeps the stream to itself; what libraries print goes where errors go.
  const int answer_fd = ::dup(out_fd);
  if (answer_fd < 0 || ::dup2(2, out_fd) < 0) return 1;
  const auto request = decode_request(read_all(in_fd));
  const Bytes answer = request ? answer_to(*request) : encode(Expected<Measurement>(tl::unexpected(request.error())));
  return write_all(answer_fd, answer) ? 0 : 1;
}

Expected<Measurement> measure_in_child(const std::vector<std::string>& command, const Request& request,
                                       std::chrono::seconds limit) {
  return ask_for(command, request, What::counters, limit, decode_answer);
}
Expected<SassReport> count_instructions_in_child(const std::vector<std::string>& command, const Request& request,
                                                 std::chrono::seconds limit) {
  std::set<std::string> kernels;
  for (const trace::Launch& l : request.launches) kernels.insert(l.kernel);
  std::optional<SassReport> all;
  Request one = request;
  for (const std::string& kernel : kernels) {
    one.counted = kernel;
    auto report = ask_for(command, one, What::instructions, limit, decode_instructions);
    if (!report) return report;
    // Whatever is said of another kernel is told by its own child.
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
                                             std::chrono::seconds limit) {
  return ask_for(command, request, What::stalls, limit, decode_stalls);
}
Expected<ActivityReport> record_activity_in_child(const std::vector<std::string>& command, const Request& request,
                                                  std::chrono::seconds limit) {
  return ask_for(command, request, What::activity, limit, decode_activity);
}

}  // namespace lanescope::cupti
