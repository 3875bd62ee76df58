// Values that cross the pipe come out as they went in; what is damaged is refused in words.

#include "app/engine/wire/messages.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace lanescope::engine::wire {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  std::uint64_t below(std::uint64_t end) { return bits_() % end; }
  int number() { return static_cast<int>(below(100000)) - 50000; }
  bool flag() { return below(2); }
  std::string text() {
    std::string out;
    for (auto n = below(20); n > 0; --n)
      out += static_cast<char>(below(255) + 1);  // any bytes: file names need not be UTF-8
    return out;
  }
  layout::Assignment assignment() {
    layout::Assignment a;
    for (auto& row : a.rows) {
      if (flag()) continue;
      row.emplace();
      for (auto n = below(4); n > 0; --n) {
        layout::Term t;
        t.role = static_cast<layout::Term::Role>(below(3));
        if (t.role == layout::Term::Role::sum) t = layout::sum_of({"i" + std::to_string(below(9)), "k0"}, flag());
        row->push_back(t);
      }
    }
    return a;
  }
  Diagnostic diagnostic() {
    return {.file = text(),
            .line = number(),
            .column = number(),
            .message = text(),
            .remedy = text(),
            .severity = static_cast<Severity>(below(3))};
  }
  results::Cell cell() {
    results::Cell c;
    c.value = static_cast<std::uint32_t>(bits_()), c.element = static_cast<std::uint32_t>(bits_());
    c.buffer = static_cast<std::int8_t>(below(100)) - 50, c.kind = static_cast<std::uint8_t>(below(5));
    c.defined = flag(), c.changed = flag(), c.sources = static_cast<std::uint16_t>(bits_());
    return c;
  }

 private:
  std::mt19937_64 bits_;
};

results::Summary random_summary(Random& r) {
  results::Summary s;
  s.file = r.text(), s.kernel = r.text(), s.engine = "emulator", s.arch = r.text(), s.compiler = r.text();
  s.grid = {3, 2, 1}, s.block = {32, 4, 1};
  for (auto n = r.below(3); n > 0; --n)
    s.buffers.push_back({.name = r.text(),
                         .element_type = "f16",
                         .element_bits = 16,
                         .bytes = r.below(1ull << 60),
                         .elements = r.below(99),
                         .address = ~r.below(5),
                         .axes = {{.name = "i", .extent = 4, .stride_elements = 2}}});
  for (auto n = r.below(3); n > 0; --n)
    s.families.push_back(
        {.name = r.text(), .function = r.text(), .registers = {r.text(), r.text()}, .first_line = r.number()});
  for (auto n = r.below(3); n > 0; --n) {
    results::ClaimInfo c;
    c.claim.stated = r.assignment(), c.claim.variable = r.text(), c.claim.row_lines = {1, 2, 3},
    c.claim.probe = r.number();
    c.result.verdict = static_cast<claims::Verdict>(r.below(3)), c.result.difference = r.text();
    if (r.flag()) c.result.actual = r.assignment();
    if (r.flag()) c.result.first_failure = claims::Instance{.block = 1, .warp = 2, .iteration = 3, .caller_line = 4};
    c.result.places = r.below(1ull << 50);
    s.claims.push_back(c);
  }
  s.counters.push_back({.line = 7, .instructions = r.below(1ull << 50), .shuffles = 9, .barriers = 11});
  for (auto n = r.below(5); n > 0; --n)
    s.code.push_back(
        {.line = r.number(), .column = 2, .inner_line = 3, .kind = trace::StepKind::exit, .text = r.text()});
  for (auto n = r.below(50); n > 0; --n)
    s.timeline.push_back({.step = static_cast<std::uint32_t>(n),
                          .warp = static_cast<std::uint16_t>(r.below(65536)),
                          .kind = static_cast<trace::StepKind>(r.below(12)),
                          .line = r.number(),
                          .pc = r.number()});
  for (auto n = r.below(50); n > 0; --n) {
    s.accesses.push_back({.step = static_cast<std::uint32_t>(r.below(1ull << 32)),
                          .cost = static_cast<std::uint16_t>(r.below(65536)),
                          .least = static_cast<std::uint16_t>(r.below(65536)),
                          .space = static_cast<trace::MemorySpace>(r.below(2)),
                          .kind = static_cast<trace::AccessKind>(r.below(5))});
    s.writes.push_back({.step = static_cast<std::uint32_t>(r.below(1ull << 32)),
                        .lanes = static_cast<std::uint32_t>(r.below(1ull << 32)),
                        .family = static_cast<std::uint16_t>(r.below(65536)),
                        .reg = static_cast<std::uint16_t>(r.below(65536))});
    s.loops.push_back({.first_pc = r.number(), .last_pc = r.number(), .line = r.number()});
  }
  s.steps = r.below(1ull << 40), s.recorded_block = 5, s.warps = 6, s.shared_bytes = 7,
  s.resources.registers = r.number(), s.ok = r.flag();
  s.assumed = {{.code = source::Assumption::Code::member,
                .launch = r.number(),
                .kernel = r.text(),
                .name = r.text(),
                .value = r.text(),
                .because = r.text()}};
  results::LaunchInfo launch;
  launch.kernel = r.text(), launch.rests = {.steps = {0}, .elements = {}, .bounds = {0, 0}, .others = {0}};
  s.launches = {launch};
  s.inferred = {r.text()},
  s.notices = {coded<results::NoticeCode::options>(r.text()), coded<results::NoticeCode::run_cut>(r.text())},
  s.diagnostics = {r.diagnostic()};
  results::FindingInfo f;
  f.rule = r.text(), f.saving = r.text(), f.step = r.number();
  f.parties = {{.does = r.text(), .line = 1, .block = 2, .warp = 3, .lane = 4, .step = 5, .launch = 6}};
  s.findings = {f};
  s.faults = {{.kind = r.text(),
               .what = r.text(),
               .message = r.text(),
               .remedy = r.text(),
               .line = 1,
               .block = 2,
               .warp = 3,
               .lane = 4}};
  s.blocks = {{.instructions = r.below(1ull << 50), .bank_conflicts = 3}}, s.blocks_each = 7;
  return s;
}

