#pragma once
// A program called nvdisasm that prints what that of CUDA 12.4 prints of assets/kernels/copy_float4.cu for sm_90 (with -gi and
// -gp if places are requested), for any input. It writes down how it was called.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace lanescope::test {

class StandInDisassembler {
 public:
  /// `knows_places`: false: as a version that refuses -gi and -gp.
  explicit StandInDisassembler(const std::filesystem::path& folder, bool knows_places = true) : folder_(folder) {
    std::filesystem::create_directories(folder / "bin");
    const std::string places = knows_places ? "*-gp*) places=1;;" : "*-gp*) echo unknown option >&2; exit 1;;";
    std::ofstream(folder / "bin/nvdisasm")
        << "#!/bin/sh\nplaces=\necho \"$*\" >> '" << calls().string() << "'\n"
        << "for file; do :; done\nhead -c 4 \"$file\" | tail -c 3 > '" << seen().string() << "'\n"
        << "case \"$*\" in " << places << " esac\n"
        << "if [ -n \"$places\" ]; then cat '" << text().string() << "'; else grep -v '//##' '" << text().string()
        << "'; fi\n";
    std::filesystem::permissions(folder / "bin/nvdisasm", std::filesystem::perms::owner_all);
    std::ofstream(text()) << output;
    ::setenv("CUDA_HOME", folder.c_str(), 1);
  }
  ~StandInDisassembler() { ::unsetenv("CUDA_HOME"); }
  StandInDisassembler(const StandInDisassembler&) = delete;
  StandInDisassembler& operator=(const StandInDisassembler&) = delete;

  std::filesystem::path calls() const { return folder_ / "calls"; }  ///< arguments, a line for each call
  std::filesystem::path seen() const { return folder_ / "seen"; }    ///< bytes 2 to 4 of the file: "ELF"

  static constexpr const char* output =
      R"sass(	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
	.elftype	@"ET_EXEC"


//--------------------- .text._Z11copy_float4PK6float4PS_ --------------------------
	.section	.text._Z11copy_float4PK6float4PS_,"ax",@progbits
	.align	128
        .global         _Z11copy_float4PK6float4PS_
        .type           _Z11copy_float4PK6float4PS_,@function
        .size           _Z11copy_float4PK6float4PS_,(.L_x_1 - _Z11copy_float4PK6float4PS_)
        .other          _Z11copy_float4PK6float4PS_,@"STO_CUDA_ENTRY STV_DEFAULT"
_Z11copy_float4PK6float4PS_:
.text._Z11copy_float4PK6float4PS_:
	//## File "/tmp/x/copy_float4.cu", line 12
	//## File ".nv_debug_ptx_txt", line 20
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/tmp/x/copy_float4.cu", line 14
	//## File ".nv_debug_ptx_txt", line 31
        /*0010*/                   S2R R7, SR_CTAID.X ;
	//## File "/tmp/x/copy_float4.cu", line 15
	//## File ".nv_debug_ptx_txt", line 37
        /*0020*/                   LDC.64 R2, c[0x0][0x210] ;
	//## File ".nv_debug_ptx_txt", line 20
        /*0030*/                   ULDC.64 UR4, c[0x0][0x208] ;
	//## File "/tmp/x/copy_float4.cu", line 14
	//## File ".nv_debug_ptx_txt", line 33
        /*0040*/                   S2R R0, SR_TID.X ;
	//## File "/tmp/x/copy_float4.cu", line 23
	//## File ".nv_debug_ptx_txt", line 39
        /*0050*/                   LDC.64 R4, c[0x0][0x218] ;
	//## File "/tmp/x/copy_float4.cu", line 14
	//## File ".nv_debug_ptx_txt", line 34
        /*0060*/                   LEA R7, R7, R0, 0x8 ;
	//## File "/tmp/x/copy_float4.cu", line 15
	//## File ".nv_debug_ptx_txt", line 37
        /*0070*/                   IMAD.WIDE.U32 R2, R7, 0x10, R2 ;
	//## File "/tmp/x/copy_float4.cu", line 23
	//## File ".nv_debug_ptx_txt", line 40
        /*0080*/                   LDG.E.128 R8, desc[UR4][R2.64] ;
	//## File ".nv_debug_ptx_txt", line 39
        /*0090*/                   IMAD.WIDE.U32 R4, R7, 0x10, R4 ;
	//## File ".nv_debug_ptx_txt", line 41
        /*00a0*/                   STG.E.128 desc[UR4][R4.64], R8 ;
	//## File "/tmp/x/copy_float4.cu", line 24
	//## File ".nv_debug_ptx_txt", line 43
        /*00b0*/                   EXIT ;
.L_x_0:
        /*00c0*/                   BRA `(.L_x_0);
        /*00d0*/                   NOP;
        /*00e0*/                   NOP;
.L_x_1:
)sass";

 private:
  std::filesystem::path text() const { return folder_ / "text"; }
  std::filesystem::path folder_;
};

}  // namespace lanescope::test
