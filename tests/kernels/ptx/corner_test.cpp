// PTX that people and inline assembly write, construct by construct, and the name of each mistake.

#include <algorithm>

#include <gtest/gtest.h>

#include "kernels/ptx/program.h"
#include "kernels/ptx/target.h"

namespace lanescope::ptx {
namespace {

constexpr const char* kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

std::string with_body(const std::string& body) {
  return std::string(kHeader) +
         ".visible .entry k(.param .u64 p, .param .align 4 .b8 s[8])\n{\n"
         ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n" +
         body + "\n}\n";
}

Module good(const std::string& text) {
  auto module = parse(text, "k.ptx");
  EXPECT_TRUE(module) << to_string(module.error()[0]);
  return module ? *module : Module{};
}

Entry body(const std::string& statements) {
  const Module m = good(with_body(statements));
  return m.entries.empty() ? Entry{} : m.entries[0];
}

Operand operand(const std::string& text) {  // as the source of a move
  const Entry e = body("mov.b32 %r1, " + text + ";");
  return e.code.empty() ? Operand{} : e.code[0].operands[1];
}

Diagnostic bad(const std::string& text) {
  const auto module = parse(text, "k.ptx");
  EXPECT_FALSE(module);
  return module ? Diagnostic{} : module.error()[0];
}

TEST(Constants, AreReadInEverySpelling) {
  const std::pair<const char*, std::int64_t> cases[] = {
      {"42", 42},
      {"-1", -1},
      {"0x1F", 31},
      {"0XffU", 255},
      {"017", 15},
      {"0b101", 5},
      {"7U", 7},
      {"0", 0},
      {"-0x80000000", -2147483648LL},
      {"0xFFFFFFFFFFFFFFFF", -1},
      {"'a'", 97},
      {"(1+2)*3", 9},
      {"1+2*3", 7},
      {"-1+2", 1},
      {"~0", -1},
      {"!5", 0},
      {"1<<4|1", 17},
      {"7 % 4", 3},
      {"WARP_SZ-1", 31},
      {"-WARP_SZ", -32},
      {"1 ? 5 : 6", 5},
      {"0 ? 5 : 6", 6},
      {"(.s64)-8", -8},
      {"2 == 2 && 3 >= 4", 0},
      {"10/3", 3},
  };
  for (const auto& [text, value] : cases) {
    const Operand o = operand(text);
    EXPECT_EQ(o.kind, Operand::Kind::immediate) << text;
    EXPECT_EQ(static_cast<std::int64_t>(o.bits), value) << text;
    EXPECT_FALSE(o.is_float);
  }
}

TEST(Constants, FloatsKeepTheirBits) {
  EXPECT_EQ(operand("0f3F800000").bits, 0x3F800000u);
  EXPECT_EQ(operand("0F3f800000").float_bits, 32);
  EXPECT_EQ(operand("0d3FF0000000000000").bits, 0x3FF0000000000000u);
  EXPECT_EQ(operand("1.5").bits, 0x3FF8000000000000u);
  EXPECT_EQ(operand("-1.5e+1").bits, 0xC02E000000000000u);
  EXPECT_EQ(operand("-0f3F800000").bits, 0xBF800000u);
  EXPECT_EQ(operand("WARP_SZ").special, Special::warp_size);
  EXPECT_NE(bad(with_body("mov.f32 %f1, 0f3F8000;")).message.find("is not a number"), std::string::npos);
}

TEST(Addresses, HaveABaseAndAnOffset) {
  const Entry e = body(
      "ld.param.u64 %rd1, [p];\nld.param.u32 %r2, [s+4];\nld.global.u32 %r1, [%rd1+-4];\n"
      "ld.global.u32 %r1, [%rd1-8];\nld.global.u32 %r1, [4096];\nst.local.u32 [%rd2+2*8], -1;");
  ASSERT_EQ(e.code.size(), 6u);
  EXPECT_EQ(e.code[0].operands[1].symbol_scope, Operand::Scope::param);
  EXPECT_EQ(e.code[1].operands[1].symbol, 1);
  EXPECT_EQ(e.code[1].operands[1].offset, 4);
  EXPECT_EQ(e.code[2].operands[1].offset, -4);
  EXPECT_EQ(e.code[3].operands[1].offset, -8);
  EXPECT_EQ(e.code[4].operands[1].offset, 4096);
  EXPECT_EQ(e.code[4].operands[1].reg, -1);
  EXPECT_EQ(e.code[5].operands[0].offset, 16);
  EXPECT_EQ(e.params[1].offset, 8u);
}

TEST(Addresses, KeepTensorCoordinates) {
  const Entry e = body(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r1], [%rd1, {%r2, %r3}], [%r4];");
  ASSERT_EQ(e.code.size(), 1u);
  EXPECT_TRUE(e.code[0].has("shared::cluster"));
  ASSERT_EQ(e.code[0].operands[1].elements.size(), 1u);
  EXPECT_EQ(e.code[0].operands[1].elements[0].elements.size(), 2u);
}

TEST(Operands, OfEveryOtherKind) {
  const Entry e = body(
      "@!%p1 setp.lt.and.s32 %p2|%p3, %r1, %r2, !%p1;\nshfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;\n"
      "mov.b32 {_, %r1}, %rd1;\nsetp.eq.s32 _|%p1, %r1, 0;\nmov.u32 %r3, %ctaid.y;\nret;");
  ASSERT_EQ(e.code.size(), 6u);
  EXPECT_TRUE(e.code[0].predicate_negated);
  EXPECT_EQ(e.registers[e.code[0].operands[0].second_reg].name, "%p3");
  EXPECT_TRUE(e.code[0].operands[3].negated);
  EXPECT_EQ(e.registers[e.code[1].operands[0].second_reg].type, Type::pred);
  EXPECT_EQ(e.code[2].operands[0].elements[0].kind, Operand::Kind::sink);
  EXPECT_GE(e.code[3].operands[0].second_reg, 0);
  EXPECT_EQ(e.code[4].operands[1].special, Special::ctaid_y);
  EXPECT_TRUE(e.code[5].operands.empty());
}

TEST(Opcodes, SplitIntoModifiersAndTypes) {
  const Entry e = body("ld.global.nc.L1::no_allocate.L2::128B.v2.u32 {%r1,%r2}, [%rd1];\ncvt.rn .f32 .s32 %f1, %r1;");
  ASSERT_EQ(e.code.size(), 2u);
  EXPECT_EQ(e.code[0].opcode, "ld");
  EXPECT_EQ(e.code[0].modifiers,
            (std::vector<std::string>{"global", "nc", "L1::no_allocate", "L2::128B", "v2", "u32"}));
  EXPECT_EQ(e.code[0].types, (std::vector<Type>{Type::u32}));
  EXPECT_EQ(e.code[1].types, (std::vector<Type>{Type::f32, Type::s32}));
}

TEST(Scopes, GiveEveryCopyOfInlineAssemblyItsOwnNames) {
  const std::string copy = "{ .reg .pred p; wait: setp.eq.s32 p, %r1, 0; @p bra wait; @!p bra done; done: }\n";
  const Entry e = body(copy + copy);
  ASSERT_EQ(e.code.size(), 6u);
  EXPECT_EQ(e.code[1].operands[0].target, 0);
  EXPECT_EQ(e.code[4].operands[0].target, 3);
  EXPECT_EQ(e.code[5].operands[0].target, 6);
  EXPECT_NE(e.code[0].operands[0].reg, e.code[3].operands[0].reg);
  EXPECT_NE(e.registers[e.code[0].operands[0].reg].name, e.registers[e.code[3].operands[0].reg].name);
  EXPECT_NE(bad(with_body("bra nowhere;")).message.find("'nowhere' is not declared"), std::string::npos);
}

TEST(Scopes, AnInnerLabelHidesAnOuterOne) {
  const Entry e = body("x: ret;\n{ bra x; x: ret; }\nbra x;");
  EXPECT_EQ(e.code[1].operands[0].target, 2);
  EXPECT_EQ(e.code[3].operands[0].target, 0);
}

TEST(Registers, OfOverlappingRangesAreToldApart) {
  const Entry e = body(
      ".reg .b32 %x<20>;\n.reg .b32 %y1<3>;\n.reg .b16 alow, ahigh;\n"
      "add.s32 %x10, %y12, %x1;\nmov.b32 {alow, ahigh}, %r2;");
  ASSERT_EQ(e.code.size(), 2u);
  EXPECT_EQ(e.registers[e.code[0].operands[0].reg].name, "%x10");
  EXPECT_EQ(e.registers[e.code[0].operands[1].reg].name, "%y12");
  EXPECT_EQ(bad(with_body("add.s32 %r9, %r1, %r2;")).line, 10);
  EXPECT_NE(bad(with_body(".reg .b32 %big<4000000000>;")).message.find("too many registers"), std::string::npos);
}

TEST(Locations, NameTheOutermostCallAndTheInnermostPlace) {
  const Module m =
      good(with_body(".loc 1 19 3\n.loc 2 661 1, function_name $L__info_string0, inlined_at 1 19 3\n"
                     ".loc 2 644 1, function_name $L__info_string1+8, inlined_at 2 661 1\nmov.u32 %r1, 0;\n"
                     ".loc 1 20 5\nret;") +
           ".file 1 \"k.cu\"\n.file 2 \"h.hpp\"\n");
  const Position p = m.entries[0].code[0].position;
  EXPECT_EQ(m.files.at(p.file), "k.cu");
  EXPECT_EQ(p.line, 19);
  EXPECT_EQ(p.column, 3);
  EXPECT_EQ(m.files.at(p.inner_file), "h.hpp");
  EXPECT_EQ(p.inner_line, 644);
  EXPECT_EQ(m.entries[0].code[1].position.line, 20);
  EXPECT_EQ(m.entries[0].code[1].position.inner_line, 0);
}

TEST(Probes, AreMarksBetweenInstructions) {
  const Entry e = body(
      ".loc 1 29 3\n// begin inline asm\n// lanescope.probe 3 var=2 off=4 size=16 %r3\n// end inline asm\n"
      "// lanescope.probe 3 var=2 off=8 0\n// lanescope.probe 4 var=0 off=0 %f1\nret; // lanescope.probely");
  ASSERT_EQ(e.probes.size(), 3u);
  EXPECT_EQ(e.probes[0].id, 3);
  EXPECT_EQ(e.probes[0].variable, 2);
  EXPECT_EQ(e.probes[0].byte_offset, 4);
  EXPECT_EQ(e.probes[0].value_bytes, 16);
  EXPECT_EQ(e.probes[1].value_bytes, 0);
  EXPECT_EQ(e.probes[1].instruction, 1);
  EXPECT_EQ(e.registers[e.code[0].operands[0].reg].name, "%r3");
  EXPECT_EQ(e.code[1].operands[0].kind, Operand::Kind::immediate);
  EXPECT_EQ(e.code[0].position.line, 29);
  EXPECT_EQ(e.code.size(), 4u);
  EXPECT_EQ(bad(with_body("// lanescope.probe 3 off=4 %r3")).line, 10);
}

TEST(Variables, HoldTheirInitialBytes) {
  const Module m =
      good(std::string(kHeader) +
           ".const .align 4 .b8 t[8] = {1, 2, 0xFF};\n.global .u32 n = 7;\n.global .f32 f[2] = {1.0, 0f40000000};\n"
           ".global .s16 g[2][3] = {{1}, {2, -1}};\n.global .u8 open[] = {1,2,3};\n"
           ".shared .align 16 .b8 sh[1024];\n.extern .shared .align 16 .b8 dyn[];\n"
           ".visible .global .attribute(.managed) .align 4 .u32 managed;\n.global .v4 .f32 vec;");
  ASSERT_EQ(m.variables.size(), 9u);
  const auto bytes = [&](int v) {
    std::string hex;
    for (const std::byte b : m.variables[v].initial)
      hex += "0123456789abcdef"[int(b) >> 4], hex += "0123456789abcdef"[int(b) & 15];
    return hex;
  };
  EXPECT_EQ(bytes(0), "0102ff0000000000");
  EXPECT_EQ(bytes(1), "07000000");
  EXPECT_EQ(bytes(2), "0000803f00000040");
  EXPECT_EQ(bytes(3), "0100000000000200ffff0000");
  EXPECT_EQ(m.variables[4].bytes, 3u);
  EXPECT_EQ(m.variables[5].bytes, 1024u);
  EXPECT_TRUE(m.variables[6].is_extern);
  EXPECT_EQ(m.variables[6].bytes, 0u);
  EXPECT_EQ(m.variables[8].bytes, 16u);
  EXPECT_NE(bad(std::string(kHeader) + ".global .u64 x = generic(y);").message.find("address of 'y'"),
            std::string::npos);
  EXPECT_NE(bad(std::string(kHeader) + ".global .u8 x[2] = {1,2,3};").message.find("more initial values"),
            std::string::npos);
}

TEST(Variables, HoldTheAddressesThatTheyBeginWith) {
  const Module m = good(std::string(kHeader) +
                        ".func f (.reg .u32 x);\n.global .align 1 .b8 text[3] = {72, 105, 0};\n.global .u32 n;\n"
                        ".global .align 8 .u64 names[4] = {generic(text), generic(text)+1, 7, n-4};\n"
                        ".global .align 8 .u64 table[2] = {f, 0};\n.global .u64 one = generic(n+8);\n"
                        ".global .align 8 .b8 parts[4] = {1, 0xFF(n), 0xFF00(n+1), 0};\n");
  ASSERT_EQ(m.variables.size(), 6u);
  const std::vector<InitialAddress>& names = m.variables[2].addresses;
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0], (InitialAddress{.at = 0, .bytes = 8, .variable = 0, .generic = true}));
  EXPECT_EQ(names[1], (InitialAddress{.at = 8, .bytes = 8, .variable = 0, .offset = 1, .generic = true}));
  EXPECT_EQ(names[2], (InitialAddress{.at = 24, .bytes = 8, .variable = 1, .offset = -4}));
  EXPECT_EQ(m.variables[2].initial.size(), 32u);
  EXPECT_EQ(m.variables[2].initial[16], std::byte{7});
  EXPECT_EQ(m.variables[3].addresses, (std::vector{InitialAddress{.at = 0, .bytes = 8, .function = 0}}));
  EXPECT_EQ(m.variables[4].addresses.at(0).offset, 8);
  ASSERT_EQ(m.variables[5].addresses.size(), 2u);
  EXPECT_EQ(m.variables[5].addresses[1],
            (InitialAddress{.at = 2, .bytes = 1, .variable = 1, .offset = 1, .mask = 0xFF00}));
  const Module again = good(to_string(m));
  for (std::size_t v = 0; v < m.variables.size(); ++v) {
    EXPECT_EQ(again.variables[v].addresses, m.variables[v].addresses) << v;
    EXPECT_EQ(again.variables[v].initial, m.variables[v].initial) << v;
  }
  for (const char* wrong : {"= {generic(text)", "= generic(", "= text+;", "= 0xFF(text;", "= absent;", "= text+text;"})
    EXPECT_FALSE(parse(std::string(kHeader) + ".global .u8 text[2];\n.global .u64 x " + wrong).has_value()) << wrong;
}