results::Moment random_moment(Random& r) {
  results::Moment m;
  m.step = r.number(), m.block = 1, m.warp = 2, m.active = 0xf0f0f0f0u, m.pc = r.number(), m.line = r.number();
  for (auto n = r.below(3); n > 0; --n) {
    results::RegisterGrid g{.family = 1,
                            .element_bits = 16,
                            .parts = 2,
                            .registers = static_cast<int>(r.below(4)),
                            .warps = 2,
                            .first_warp = 3,
                            .cells = {}};
    for (int i = 0; i < g.parts * g.registers * g.warps * 32; ++i) g.cells.push_back(r.cell());
    m.grids.push_back(g);
  }
  for (auto n = r.below(9); n > 0; --n)
    m.moves.push_back({{0, 1, 2, 3, 31}, {4, 15, 300, 1, static_cast<int>(r.below(32))}});
  if (r.flag()) {
    m.access.emplace();
    m.access->space = trace::MemorySpace::shared, m.access->kind = trace::AccessKind::atomic;
    for (auto& offset : m.access->addresses) offset = r.below(1ull << 60);
    m.access->cost.bank_conflicts = 31, m.access->turns = trace::AtomicTurns::words;
    m.access->cost.turns_per_bank[5] = 7;
    m.access->destinations = m.access->addresses;
  }
  for (auto n = r.below(9); n > 0; --n)
    m.shared.push_back({.value = 1, .tag = 0x80000001u, .written = r.flag()}), m.shared_cells.push_back(r.cell());
  if (r.flag()) m.claimed = r.assignment();
  if (r.flag()) m.real = r.assignment();
  m.real_words = r.text(), m.statement_words = r.text(), m.claimed_line = 4, m.assignment_family = 2, m.moves_from = -1;
  return m;
}

