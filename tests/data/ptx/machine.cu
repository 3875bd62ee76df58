#include <cuda_fp16.h>
#include <mma.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_pipeline.h>
namespace cg=cooperative_groups;
using namespace nvcuda;
template<int N> __global__ void __launch_bounds__(128,2) tmpl(float*o){ o[threadIdx.x+N]=N; }
template __global__ void tmpl<3>(float*); template __global__ void tmpl<4>(float*);
__device__ __noinline__ float f1(float a){return a*2;} __device__ __noinline__ float f2(float a){return a+2;}
__global__ void indirect(float*o,int n){ float(*p)(float)=n?f1:f2; if(n==7)p=nullptr; o[0]=p(o[1]); }
__global__ void sw(int*o,int n){ int r; switch(n){case 0:r=o[3];break;case 1:r=o[9]*3;break;case 2:o[5]=1;r=7;break;case 3:__syncthreads();r=3;break;case 4:r=atomicAdd(o,1);break;case 5:r=o[1]/o[2];break;case 6:r=__popc(o[2]);break;case 7:r=__clz(n+o[1]);break;default:r=-1;} o[threadIdx.x]=r;}
__global__ void mm(half*a,half*b,float*c){ wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> A; wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> B; wmma::fragment<wmma::accumulator,16,16,16,float> C; wmma::fill_fragment(C,0.f); wmma::load_matrix_sync(A,a,16);wmma::load_matrix_sync(B,b,16);wmma::mma_sync(C,A,B,C);wmma::store_matrix_sync(c,C,16,wmma::mem_row_major);
 __shared__ alignas(16) half s[256]; unsigned r0,r1,r2,r3; unsigned ad=__cvta_generic_to_shared(s+threadIdx.x*8);
 asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];":"=r"(r0),"=r"(r1),"=r"(r2),"=r"(r3):"r"(ad)); c[0]=r0+r1+r2+r3;
 asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %0, 0;\nL: @!p bra D;\n mov.b32 %0, 0;\nbra D;\nD:\n}":"+r"(r0)); asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %0, 0;\nL: @!p bra D;\nbra D;\nD:\n}":"+r"(r1)); c[1]=r0+r1;}
__global__ void cgk(int*o){ auto g=cg::this_grid(); auto w=cg::tiled_partition<32>(cg::this_thread_block()); o[w.thread_rank()]=cg::reduce(w,o[3],cg::plus<int>()); g.sync(); o[1]=w.any(o[2]); }
__global__ void dbl(double*o,long long a,long long b,unsigned*u){ o[0]=sqrt(o[1])/o[2]+a/b+a%b; u[0]=__byte_perm(u[1],u[2],u[3]); atomicCAS(u+5,1,2); atomicAdd(o,1.0); u[7]=__match_any_sync(~0u,u[6]); u[9]=__funnelshift_l(u[1],u[2],u[3]);}
#if __CUDA_ARCH__>=800
__global__ void cpa(float4*o,float4*i){ __shared__ float4 s[128]; __pipeline_memcpy_async(s+threadIdx.x,i+threadIdx.x,16);__pipeline_commit();__pipeline_wait_prior(0);__syncthreads(); o[threadIdx.x]=s[threadIdx.x^3]; }
#endif
#if __CUDA_ARCH__>=900
__global__ void __cluster_dims__(2,1,1) clu(int*o){ auto c=cg::this_cluster(); __shared__ int x; x=c.block_rank(); c.sync(); o[0]=*c.map_shared_rank(&x,1); c.sync();
 unsigned long long m; asm volatile("{.reg .b64 st; mbarrier.arrive.expect_tx.shared::cta.b64 st, [%1], 64; mov.b64 %0, st;}":"=l"(m):"r"((unsigned)__cvta_generic_to_shared(&x)));
 asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"::"r"(o[1]),"l"(m),"r"(o[2]),"r"(o[3]),"r"(o[4])); }
#endif