TEST(Functions, OnesThatCannotBeReadAreSetAsideWhereAsked) {
  const std::string head(kHeader);
  const std::string good = ".func f() { ret; }\n", bad = ".func g() { .brandnew 3; { ret; } }\n";
  EXPECT_FALSE(parse(head + good + bad));
  const auto module = parse_readable(head + bad + good + ".entry k() { call g; ret; }\n");
  ASSERT_TRUE(module) << module.error()[0].message;
  ASSERT_EQ(module->entries.size(), 3u);
  EXPECT_TRUE(module->entries[0].is_declaration);
  ASSERT_EQ(module->entries[0].unreadable.size(), 1u);
  EXPECT_NE(module->entries[0].unreadable[0].message.find("unknown directive '.brandnew'"), std::string::npos);
  EXPECT_FALSE(module->entries[1].is_declaration);
  EXPECT_TRUE(module->entries[1].unreadable.empty());
  EXPECT_EQ(module->entries[2].code.size(), 2u);
  // Without a name or an end there is nothing to set aside.
  EXPECT_FALSE(parse_readable(head + ".func { ret; }\n"));
  EXPECT_FALSE(parse_readable(head + ".func g() { .brandnew 3; { ret; }\n"));
  EXPECT_FALSE(parse_readable(head + good + good)) << "defined twice";
  EXPECT_FALSE(parse_readable(head + ".brandnew 4;\n" + good));
}