// Law: encode(decode(encode(x))) == encode(x), and the fields that travel packed come back one by one.
TEST(Wire, SummariesRoundTrip) {
  Random r(1);
  for (int i = 0; i < 200; ++i) {
    const RunSummary before{.summary = random_summary(r), .gpus = {r.text()}};
    const Bytes bytes = encode(before);
    const auto after = decode<RunSummary>(bytes);
    ASSERT_TRUE(after) << to_string(after.error()[0]);
    ASSERT_EQ(encode(*after), bytes);
    ASSERT_EQ(after->gpus, before.gpus);
    const results::Summary &a = before.summary, &b = after->summary;
    ASSERT_EQ(a.file, b.file);
    ASSERT_EQ(a.timeline.size(), b.timeline.size());
    for (std::size_t k = 0; k < a.timeline.size(); ++k)
      ASSERT_TRUE(a.timeline[k].step == b.timeline[k].step && a.timeline[k].warp == b.timeline[k].warp &&
                  a.timeline[k].kind == b.timeline[k].kind && a.timeline[k].line == b.timeline[k].line);
    ASSERT_EQ(a.findings.front().saving, b.findings.front().saving);
    ASSERT_EQ(a.findings.front().step, b.findings.front().step);
    ASSERT_EQ(a.findings.front().parties.front().does, b.findings.front().parties.front().does);
    ASSERT_EQ(b.findings.front().parties.front().launch, 6);
    ASSERT_EQ(a.faults.front().lane, b.faults.front().lane);
    ASSERT_EQ(a.blocks.front().instructions, b.blocks.front().instructions);
    ASSERT_EQ(a.blocks_each, b.blocks_each);
    ASSERT_EQ(a.claims.size(), b.claims.size());
    for (std::size_t k = 0; k < a.claims.size(); ++k) {
      ASSERT_EQ(a.claims[k].claim.stated, b.claims[k].claim.stated);
      ASSERT_EQ(a.claims[k].result.actual, b.claims[k].result.actual);
      ASSERT_EQ(a.claims[k].result.verdict, b.claims[k].result.verdict);
    }
  }
}

TEST(Wire, MomentsRoundTrip) {
  Random r(2);
  for (int i = 0; i < 200; ++i) {
    const results::Moment before = random_moment(r);
    const Bytes bytes = encode(before);
    const auto after = decode<results::Moment>(bytes);
    ASSERT_TRUE(after) << to_string(after.error()[0]);
    ASSERT_EQ(encode(*after), bytes);
    const results::Moment &a = before, &b = *after;
    ASSERT_EQ(a.grids.size(), b.grids.size());
    for (std::size_t g = 0; g < a.grids.size(); ++g)
      for (std::size_t k = 0; k < a.grids[g].cells.size(); ++k) {
        const results::Cell &x = a.grids[g].cells[k], &y = b.grids[g].cells[k];
        ASSERT_TRUE(x.value == y.value && x.element == y.element && x.buffer == y.buffer && x.kind == y.kind &&
                    x.defined == y.defined && x.changed == y.changed && x.sources == y.sources);
      }
    ASSERT_EQ(a.moves.size(), b.moves.size());
    for (std::size_t k = 0; k < a.moves.size(); ++k)
      ASSERT_TRUE(a.moves[k].from == b.moves[k].from && a.moves[k].to == b.moves[k].to);
    ASSERT_EQ(a.claimed, b.claimed);
    ASSERT_EQ(a.access.has_value(), b.access.has_value());
    if (a.access) {
      ASSERT_EQ(static_cast<const access::Access&>(*a.access), *b.access);
      ASSERT_EQ(a.access->cost, b.access->cost);
    }
  }
}

TEST(Wire, RequestsRoundTrip) {
  RunRequest run;
  run.file = "a.cu", run.text = std::string("x\0\xff", 3), run.seed = ~0ull, run.record_launch = 2;
  run.launch_text = "toml";
  const auto back = decode<RunRequest>(encode(run));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->text, run.text);
  EXPECT_EQ(back->seed, ~0ull);
  EXPECT_EQ(back->launch_text, "toml");
  EXPECT_EQ(back->record_launch, 2);
  const MomentRequest ask{.step = -1, .families = {2, 1}, .moves_from = -2};
  const auto asked = decode<MomentRequest>(encode(ask));
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->families, ask.families);
  EXPECT_EQ(asked->moves_from, -2);
}

// Law: no damage is fatal; it is read as something that is valid, or refused with a reason.
TEST(Wire, DamagedMessagesAreRefused) {
  Random r(3);
  const Bytes good = encode(random_moment(r));
  for (int i = 0; i < 20000; ++i) {
    Bytes bad = good;
    switch (r.below(3)) {
      case 0:
        bad.resize(r.below(bad.size()));
        break;
      case 1:
        bad[r.below(bad.size())] ^= static_cast<std::uint8_t>(1u << r.below(8));
        break;
      default:
        bad.erase(bad.begin() + static_cast<std::ptrdiff_t>(r.below(bad.size())));
    }
    const auto read = decode<results::Moment>(bad);
    if (!read) {
      ASSERT_FALSE(read.error()[0].message.empty());
      continue;
    }
    for (const auto& g : read->grids)
      ASSERT_EQ(g.cells.size(), static_cast<std::size_t>(g.registers) * g.parts * g.warps * 32);
  }
  EXPECT_FALSE(decode<results::Summary>(good));
  EXPECT_FALSE(decode<RunRequest>({}));
}