/// Every module that is cut somewhere is read to an end, as a module or as an error.
TEST(Functions, CutModulesAreSetAsideOrRefused) {
  const std::string text = std::string(kHeader) + ".func f() { .brandnew 3; { ret; } }\n.entry k() { call f; ret; }\n";
  for (std::size_t length = 0; length < text.size(); ++length) parse_readable(std::string_view(text).substr(0, length));
}

TEST(Functions, HeadersAndCalls) {
  const Module m =
      good(std::string(kHeader) +
           ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n.func later (.reg .u32 x);\n"
           ".visible .entry k() .maxntid 128 .minnctapersm 2 .reqnctapercluster 2, 1, 1 .explicitcluster\n{\n"
           ".reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
           "{ .param .b64 param0; .param .b64 param1; .param .b32 retval0;\n st.param.b64 [param0+0], %rd1;\n"
           "call.uni (retval0), \nvprintf, \n(\nparam0, \nparam1\n);\nld.param.b32 %r1, [retval0+0]; }\n"
           "{ .param .b32 param0; call later, (%r1); }\n"
           "pr: .callprototype (.param .b32 _) _ (.param .b64 _);\n"
           "{ .param .b32 q; .param .b64 z; call (q), %rd2, (z), pr; }\n"
           "bt: .branchtargets a, b;\na: brx.idx.uni %r1, bt;\nb: ret;\n}\n"
           ".func later (.reg .u32 x) { .reg .b32 y; add.u32 y, x, 1; ret; }\n");
  ASSERT_EQ(m.entries.size(), 3u);
  EXPECT_TRUE(m.entries[0].is_declaration);
  EXPECT_FALSE(m.entries[1].is_declaration);
  EXPECT_EQ(m.entries[1].params[0].reg, 0);
  const Entry& k = m.entries[2];
  EXPECT_EQ(k.max_threads, (std::array<int, 3>{128, 1, 1}));
  EXPECT_EQ(k.min_blocks, 2);
  EXPECT_EQ(k.cluster[0], 2);
  EXPECT_EQ(k.call_param_bytes, 20u);
  const auto& call = k.code[1].operands;
  ASSERT_EQ(call.size(), 3u);
  EXPECT_EQ(call[0].elements[0].symbol_scope, Operand::Scope::call_param);
  EXPECT_EQ(call[1].symbol_scope, Operand::Scope::function);
  EXPECT_EQ(m.entries[call[1].symbol].name, "vprintf");
  EXPECT_EQ(k.code[4].operands[3].symbol_scope, Operand::Scope::prototype);
  const Operand& table = k.code[5].operands[1];
  ASSERT_EQ(table.elements.size(), 2u);
  EXPECT_EQ(table.elements[0].target, 5);
  EXPECT_EQ(table.elements[1].target, 6);
}

TEST(Functions, AnAliasReachesItsTarget) {
  const Module m = good(std::string(kHeader) +
                        ".func alias_of();\n.entry k() { call alias_of; ret; }\n"
                        ".func target() { ret; }\n.alias alias_of, target;\n");
  ASSERT_EQ(m.entries.size(), 3u);
  EXPECT_EQ(m.entries[m.entries[1].code[0].operands[0].symbol].name, "target");
}

TEST(Entries, AreFoundByTheNamePeopleUse) {
  Module m;
  for (const char* name : {"_Z4tmplILi3EEvPf", "_Z4tmplILi4EEvPf", "_ZN2ns1kEPf", "plain"})
    m.entries.emplace_back().name = name;
  EXPECT_EQ(m.find_entry("tmpl<3>"), &m.entries[0]);
  EXPECT_EQ(m.find_entry("tmpl"), nullptr);
  EXPECT_EQ(m.find_entry("ns::k"), &m.entries[2]);
  EXPECT_EQ(m.find_entry("k"), &m.entries[2]);
  EXPECT_EQ(m.find_entry("plain"), &m.entries[3]);
  EXPECT_EQ(m.find_entry("pla"), nullptr);
}

TEST(Words, NeedNoBlanksBetweenThem) {
  const Module spaced =
      good(with_body(".reg .f32 %a, %b<2>; .shared .align 8 .b32 s; mov.f32 %a, %b1; @%p1 ld.shared.f32 %a, [s];"));
  const Module joined =
      good(with_body(".reg.f32%a,%b<2>;.shared.align 8 .b32 s;mov.f32%a,%b1;@%p1 ld.shared.f32%a,[s];"));
  EXPECT_EQ(to_string(spaced), to_string(joined));
  const Module params = good(std::string(kHeader) + ".entry k(.param.u64.ptr.global.align 4 a,.param.b8 b[3]){ret;}");
  ASSERT_EQ(params.entries[0].params.size(), 2U);
  EXPECT_EQ(params.entries[0].params[1].bytes, 3U);
}