TEST(Wire, FramesComeOutHoweverTheStreamIsCut) {
  Random r(4);
  std::vector<Frame> sent;
  Bytes stream;
  for (int i = 0; i < 50; ++i) {
    Frame f{i % 2 ? Kind::hello : Kind::message, Bytes(r.below(300), static_cast<std::uint8_t>(i))};
    const Bytes packed = pack(f);
    stream.insert(stream.end(), packed.begin(), packed.end());
    sent.push_back(std::move(f));
  }
  FrameReader reader;
  std::size_t at = 0, got = 0;
  while (at < stream.size()) {
    const std::size_t n = std::min<std::size_t>(1 + r.below(97), stream.size() - at);
    reader.feed({stream.data() + at, n});
    at += n;
    while (const auto frame = reader.next()) {
      ASSERT_LT(got, sent.size());
      ASSERT_EQ(frame->kind, sent[got].kind);
      ASSERT_EQ(frame->payload, sent[got++].payload);
    }
  }
  EXPECT_EQ(got, sent.size());
  EXPECT_TRUE(reader.broken().empty());
}

TEST(Wire, CompressedFramesComeOutWhole) {
  Bytes payload(100000);
  for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<std::uint8_t>(i / 1000);
  constexpr Kind kind = Kind::message;
  const Bytes plain = pack({kind, payload}), small = pack({kind, payload}, true);
  EXPECT_LT(small.size(), plain.size() / 10);
  EXPECT_EQ(pack({kind, Bytes(100, 7)}, true), pack({kind, Bytes(100, 7)}));
  FrameReader reader;
  reader.feed(small);
  const auto frame = reader.next();
  ASSERT_TRUE(frame) << reader.broken();
  EXPECT_EQ(frame->kind, kind);
  EXPECT_EQ(frame->payload, payload);
}

TEST(Wire, BombsAndDamagedCompressionAreRefused) {
  const Bytes bomb = compressed(Bytes(std::size_t{8} << 20));
  ASSERT_LT(bomb.size(), 10000u);
  EXPECT_TRUE(decompressed(bomb));
  EXPECT_FALSE(decompressed(bomb, std::size_t{1} << 20));
  Random r(11);
  for (int i = 0; i < 300; ++i) {
    Bytes damaged = bomb;
    damaged[r.below(damaged.size())] ^= static_cast<std::uint8_t>(1 + r.below(255));
    damaged.resize(r.below(damaged.size() + 1));
    const auto whole = decompressed(damaged);
    EXPECT_LE(whole ? whole->size() : 0, most_payload_bytes);
  }
  FrameReader reader;
  reader.feed(Bytes{3, 0, 0, 0, 2 + 128, 1, 2, 3});
  EXPECT_FALSE(reader.next());
  EXPECT_NE(reader.broken().find("compressed"), std::string::npos);
}

// Every counter of a result travels: the struct is nothing but 64-bit counts.
TEST(Wire, EveryCountOfAResultTravels) {
  static_assert(sizeof(counters::Counts) % 8 == 0);
  RunResult sent;
  std::uint64_t next = 1;
  const auto fill = [&](counters::Counts& counts) {
    std::array<std::uint64_t, sizeof(counters::Counts) / 8> words;
    for (std::uint64_t& w : words) w = next++;
    std::memcpy(static_cast<void*>(&counts), words.data(), sizeof counts);
  };
  fill(sent.counters.total), fill(sent.counters.lines[3]);
  const auto got = decode<RunResult>(encode(sent));
  ASSERT_TRUE(got) << to_string(got.error().front());
  EXPECT_EQ(got->counters.total, sent.counters.total);
  EXPECT_EQ(got->counters.lines, sent.counters.lines);
}

// A review over a pipe has the evidence that it has in this process.
TEST(Wire, EvidenceTravelsWhole) {
  RunResult sent;
  review::Finding& finding = sent.findings.emplace_back();
  finding.evidence.numbers = {{"sectors", 32}};
  finding.evidence.sides = {{.does = "writes byte 4", .line = 7, .buffer = "p", .launch = 2}};
  finding.evidence.interleaving = {{.step = 5, .line = 9, .does = access::Verb::updates, .value = 3}};
  sent.summary.claims.emplace_back().claim.other_notation = true;
  sent.summary.claims.back().result.formless = true;
  sent.summary.code = {{.kind = trace::StepKind::load, .text = "ld", .call_lines = {3, 4}}};
  const auto got = decode<RunResult>(encode(sent));
  ASSERT_TRUE(got) << to_string(got.error().front());
  const review::Evidence& evidence = got->findings.at(0).evidence;
  EXPECT_EQ(evidence.numbers, finding.evidence.numbers);
  ASSERT_EQ(evidence.sides.size(), 1u);
  EXPECT_EQ(evidence.sides[0].buffer, "p");
  EXPECT_EQ(evidence.sides[0].launch, 2);
  ASSERT_EQ(evidence.interleaving.size(), 1u);
  EXPECT_EQ(evidence.interleaving[0].does, access::Verb::updates);
  EXPECT_TRUE(got->summary.claims.at(0).claim.other_notation);
  EXPECT_TRUE(got->summary.claims.at(0).result.formless);
  EXPECT_EQ(got->summary.code.at(0).call_lines, (std::vector<int>{3, 4}));
}

/// Every question of the table, with a request of its own.
std::vector<AnyQuestion> all_questions() {
  return []<std::size_t... i>(std::index_sequence<i...>) {
    return std::vector<AnyQuestion>{AnyQuestion(std::in_place_index<i>)...};
  }
  (std::make_index_sequence<std::variant_size_v<AnyQuestion>>());
}

// Law: a call comes out as the question that went in, and every event as the one that it was.
TEST(Wire, QuestionsAndEventsTravel) {
  for (const AnyQuestion& question : all_questions()) {
    const auto call = decode<Call>(encode(Call{7, question}));
    ASSERT_TRUE(call && call->question);
    EXPECT_EQ(call->ticket, 7u);
    EXPECT_EQ(call->question->index(), question.index());
    AllQuestions::What answer;
    std::visit([&]<class Q>(const Asked<Q>&) { answer = Answered<Q>{}; }, question);
    const auto event = decode<Event>(encode(Event{8, answer}));
    ASSERT_TRUE(event);
    EXPECT_EQ(event->ticket, 8u);
    EXPECT_EQ(event->what.index(), answer.index());
  }
  const auto cancel = decode<Call>(encode(Call{9, std::nullopt}));
  EXPECT_TRUE(cancel && !cancel->question && cancel->ticket == 9);
  const auto progress =
      decode<Event>(encode(Event{1, Progress{"running", {.steps = 3, .blocks = 4, .all_blocks = 5}}}));
  ASSERT_TRUE(progress && std::holds_alternative<Progress>(progress->what));
  EXPECT_EQ(std::get<Progress>(progress->what).ran.all_blocks, 5u);
}

// The rules say what a channel does where a question cannot be answered; a refusal without words would be one of these.
TEST(Wire, EveryRefusalOfAQuestionHasItsWords) {
  for (const AnyQuestion& question : all_questions()) {
    const Rules& r = rules_of(question);
    if (r.is_run) continue;
    EXPECT_EQ(r.needs_run, !r.no_run.empty()) << question.index();
    EXPECT_EQ(r.repeated, r.lost.empty()) << question.index();
    EXPECT_FALSE(r.outlives_run && r.needs_run) << "about a run that is gone: " << question.index();
  }
}

// A hello is read by every version, so that two that differ can report each other.
TEST(Wire, AHelloIsAFrameOfItsOwn) { EXPECT_EQ(pack({Kind::hello, Bytes{1, 2}}), (Bytes{2, 0, 0, 0, 1, 1, 2})); }

TEST(Wire, NonsenseBreaksTheStreamInWords) {
  FrameReader unknown, endless;
  unknown.feed(Bytes{1, 0, 0, 0, 99, 0});
  EXPECT_FALSE(unknown.next());
  EXPECT_NE(unknown.broken().find("unknown kind 99"), std::string::npos);
  endless.feed(Bytes{0xff, 0xff, 0xff, 0xff, 2});
  EXPECT_FALSE(endless.next());
  EXPECT_NE(endless.broken().find("exceeds the limit"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::engine::wire