TEST(Functions, MayBeDeclaredWithoutASemicolon) {
  const Module m = good(std::string(kHeader) +
                        ".func (.param .s32 r) twice (.param .s32 x)\n.visible .func once (.reg .s32 x)\n"
                        ".shared .b32 s[4];\n"
                        ".func (.param .s32 r) twice (.param .s32 x)\n{\nret;\n}\n"
                        ".entry k()\n{\n.reg .b32 %r;\nmov.u32 %r, s;\ncall once, (%r);\nret;\n}\n");
  ASSERT_EQ(m.entries.size(), 3U);
  EXPECT_FALSE(m.entries[0].is_declaration);
  EXPECT_TRUE(m.entries[1].is_declaration);
  EXPECT_EQ(m.entries[2].code.size(), 3U);
  EXPECT_NE(bad(std::string(kHeader) + ".func f(.reg .b32 x) 5").message.find("expected ';'"), std::string::npos);
  EXPECT_NE(bad(std::string(kHeader) + ".func f(.reg .b32 x)").message.find("expected ';'"), std::string::npos);
}

TEST(VectorMoves, AreMovesOfTheirElements) {
  const auto code = [](const std::string& statements) {
    const Module m = good(with_body(".reg .v4 .b32 %v, %w;\n" + statements));
    std::string text;
    for (const Entry& e : m.entries)
      for (const Instruction& i : e.code) text += to_string(i, e, m) + "\n";
    return text;
  };
  EXPECT_EQ(code("@%p1 mov.v2.b32 {%r1, %r2}, {%r3, 5};"), "@%p1 mov.b32 %r1, %r3;\n@%p1 mov.b32 %r2, 5;\n");
  EXPECT_EQ(code("mov.v2.b32 {%r1, _}, {%r2, %r1};"), "mov.b32 %r1, %r2;\n");
  EXPECT_EQ(std::ranges::count(code("mov.v2.b32 {%r1, %r2}, {%r2, %r1};"), '\n'), 4);
  EXPECT_EQ(std::ranges::count(code("mov.v4.b32 %v, %w;"), '\n'), 4);
  EXPECT_EQ(code("mov.v4.u32 {%r1, %r2, _, %r3}, %ntid;"),
            "mov.u32 %r1, %ntid.x;\nmov.u32 %r2, %ntid.y;\nmov.u32 %r3, 0;\n");
  EXPECT_EQ(code("mov.u32 %r1, %ctaid.w;"), "mov.u32 %r1, 0;\n");
  EXPECT_NE(bad(with_body("mov.v4.b32 {%r1, %r2}, {%r3, %r4};")).message.find("vectors of 4"), std::string::npos);
  EXPECT_NE(bad(with_body("mov.v4.u32 {%r1, %r2, %r3, %r4}, %absent;")).message.find("vectors of 4"),
            std::string::npos);
}

TEST(Elements, OfArraysAreAddressesWithABracket) {
  const std::string variables = ".shared .align 8 .f64 x[9];\n.local .v2 .b16 y[4];\n";
  const auto second = [&](const std::string& statement) {
    const Entry e = body(variables + statement);
    return e.code.empty() || e.code[0].operands.size() < 2 ? Operand{} : e.code[0].operands[1];
  };
  const Operand loaded = second("ld.shared.b32 %r1, x[3];");
  EXPECT_EQ(loaded.kind, Operand::Kind::address);
  EXPECT_EQ(loaded.offset, 24);
  EXPECT_EQ(second("ld.shared.b32 %r1, x[1+1];").offset, 16);
  EXPECT_EQ(second("ld.local.b16 %r1, y[3];").offset, 6);  // elements, not vectors, are counted
  EXPECT_EQ(second("ld.param.b32 %r1, s[4];").offset, 4);
  const Operand taken = second("mov.u64 %rd1, x[-1];");
  EXPECT_EQ(taken.kind, Operand::Kind::symbol);
  EXPECT_EQ(taken.offset, -8);
  EXPECT_EQ(body(variables + "st.shared.b32 x[2], %r1;").code.at(0).operands.at(0).offset, 16);
  for (const char* index : {"%f1", "%p1", "%tid.x", "absent", "s"}) {
    const Diagnostic d = bad(with_body(variables + "ld.shared.b32 %r1, x[" + index + "];"));
    EXPECT_NE(d.message.find(index[0] == '%' && index[1] != 't' ? "is no index" : "is not a register"),
              std::string::npos)
        << d.message;
  }
  EXPECT_NE(bad(with_body("ld.shared.b32 %r1, %rd1[2];")).message.find("expected ','"), std::string::npos);
}

TEST(Lists, OfDeclarationsShareTypeAndAlignment) {
  const Module m =
      good(std::string(kHeader) + ".global .align 16 .b32 a, b[3], c = 5;\n" +
           ".visible .entry k()\n{\n.shared .v2 .f32 s, t[2];\n.param .align 8 .b8 p[3], q[9];\nret;\n}\n");
  ASSERT_EQ(m.variables.size(), 3U);
  for (const Variable& v : m.variables) EXPECT_EQ(v.alignment, 16U) << v.name;
  EXPECT_EQ(m.variables[1].bytes, 12U);
  EXPECT_EQ(m.variables[2].initial.at(0), std::byte{5});
  const Entry& k = m.entries[0];
  ASSERT_EQ(k.variables.size(), 2U);
  EXPECT_EQ(k.variables[1].bytes, 16U);
  ASSERT_EQ(k.call_params.size(), 2U);
  EXPECT_EQ(k.call_params[1].bytes, 9U);
  EXPECT_EQ(k.call_params[1].offset, 8U);
  EXPECT_EQ(k.call_param_bytes, 17U);
}

TEST(Variables, OfFunctionsInGlobalMemoryAreTheirOwn) {
  const std::string text =
      std::string(kHeader) +
      ".global .b32 x = 1;\n.visible .entry k()\n{\n.reg .b32 %r<3>;\n.global .b32 x = 2, y[2] = {7};\n"
      "ld.global.b32 %r1, [x];\n{\n.const .b32 x = 3;\nld.const.b32 %r1, [x];\n}\n"
      "ld.global.b32 %r1, y[1];\n}\n.visible .entry l()\n{\n.reg .b32 %r<3>;\n.global .b32 x = 4;\n"
      "ld.global.b32 %r1, [x];\n}\n.visible .entry m()\n{\n.reg .b32 %r<3>;\n"
      "ld.global.b32 %r1, [x];\n}\n";
  for (const Module& m : {good(text), good(to_string(good(text)))}) {
    ASSERT_EQ(m.variables.size(), 5U);
    ASSERT_EQ(m.entries.size(), 3U);
    const auto first_byte = [&](std::size_t entry, std::size_t load) {
      const Operand& o = m.entries[entry].code.at(load).operands.at(1);
      EXPECT_EQ(o.symbol_scope, Operand::Scope::module);
      return std::to_integer<int>(m.variables.at(static_cast<std::size_t>(o.symbol)).initial.at(0));
    };
    EXPECT_EQ(first_byte(0, 0), 2);
    EXPECT_EQ(first_byte(0, 1), 3);
    EXPECT_EQ(first_byte(0, 2), 7);
    EXPECT_EQ(first_byte(1, 0), 4);
    EXPECT_EQ(first_byte(2, 0), 1);
  }
  EXPECT_NE(bad(with_body(".global .b32 x;\n.global .b32 x;")).message.find("twice"), std::string::npos);
}

TEST(Mistakes, OfWholeModulesSayWhatPtxasSays) {
  const Diagnostic reg = bad(std::string(kHeader) + ".reg .u32 %mr<3>;\n.visible .entry k()\n{\nret;\n}\n");
  EXPECT_NE(reg.message.find("a register of the whole module"), std::string::npos) << reg.message;
  const Diagnostic narrow = bad(".version 6.4\n.target sm_75\n.address_size 32\n.visible .entry k()\n{\nret;\n}\n");
  EXPECT_NE(narrow.message.find("addresses of 32 bits"), std::string::npos) << narrow.message;
  EXPECT_NE(narrow.remedy.find("ptxas"), std::string::npos) << narrow.remedy;
}

TEST(Mistakes, AreNamedAtTheirLine) {
  const std::pair<const char*, const char*> cases[] = {
      {".frobnicate 3;", "unknown directive '.frobnicate'"},
      {"add.s32 %r1 %r2;", "expected ',' or ';'"},
      {"mov.u32 %r1, %r999;", "neither a declared register"},
      {"ld..u32 %r1, [%rd1];", "empty modifier"},
      {"call nothing;", "'nothing' is called, but is not declared before"},
      {"@%r1 ret;", "not a predicate"},
      {"x: x: ret;", "declared twice"},
      {"mov.u32 %r1, 1/0;", "division by zero"},
      {"mov.u32 %r1, 99999999999999999999;", "expected a constant"},
      {"ret; \x01", "unexpected byte 0x01"},
      {".shared .align 3 .b8 x[4];", "not a power of two"},
  };
  for (const auto& [statement, message] : cases) {
    const Diagnostic d = bad(with_body(std::string(".loc 1 77 0\n") + statement));
    EXPECT_NE(d.message.find(message), std::string::npos) << d.message;
    EXPECT_EQ(d.line, 11) << statement;
    EXPECT_EQ(d.file, "k.ptx");
    EXPECT_NE(d.remedy.find("line 77"), std::string::npos) << d.remedy;
  }
  EXPECT_NE(bad("hello").message.find("expected '.version'"), std::string::npos);
  EXPECT_NE(bad("").message.find("the end of the text"), std::string::npos);
  for (const char* target : {"banana", "sm_", "sm_x", "compute_90"})
    EXPECT_NE(
        bad(std::string(".version 9.0\n.target ") + target + "\n").message.find("expected a target such as sm_90"),
        std::string::npos)
        << target;
  EXPECT_NE(bad(".version 9.0\n.target sm_90, debgu\n").message.find("unknown option 'debgu'"), std::string::npos);
  EXPECT_EQ(bad(".version 9.0\n.target sm_90, debgu\n").line, 2);
  EXPECT_NE(bad(".version 9.0 .target sm_90 .address_size 32").message.find("32 bits"), std::string::npos);
}

TEST(Versions, ThatNobodyKnowsAreInDoubt) {
  const auto doubt = [](const std::string& version) {
    return version_doubt(good(".version " + version + "\n.target sm_90\n.address_size 64\n"));
  };
  for (const char* version : {"1.0", "6.5", "7.8", "8.8", "9.0", "9.1"}) EXPECT_EQ(doubt(version), "") << version;
  EXPECT_EQ(doubt("99.0"), "PTX version 99.0 is newer than any that lanescope has");
  EXPECT_EQ(doubt("10.0"), "PTX version 10.0 is newer than any that lanescope has");
  EXPECT_EQ(doubt("4.9"), "there is no PTX version 4.9");
  EXPECT_EQ(doubt("0.1"), "there is no PTX version 0.1");
}

TEST(Opcodes, UnknownOnesAreKept) { EXPECT_EQ(body("frobnicate.u32 %r1, %r2;").code[0].opcode, "frobnicate"); }

}  // namespace
}  // namespace lanescope::ptx
